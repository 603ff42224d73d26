import type { Adapter, TableStore } from '@rowkey/store'

/** An adapter with some members replaced; all others are those of `adapter`, whatever it is made of. */
export function delegate(adapter: Adapter, replaced: Partial<Adapter>): Adapter {
  return {
    name: adapter.name,
    capabilities: adapter.capabilities,
    ...(adapter.hints === undefined ? {} : { hints: adapter.hints }),
    table: (schema, catalog) => adapter.table(schema, catalog),
    write: (batch, options) => adapter.write(batch, options),
    ensureTable: (schema, found, options) => adapter.ensureTable(schema, found, options),
    describeTable: (name) => adapter.describeTable(name),
    dropTable: (name, options) => adapter.dropTable(name, options),
    close: () => adapter.close(),
    ...replaced,
  }
}

/** The reads of a table with some members replaced. */
export function delegateTable(store: TableStore, replaced: Partial<TableStore>): TableStore {
  return {
    get: (keys, options) => store.get(keys, options),
    scan: (slice, options) => store.scan(slice, options),
    fullScan: (checkpoint, options) => store.fullScan(checkpoint, options),
    ...(store.purgeExpired === undefined
      ? {}
      : { purgeExpired: (now: number, limit: number) => store.purgeExpired?.(now, limit) ?? Promise.resolve(0) }),
    ...replaced,
  }
}
