import type { Adapter } from 'rowkey/adapter'
import { delegate, delegateTable } from '../../packages/rowkey/src/conformance/delegate.js'

/** The same store without its filters: every condition is checked by the core. */
export function unfiltered(adapter: Adapter): Adapter {
  return delegate(adapter, {
    table(schema, catalog) {
      const store = adapter.table(schema, catalog)
      return delegateTable(store, { scan: ({ filter: _, ...slice }, options) => store.scan(slice, options) })
    },
  })
}
