import {
  type Conditions,
  type Endpoint,
  isPromise,
  type Page,
  type PageSource,
  type Row,
  type TableSchema,
  type TableStore,
  type Value,
} from '#store/adapter'
import { compileFilter } from '#store/engine'
import { drained, sourceOf, wrong, wrongReads, wrongScan, type Wrong } from './wrong.js'

/** Rows that pass the slice's own filter; whatever else a wrong adapter does with the page is its affair. */
function filtered(page: Page, schema: TableSchema, filter: Conditions | undefined): readonly Row[] {
  return filter === undefined ? page.rows : page.rows.filter(compileFilter(schema, filter))
}

interface Ends {
  readonly low?: Endpoint
  readonly high?: Endpoint
}

/** A filter with a mistake in ranges. */
const wrongFilter = (mistake: string, inside: (value: Value, ends: Ends) => boolean): Wrong =>
  wrongScan(mistake, 'ADAPTER-4', {
    page: (page, { filter = [] }) => ({
      ...page,
      rows: page.rows.filter((row) => filter.every((test) => 'in' in test || 'isNull' in test || inside(row[test.column] ?? null, test))),
      last: page.rows.at(-1) as Row,
    }),
  })

const whole = { from: { prefix: [], edge: 'before' }, to: { prefix: [], edge: 'after' } } as const

