import {
  newCatalog,
  type Adapter,
  type Mutation,
  type Outcome,
  type ReadOptions,
  type Row,
  type TableCatalog,
  type TableSchema,
  type TableStore,
  type WriteOptions,
} from 'rowkey/adapter'
import { needsBucket, secondForm } from '../src/keys.js'

export const strong: ReadOptions = { consistency: 'strong' }

/** A mutation of one table. */
export type Change = Mutation extends infer M ? (M extends Mutation ? Omit<M, 'schema'> : never) : never

export interface Opened {
  readonly schema: TableSchema
  readonly store: TableStore
  write(batch: readonly Change[], options?: Partial<WriteOptions>): Promise<readonly Outcome[]>
  /** Puts rows, which must be applied. */
  put(...rows: readonly Row[]): Promise<void>
  get(...key: Row): Promise<Row | undefined>
  /** All rows of a bucket and a partition. */
  scan(options?: { readonly bucket?: number; readonly partition?: Row; readonly reverse?: boolean }): Promise<readonly Row[]>
}

/** Makes a table and opens it for calls of the adapter. */
export async function open(adapter: Adapter, schema: TableSchema, now: () => number = Date.now): Promise<Opened> {
  return opened(adapter, schema, await adapter.ensureTable(schema), now)
}

/** The catalog of a table that is made now. */
const catalogOf = (schema: TableSchema): TableCatalog =>
  needsBucket(schema) ? newCatalog(schema) : { ...newCatalog(schema), store: secondForm }

/** Opens a table that is there, by its catalog. */
export function opened(adapter: Adapter, schema: TableSchema, catalog = catalogOf(schema), now: () => number = Date.now): Opened {
  const store = adapter.table(schema, catalog)
  const write = async (batch: readonly Change[], options: Partial<WriteOptions> = {}): Promise<readonly Outcome[]> =>
    adapter.write(
      batch.map((change): Mutation => ({ ...change, schema })),
      { now: now(), ...options },
    )
  return {
    schema,
    store,
    write,
    async put(...rows) {
      const outcomes = await write(rows.map((row): Change => ({ kind: 'put', row })))
      const bad = outcomes.find(({ kind }) => kind !== 'applied')
      if (bad !== undefined) throw new Error(`a put is ${bad.kind}`, { cause: 'cause' in bad ? bad.cause : undefined })
    },
    get: async (...key) => (await store.get([key], strong))[0],
    async scan({ bucket = 0, partition = [], reverse = false } = {}) {
      const source = store.scan(
        { bucket, from: { prefix: partition, edge: 'before' }, to: { prefix: partition, edge: 'after' }, reverse },
        strong,
      )
      const rows: Row[] = []
      for (;;) {
        const page = await source.next(7)
        if (page === undefined) return rows
        rows.push(...page.rows)
      }
    },
  }
}

export const kinds = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ kind }) => kind)
