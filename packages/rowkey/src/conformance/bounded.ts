import { type Adapter, isPromise, type Page, type PageSource } from '#store/adapter'
import { RuleBroken } from './check.js'
import { delegate, delegateTable } from './delegate.js'
import { textOf } from './text-of.js'

/** Far more pages and rows than any source over the tables of this package returns. */
const max = 50_000

/**
 * An adapter whose sources always end. A synchronous source that returns the same page forever would block the process, and no timer of a
 * test runner could end it.
 */
export function bounded(adapter: Adapter): Adapter {
  return delegate(adapter, {
    table(schema, catalog) {
      const store = adapter.table(schema, catalog)
      return delegateTable(store, {
        scan: (slice, options) => boundedSource(store.scan(slice, options), 'ADAPTER-3: every page moves on, but a scan'),
        fullScan: (checkpoint, options) =>
          boundedSource(store.fullScan(checkpoint, options), 'ADAPTER-5: every row comes once, but a full scan'),
      })
    },
  })
}

function boundedSource(source: PageSource, what: string): PageSource {
  let pages = 0
  let rows = 0
  const count = (page: Page | undefined): Page | undefined => {
    if (page === undefined) return undefined
    pages++
    rows += page.rows.length
    if (pages <= max && rows <= max) return page
    const last = page.rows.length === 0 ? 'an empty page' : textOf(page.rows.at(-1))
    throw new RuleBroken(`${what} does not come to its end: ${pages} pages with ${rows} rows so far, the last is ${last}`)
  }
  return {
    next(want) {
      const answer = source.next(want)
      return isPromise(answer) ? answer.then(count) : count(answer)
    },
    close: () => {
      source.close()
    },
  }
}