export const wrongScans: readonly Wrong[] = [
  wrongReads('a slice of a whole key has no rows after its start', 'TABLE-13', (store, { partitionLength, keyLength }) => ({
    scan: (slice, options) => (partitionLength === keyLength ? sourceOf([]) : store.scan(slice, options)),
  })),
  wrongReads('a full scan reads the rest of a partition of one row again', 'TABLE-13', (store, { partitionLength, keyLength }) => ({
    fullScan(checkpoint, options) {
      const rows = drained(store.fullScan(checkpoint, options))
      return sourceOf(partitionLength === keyLength ? rows.flatMap((row) => [row, row]) : rows)
    },
  })),
  wrongScan('a scan reads the hull: its whole bucket', 'ADAPTER-2', { slice: (slice) => ({ ...slice, ...whole }) }),
  wrongReads('a scan reads its whole bucket and drops what is outside', 'ADAPTER-2', (store, { layout, keyLength }) => ({
    scan(slice, options) {
      const inside = (row: Row): boolean => {
        const prefix = row.slice(0, keyLength)
        return (
          layout.compareBounds({ prefix, edge: 'before' }, slice.from) >= 0 &&
          layout.compareBounds({ prefix, edge: 'after' }, slice.to) <= 0
        )
      }
      const all = drained(store.scan({ ...slice, ...whole }, options))
      const source = sourceOf(all.filter(inside))
      let examined = all.length
      return {
        next: (want) => {
          const page = source.next(want) as Page | undefined
          const first = examined
          examined = 0
          return page === undefined ? undefined : { ...page, examined: Math.max(first, page.rows.length) }
        },
        close: () => undefined,
      }
    },
  })),
  wrongReads('buckets are not kept apart', 'R11', (store, { layout }) => ({
    scan(slice, options) {
      const rows = Array.from({ length: layout.buckets }, (_, bucket) => drained(store.scan({ ...slice, bucket }, options))).flat()
      return sourceOf(rows.sort((a, b) => (slice.reverse ? layout.compareRows(b, a) : layout.compareRows(a, b))))
    },
  })),
  wrongScan('an upper bound before a key takes the key too', 'ADAPTER-2', {
    slice: (slice) => ({ ...slice, to: { ...slice.to, edge: 'after' } }),
  }),
  wrongScan('a lower bound before a key leaves the key out', 'ADAPTER-2', {
    slice: (slice) => (slice.from.prefix.length === 0 ? slice : { ...slice, from: { ...slice.from, edge: 'after' } }),
  }),
  wrongScan('reverse is ignored', 'R18', { slice: (slice) => ({ ...slice, reverse: false }) }),
  wrongReads('text is in the order of UTF-16 units', 'R4', (store) => ({
    scan: (slice, options) =>
      sourceOf(
        drained(store.scan(slice, options)).toSorted(([a], [b]) =>
          typeof a === 'string' && typeof b === 'string' ? (a < b ? -1 : Number(a > b)) : 0,
        ),
      ),
  })),
  wrongReads('columns that were not asked for are filled', 'ADAPTER-1', (store) => ({
    get: (keys, { columns: _, ...options }) => store.get(keys, options),
    scan: (slice, { columns: _, ...options }) => store.scan(slice, options),
  })),
  wrongReads('a row without the columns asked for is no row', 'ADAPTER-1', (store, { keyLength }) => ({
    scan(slice, options) {
      const rows = drained(store.scan(slice, options))
      return sourceOf(options.columns === undefined ? rows : rows.filter((row) => row.slice(keyLength).some((value) => value !== null)))
    },
  })),
  wrongScan('a page that is all filtered is taken for the end', 'ADAPTER-4', {
    page(page, { filter }, schema) {
      const rows = filtered(page, schema, filter)
      return rows.length === 0 ? undefined : { ...page, rows, last: page.rows.at(-1) as Row }
    },
  }),
  wrongScan('pages forget the last examined key', 'ADAPTER-4', {
    page: (page, { filter }, schema) => ({ ...page, rows: filtered(page, schema, filter) }),
  }),
  wrongScan('pages name their last row as the last examined key, rows that are filtered behind it not', 'ADAPTER-4', {
    page(page, { filter }, schema) {
      const rows = filtered(page, schema, filter)
      return { ...page, rows, last: rows.at(-1) ?? page.rows.at(-1) }
    },
  }),
  wrongScan('a filter by in loses rows with an empty text', 'ADAPTER-4', {
    page: (page, { filter = [] }) => ({
      ...page,
      rows: page.rows.filter((row) => filter.every((test) => !('in' in test) || row[test.column] !== '')),
      last: page.rows.at(-1) as Row,
    }),
  }),
  wrongScan('a filter takes inclusive ranges as exclusive', 'ADAPTER-4', {
    page(page, { filter = [] }, schema) {
      const turned = filter.map((test) =>
        'high' in test && test.high !== undefined ? { ...test, high: { ...test.high, inclusive: false } } : test,
      )
      return { ...page, rows: filtered(page, schema, turned), last: page.rows.at(-1) as Row }
    },
  }),
  wrongFilter('a filter compares text by UTF-16 units', (value, { low, high }) => {
    if (typeof value !== 'string') return true
    const within = (end: string, inclusive: boolean, isBefore: boolean): boolean => (value === end ? inclusive : value < end === isBefore)
    return (
      (low === undefined || within(String(low.value), low.inclusive, false)) &&
      (high === undefined || within(String(high.value), high.inclusive, true))
    )
  }),
  wrongFilter('a filter finds NaN in no range', (value) => !Number.isNaN(value)),
  wrongFilter('a filter compares 64-bit integers as floats', (value, { low, high }) => {
    if (typeof value !== 'bigint') return true
    const [number, least, greatest] = [Number(value), Number(low?.value), Number(high?.value)]
    return (
      (low === undefined || number > least || (low.inclusive && number === least)) &&
      (high === undefined || number < greatest || (high.inclusive && number === greatest))
    )
  }),
  wrongFilter('a filter compares bytes as signed ones', (value, { low }) => {
    if (!(value instanceof Uint8Array) || !(low?.value instanceof Uint8Array)) return true
    return Buffer.from(new Int8Array(value)).readInt8() >= Buffer.from(new Int8Array(low.value)).readInt8()
  }),
  wrongScan('a filter takes the first hundred values of a list', 'ADAPTER-4', {
    page(page, { filter = [] }, schema) {
      const cut = filter.map((test) => ('in' in test ? { ...test, in: test.in.slice(0, 100) } : test))
      return { ...page, rows: filtered(page, schema, cut), last: page.rows.at(-1) as Row }
    },
  }),
  wrongScan('a filter drops rows without the column, also if null is wanted', 'ADAPTER-4', {
    page: (page, { filter = [] }) => ({
      ...page,
      rows: page.rows.filter((row) => filter.every(({ column }) => row[column] !== null)),
      last: page.rows.at(-1) as Row,
    }),
  }),
  wrongScan('every page with dropped rows says that it is the last one', 'ADAPTER-4', {
    page(page, { filter }, schema) {
      const rows = filtered(page, schema, filter)
      return rows.length === page.rows.length ? page : { ...page, rows, exhausted: true }
    },
  }),
  wrongScan('isNull: true is answered as isNull: false', 'ADAPTER-4', {
    page(page, { filter = [] }, schema) {
      const turned = filter.map((test) => ('isNull' in test ? { ...test, isNull: !test.isNull } : test))
      return { ...page, rows: filtered(page, schema, turned), last: page.rows.at(-1) as Row }
    },
  }),
  wrongReads('a scan stops at its first page', 'ADAPTER-3', (store) => ({
    scan(slice, options) {
      const source = store.scan(slice, options)
      let pages = 0
      return { ...source, next: (want) => (pages++ === 0 ? source.next(want) : undefined), close: () => undefined }
    },
  })),
  wrongReads('the row at the border of two pages is lost', 'ADAPTER-3', (store) => ({
    scan: (slice, options) =>
      onceFull(store.scan(slice, options), (page) => ({ ...page, rows: page.rows.slice(0, -1), last: page.rows.at(-1) })),
  })),
  wrongReads('the row at the border of two pages comes twice', 'ADAPTER-3', (store) => ({
    scan(slice, options) {
      let border: Row | undefined
      return onceFull(store.scan(slice, options), (page) => {
        const rows = border === undefined ? page.rows : [border, ...page.rows]
        border = page.rows.at(-1)
        return { ...page, rows, examined: rows.length }
      })
    },
  })),
  wrongScan('examined counts nothing', 'ADAPTER-3', { page: (page) => ({ ...page, examined: 0 }) }),
  wrongReads('a scan goes on by the number of rows it has given', 'SCAN-1', (store) => ({
    scan(slice, options) {
      let given = 0
      return {
        next(want) {
          const rows = drained(store.scan(slice, options)).slice(given, given + want)
          given += rows.length
          return rows.length === 0 ? undefined : { rows, examined: rows.length }
        },
        close: () => undefined,
      }
    },
  })),
  wrongReads('a full scan starts over at every checkpoint', 'ADAPTER-5', (store) => ({
    fullScan: (_, options) => store.fullScan(undefined, options),
  })),
  wrongReads('a full scan has no checkpoints', 'ADAPTER-5', (store) => ({
    fullScan: (checkpoint, options) => sourceOf(drained(store.fullScan(checkpoint, options))),
  })),
  wrongReads('a full scan leaves out a bucket', 'ADAPTER-5', (store, { layout, keyLength }) => ({
    fullScan(checkpoint, options) {
      const source = store.fullScan(checkpoint, options)
      return {
        next(want) {
          const page = source.next(want)
          if (isPromise(page) || page === undefined) return page
          return { ...page, rows: page.rows.filter((row) => layout.salts.length === 0 || layout.bucketOf(row.slice(0, keyLength)) !== 1) }
        },
        close: () => undefined,
      }
    },
  })),
  wrong('rows of tables whose names begin alike are mixed', 'SCAN-1', (base) => {
    const stores = new Map<string, TableStore>()
    return {
      table(schema, catalog) {
        const own = base.table(schema, catalog)
        stores.set(schema.name, own)
        return stores.get(schema.name.replace(/_2$/, '')) ?? own
      },
    }
  }),
]

