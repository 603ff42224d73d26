import type { Adapter, Page, PageSource, TableStore } from '@rowkey/store'

/** What reached the store. */
export interface Work {
  scans: number
  keys: number
  /** Pages asked for. */
  requests: number
  examined: number
  /** The largest request, in rows. */
  widest: number
}

/** An adapter that counts what it is asked for and what it read. */
export function counting<A extends Adapter>(adapter: A): { readonly adapter: A; readonly work: Work } {
  const work: Work = { scans: 0, keys: 0, requests: 0, examined: 0, widest: 0 }
  const counted = Object.create(adapter, {
    table: {
      value: (...args: Parameters<Adapter['table']>): TableStore => {
        const store = adapter.table(...args)
        return {
          get(keys, options) {
            work.keys += keys.length
            return store.get(keys, options)
          },
          scan(slice, options) {
            work.scans++
            return countedSource(store.scan(slice, options), work)
          },
          fullScan: (checkpoint, options) => store.fullScan(checkpoint, options),
        }
      },
    },
  }) as A
  return { adapter: counted, work }
}

function countedSource(source: PageSource, work: Work): PageSource {
  const count = (page: Page | undefined): Page | undefined => {
    if (page !== undefined) {
      work.examined += page.examined
      if (page.examined < page.rows.length) throw new Error('examined fewer rows than it returned')
    }
    return page
  }
  return {
    next(want) {
      work.requests++
      work.widest = Math.max(work.widest, want)
      const answer = source.next(want)
      return answer instanceof Promise ? answer.then(count) : count(answer)
    },
    close: () => {
      source.close()
    },
  }
}
