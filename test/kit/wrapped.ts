import type { TableSchema } from 'rowkey'
import type { Adapter, Capabilities, Mutation, Outcome, Page, PageSource, ReadOptions, Row, Slice, TableStore } from 'rowkey/adapter'

/** What a test puts in the place of an adapter's own answers; `inner` gives those. */
export interface Overrides {
  readonly capabilities?: Partial<Capabilities>
  scan?(slice: Slice, inner: () => PageSource, options: ReadOptions, schema: TableSchema): PageSource
  get?(keys: readonly Row[], inner: TableStore['get'], options: ReadOptions): ReturnType<TableStore['get']>
  write?(batch: readonly Mutation[], inner: () => ReturnType<Adapter['write']>): ReturnType<Adapter['write']>
  describeTable?(name: string, inner: () => ReturnType<Adapter['describeTable']>): ReturnType<Adapter['describeTable']>
}

/** An adapter with some of its answers replaced. */
export function wrapped(base: Adapter, overrides: Overrides): Adapter {
  return {
    name: 'stub',
    capabilities: { ...base.capabilities, ...overrides.capabilities },
    table(schema, catalog) {
      const store = base.table(schema, catalog)
      return {
        get: (keys, options) => overrides.get?.(keys, store.get.bind(store), options) ?? store.get(keys, options),
        scan: (slice, options) => overrides.scan?.(slice, () => store.scan(slice, options), options, schema) ?? store.scan(slice, options),
        fullScan: (checkpoint, options) => store.fullScan(checkpoint, options),
      }
    },
    write: (batch, options) => overrides.write?.(batch, () => base.write(batch, options)) ?? base.write(batch, options),
    ensureTable: (schema, options) => base.ensureTable(schema, options),
    describeTable: (name) => overrides.describeTable?.(name, () => base.describeTable(name)) ?? base.describeTable(name),
    dropTable: (name, options) => base.dropTable(name, options),
    close: () => base.close(),
  }
}

/** A source that gives these pages, one after the other; a function is called and may throw or wait. */
export function pagesOf(...pages: readonly (Page | (() => ReturnType<PageSource['next']>))[]): PageSource {
  let at = 0
  return {
    next() {
      const page = pages[at++]
      return typeof page === 'function' ? page() : page
    },
    close: () => undefined,
  }
}

/** A page of rows that are all there was to see. */
export const page = (...rows: Row[]): Page => ({ rows, examined: rows.length })

/** The same outcome for every mutation. */
export const always =
  (outcome: Outcome) =>
  (batch: readonly Mutation[]): readonly Outcome[] =>
    batch.map(() => outcome)
