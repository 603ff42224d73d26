import { isPromise, type Adapter, type Page, type PageSource, type Row, type Slice, type TableSchema } from 'rowkey/adapter'
import { delegate, delegateTable } from '../../../packages/rowkey/src/conformance/delegate.js'

/** What was found out about pages. */
export interface Checked {
  pages: number
  /** Rows that the server left out. */
  dropped: number
}

/**
 * The adapter, each page of which is compared with the keys of its table: it must say how many rows it has examined, and the last of them. For tables
 * of which a bucket is one tablet, and whose rows nobody writes at the same time.
 */
export function exact(adapter: Adapter): { readonly adapter: Adapter; readonly checked: Checked } {
  const checked: Checked = { pages: 0, dropped: 0 }
  const counted = delegate(adapter, {
    table(schema, catalog) {
      const store = adapter.table(schema, catalog)
      return delegateTable(store, {
        scan(slice, options) {
          const source = store.scan(slice, options)
          const all = options.columns?.length === 0 ? undefined : keysOf(store.scan({ ...slice, filter: [] }, { ...options, columns: [] }))
          return checkedPages(schema, slice, source, all, checked)
        },
      })
    },
  })
  return { adapter: counted, checked }
}

/** All keys of a slice, without any condition. */
async function keysOf(source: PageSource): Promise<readonly Row[]> {
  const keys: Row[] = []
  for (let page = await source.next(1000); page !== undefined; page = await source.next(1000)) keys.push(...page.rows)
  return keys
}

function checkedPages(
  { layout }: TableSchema,
  slice: Slice,
  source: PageSource,
  all: Promise<readonly Row[]> | undefined,
  checked: Checked,
): PageSource {
  let at = 0
  const check = async (page: Page | undefined): Promise<Page | undefined> => {
    if (all === undefined) return page
    const keys = await all
    if (page === undefined) {
      if (at !== keys.length) throw new Error(`a scan ends after ${at} of ${keys.length} rows of a slice of bucket ${slice.bucket}`)
      return undefined
    }
    at += page.examined
    checked.pages++
    checked.dropped += page.examined - page.rows.length
    const last = page.last ?? (page.exhausted === true ? undefined : page.rows.at(-1))
    const there = keys[at - 1]
    if (at > keys.length) throw new Error(`${at} rows examined, and there are ${keys.length}`)
    if (page.exhausted === true && at !== keys.length) throw new Error(`exhausted after ${at} of ${keys.length} rows`)
    if (last !== undefined && (there === undefined || layout.compareRows(there, last) !== 0))
      throw new Error(`the last of ${at} examined rows is another one`)
    return page
  }
  return {
    next(want) {
      const answer = source.next(want)
      return isPromise(answer) ? answer.then(check) : check(answer)
    },
    close: () => source.close(),
  }
}
