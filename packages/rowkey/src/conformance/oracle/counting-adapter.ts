// Tested by test/oracle/work.test.ts.
import { type Adapter, isPromise, type Page, type PageSource, type Slice, type TableSchema } from '#store/adapter'
import { check } from '../check.js'
import { delegate, delegateTable } from '../delegate.js'

/** What reached the store. */
export interface Work {
  scans: number
  keys: number
  /** Pages requested. */
  requests: number
  examined: number
  /** The largest request, in rows. */
  widest: number
}

/** An adapter that counts requests and the rows that were read. */
export function counting(adapter: Adapter): { readonly adapter: Adapter; readonly work: Work } {
  const work: Work = { scans: 0, keys: 0, requests: 0, examined: 0, widest: 0 }
  const counted = delegate(adapter, {
    table(schema, catalog) {
      const store = adapter.table(schema, catalog)
      return delegateTable(store, {
        get(keys, options) {
          work.keys += keys.length
          return store.get(keys, options)
        },
        scan(slice, options) {
          work.scans++
          check(isOfOnePartition(schema, slice), 'a slice lies in one partition')
          return countedSource(store.scan(slice, options), work)
        },
      })
    },
  })
  return { adapter: counted, work }
}

/** Whether both ends of a slice have the same values in the partition columns. */
function isOfOnePartition({ layout, partitionLength }: TableSchema, { from, to }: Slice): boolean {
  for (let at = 0; at < partitionLength; at++) {
    const [low, high] = [from.prefix[at], to.prefix[at]]
    if (low === undefined || high === undefined || layout.column(at).compare(low, high) !== 0) return false
  }
  return true
}

function countedSource(source: PageSource, work: Work): PageSource {
  const count = (page: Page | undefined): Page | undefined => {
    if (page === undefined) return undefined
    work.examined += page.examined
    check(page.examined >= page.rows.length, `a page says that it examined ${page.examined} rows and returns ${page.rows.length}`)
    return page
  }
  return {
    next(want) {
      work.requests++
      work.widest = Math.max(work.widest, want)
      const answer = source.next(want)
      return isPromise(answer) ? answer.then(count) : count(answer)
    },
    close: () => {
      source.close()
    },
  }
}
