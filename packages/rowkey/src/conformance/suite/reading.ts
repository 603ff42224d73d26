import type { Bound, Page, PageSource, ReadOptions, Row, Slice } from '#store/adapter'

/** Options of a plain read. */
export const strong: ReadOptions = { consistency: 'strong' }

/** The bound before all keys that start with these values. */
export const before = (...prefix: Row): Bound => ({ prefix, edge: 'before' })

/** The bound after all keys that start with these values. */
export const after = (...prefix: Row): Bound => ({ prefix, edge: 'after' })

/** Everything in one bucket. */
export const bucketSlice = (bucket: number, reverse = false): Slice => ({ bucket, from: before(), to: after(), reverse })

/** All pages of a source, whose adapter is bounded. */
export async function pagesOf(source: PageSource, want: number | (() => number)): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (;;) {
    const page = await source.next(typeof want === 'number' ? want : want())
    if (page === undefined) return pages
    pages.push(page)
  }
}

/** All rows of a source. */
export async function rowsOf(source: PageSource, want: number | (() => number) = 100): Promise<readonly Row[]> {
  return (await pagesOf(source, want)).flatMap(({ rows }) => rows)
}

/** 0, 1, 2 … */
export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)