/** Mistakes that never come to an end, all at once, so that no timer runs meanwhile. */
export const endlessScans: readonly Wrong[] = [
  wrongReads('a full scan goes on with the row of its checkpoint, not behind it', 'ADAPTER-5', (store) => ({
    fullScan(checkpoint = '0', options) {
      const rows = drained(store.fullScan(undefined, options))
      let at = Number(checkpoint)
      return {
        next(want) {
          const page = rows.slice(at, at + want)
          at += Math.max(0, page.length - 1)
          return page.length === 0 ? undefined : { rows: page, examined: page.length, checkpoint: String(at) }
        },
        close: () => undefined,
      }
    },
  })),
  wrongReads('a scan gives its last page again and again', 'ADAPTER-3', (store) => ({
    scan(slice, options) {
      const source = store.scan(slice, options)
      let last: Page | undefined
      return {
        next(want) {
          last = (source.next(want) as Page | undefined) ?? last
          return last
        },
        close: () => undefined,
      }
    },
  })),
  wrongReads('a full scan returns to its first checkpoint after the second one', 'ADAPTER-5', (store) => ({
    fullScan(_, options) {
      const rows = drained(store.fullScan(undefined, options))
      let at = 0
      return {
        next(want) {
          const page = rows.slice(0, want)
          return page.length === 0 ? undefined : { rows: page, examined: page.length, checkpoint: String(at++ % 2) }
        },
        close: () => undefined,
      }
    },
  })),
  wrongReads('a full scan ends with empty pages for ever', 'ADAPTER-5', (store) => ({
    fullScan(after, options) {
      const source = store.fullScan(after, options)
      let checkpoint = after ?? 'start'
      return {
        next(want) {
          const page = source.next(want) as Page | undefined
          checkpoint = page?.checkpoint ?? checkpoint
          return page ?? { rows: [], examined: 0, checkpoint }
        },
        close: () => undefined,
      }
    },
  })),
  wrongReads('a scan ends with empty pages for ever', 'ADAPTER-3', (store) => ({
    scan(slice, options) {
      const source = store.scan(slice, options)
      return { next: (want) => source.next(want) ?? { rows: [], examined: 0 }, close: () => undefined }
    },
  })),
]

/** Changes pages that are as long as was wanted. */
function onceFull(source: PageSource, change: (page: Page) => Page): PageSource {
  return {
    next(want) {
      const page = source.next(want)
      if (isPromise(page) || page === undefined) return page
      return page.rows.length < want ? page : change(page)
    },
    close: () => undefined,
  }
}
