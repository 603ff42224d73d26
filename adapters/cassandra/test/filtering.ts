import type { Adapter } from 'rowkey/adapter'
import { delegate, delegateTable } from '../../../packages/rowkey/src/conformance/delegate.js'

/** The adapter, with every table that may be filtered by the server. */
export function filtering(adapter: Adapter): Adapter {
  return delegate(adapter, {
    table(schema, catalog) {
      const store = adapter.table(schema, catalog)
      const hasPeriod = schema.columns.slice(0, schema.partitionLength).some(({ type }) => type.kind === 'period')
      if (!hasPeriod) return store
      const asked = adapter.table({ ...schema, stores: { cassandra: { filterPartitions: true } } }, catalog)
      return delegateTable(store, { scan: (slice, options) => asked.scan(slice, options) })
    },
  })
}
