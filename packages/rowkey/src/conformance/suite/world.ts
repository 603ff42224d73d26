// Tested by conformance.test.ts.
import { createMapper, type Mapper, type RepositoryOf } from '#mapper'
import { renameTable, type TableSchema } from '#model'
import type { Adapter, Mutation, Outcome, Row, TableCatalog, TableStore, WriteOptions } from '#store/adapter'
import { ensureTable } from '#store/engine'
import type { OpenAdapter } from '../open-adapter.js'
import { delegate } from '../delegate.js'
import { bounded } from '../bounded.js'
import { check } from '../check.js'
import { turn } from './patience.js'
import { silenced } from './silence.js'

/** A table as an adapter sees it: positional rows, slices, mutations. */
export interface OpenTable {
  readonly schema: TableSchema
  readonly catalog: TableCatalog
  readonly store: TableStore
  write(batch: readonly Change[], options?: Partial<WriteOptions>): Promise<readonly Outcome[]>
  /** Puts rows, which must be applied. */
  put(...rows: readonly Row[]): Promise<void>
  /** Deletes the rows of keys, which must be applied. */
  remove(...keys: readonly Row[]): Promise<void>
}

/** A mutation of one table. */
export type Change = Mutation extends infer M ? (M extends Mutation ? Omit<M, 'schema'> : never) : never

/** What a rule is tested on: an adapter, and tables that belong to the rule. */
export interface World {
  readonly adapter: Adapter
  readonly db: Mapper
  /** The prefix of the names of tables in this world. */
  readonly prefix: string
  /** The time of writes and reads, in epoch ms; a rule may set it. */
  readonly clock: { now: number }
  /** Whether the number of examined rows is checked; a store that reads whole blocks examines more. */
  readonly countWork: boolean
  /** Milliseconds after which an answer counts as missing. */
  readonly patience: number
  /** From now on the store answers nothing, until the function that this resolves to is called. */
  silence(): Promise<() => Promise<void>>
  /** Bytes between client and server so far; always 0 if nobody counts them. */
  traffic(): number
  /** Opens a table for calls of the adapter; creates or extends it first. */
  open(schema: TableSchema): Promise<OpenTable>
  /** Opens a table for an application; creates or extends it first. */
  repository<S extends TableSchema>(schema: S): Promise<RepositoryOf<S>>
  /** A table as other processes see it, whose writes do not wait for each other. The table is there. */
  processes<S extends TableSchema>(schema: S, count: number): readonly RepositoryOf<S>[]
  /** The schema under its name on this adapter. */
  named(schema: TableSchema): TableSchema
}

/** A world on an adapter, and the names of its tables. */
export function createWorld(
  session: OpenAdapter,
  prefix: string,
  patience: number,
  countWork: boolean,
): { readonly world: World; readonly names: ReadonlySet<string> } {
  const { adapter: given, silence } = silenced(session)
  const adapter = bounded(given)
  // Ahead of every clock, because a store may remove what has expired by its own clock.
  const clock = { now: Date.now() + 86_400_000 }
  const names = new Set<string>()
  const db = createMapper(adapter, { prefix, clock: () => clock.now })
  const named = (schema: TableSchema): TableSchema => {
    names.add(prefix + schema.name)
    return renameTable(schema, prefix + schema.name)
  }
  const world: World = {
    adapter,
    db,
    prefix,
    clock,
    patience,
    countWork,
    silence,
    traffic: () => session.traffic?.() ?? 0,
    named,
    async open(given) {
      const schema = named(given)
      await ensureTable(adapter, schema)
      const catalog = await adapter.describeTable(schema.name)
      check(catalog !== undefined, `describeTable('${schema.name}') knows nothing of the table that ensureTable() made`)
      return openTable(adapter, schema, catalog, clock)
    },
    async repository(schema) {
      names.add(prefix + schema.name)
      await db.ensureTables([schema])
      return db.repository(schema)
    },
    processes: (schema, count) =>
      Array.from({ length: count }, () => createMapper(delegate(adapter, {}), { prefix, clock: () => clock.now }).repository(schema)),
  }
  return { world, names }
}

function openTable(adapter: Adapter, schema: TableSchema, catalog: TableCatalog, clock: { readonly now: number }): OpenTable {
  const store = adapter.table(schema, catalog)
  const write = async (batch: readonly Change[], options: Partial<WriteOptions> = {}): Promise<readonly Outcome[]> =>
    adapter.write(
      batch.map((change): Mutation => ({ ...change, schema })),
      { now: clock.now, ...options },
    )
  const mustApply = async (batch: readonly Change[]): Promise<void> => {
    for (let at = 0; at < batch.length; at += 100) {
      let left = batch.slice(at, at + 100)
      for (let attempt = 0; left.length > 0; attempt++) {
        const outcomes = await write(left)
        const bad = outcomes.find(({ kind }) => kind !== 'applied' && kind !== 'unprocessed')
        check(bad === undefined, `a put or delete without a condition has the outcome ${bad?.kind}`)
        check(attempt < 200, 'what a store does not get to is applied at some time')
        left = left.filter((_, i) => outcomes[i]?.kind === 'unprocessed')
        if (left.length > 0) await turn()
      }
    }
  }
  return {
    schema,
    catalog,
    store,
    write,
    put: (...rows) => mustApply(rows.map((row): Change => ({ kind: 'put', row }))),
    remove: (...keys) => mustApply(keys.map((row): Change => ({ kind: 'delete', row }))),
  }
}
