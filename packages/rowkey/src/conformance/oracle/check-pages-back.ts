import { check } from '../check.js'

/** A page that was read forwards. */
export interface PageSeen {
  /** As text. */
  readonly rows: readonly string[]
  readonly previous: string | undefined
}

/** A page that is read backwards. */
interface PageBack {
  readonly rows: readonly string[]
  readonly cursor?: string
  readonly previous?: string
}

/**
 * Goes back from the last page to the first: the rows are those that came forwards, in the same order.
 *
 * @param isAligned whether each page has to be the one that came forwards, not only all of them together
 * @returns the number of pages read
 */
export async function checkPagesBack(
  seen: readonly PageSeen[],
  isAligned: boolean,
  limit: number,
  read: (previous: string) => Promise<PageBack>,
): Promise<number> {
  const back: (readonly string[])[] = []
  let pages = 0
  for (let previous = seen.at(-1)?.previous; previous !== undefined;) {
    const page = await read(previous)
    check(page.rows.length <= limit, `${page.rows.length} rows in a previous page of ${limit}`)
    check(page.cursor !== undefined, 'a previous page has a cursor to the page after it')
    back.unshift(page.rows)
    previous = page.previous
    check(++pages <= 2_000, 'paging back ends')
  }
  const forwards = seen.slice(0, -1).map(({ rows }) => rows)
  const list = (all: readonly (readonly string[])[]): string => all.map((rows) => `    ${rows.join(' ') || 'none'}`).join('\n')
  const isSame = isAligned ? list(back) === list(forwards) : back.flat().join('\n') === forwards.flat().join('\n')
  check(isSame, `previous pages of ${limit}\n  expected\n${list(forwards)}\n  got\n${list(back)}`)
  return pages
}
