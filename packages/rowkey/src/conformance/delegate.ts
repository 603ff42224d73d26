import type { Adapter, ChangeOptions, ReadOptions, TableStore } from '#store/adapter'

/** An adapter with some members replaced. All others are those of `adapter`, however it is built. */
export function delegate(adapter: Adapter, replaced: Partial<Adapter>): Adapter {
  return {
    name: adapter.name,
    capabilities: adapter.capabilities,
    ...(adapter.hints === undefined ? {} : { hints: adapter.hints }),
    ...(adapter.names === undefined ? {} : { names: adapter.names }),
    tableId: (schema, catalog) => adapter.tableId?.(schema, catalog),
    widens: (stored, wider) => adapter.widens?.(stored, wider) ?? true,
    table: (schema, catalog) => adapter.table(schema, catalog),
    write: (batch, options) => adapter.write(batch, options),
    ensureTable: (schema, options) => adapter.ensureTable(schema, options),
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
    ...(store.splits === undefined ? {} : { splits: (count: number, options: ReadOptions) => store.splits?.(count, options) ?? [] }),
    ...(store.purgeExpired === undefined
      ? {}
      : {
          purgeExpired: (now: number, limit: number, options?: ChangeOptions) =>
            store.purgeExpired?.(now, limit, options) ?? Promise.resolve(0),
        }),
    ...replaced,
  }
}
