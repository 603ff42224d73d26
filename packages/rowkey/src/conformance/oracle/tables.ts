// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { createMapper, type Repository } from '#mapper'
import type { TableSchema } from '#model'
import type { Adapter } from '#store/adapter'
import { bounded } from '../bounded.js'
import { counting, type Work } from './counting-adapter.js'
import { now, type OracleRow, type FormerRow } from './case.js'
import type { Row } from './conditions.js'
import { becomes } from './former-rows.js'
import { isExact } from './index-layout.js'
import { schemasOf, type OracleLayout } from './layout.js'
import { withoutPeriods } from './periods.js'
import { compareKeys } from './query.js'
import { WrittenEntries } from './written-entries.js'

/** Two tables with the same rows under different salts, and a count of what reaches the store. */
export interface OracleTables {
  readonly rows: Repository<TableSchema>
  readonly rebucketed: Repository<TableSchema>
  readonly work: Work
  /** Of the indexes of `rows`. */
  readonly entries: WrittenEntries
  /** Whether the store reads backwards. */
  readonly readsBack: boolean
  /** Puts the rows, after what was there before them. */
  put(rows: readonly OracleRow[], former?: readonly FormerRow[]): Promise<void>
  /** Puts a row into `rows` alone. */
  putFresh(row: Row): Promise<void>
  /** Deletes the rows, and all entries. */
  remove(rows: readonly OracleRow[]): Promise<void>
  drop(): Promise<void>
}

/** Makes the tables of a layout, without rows. */
export async function makeTables(base: Adapter, prefix: string, layout: OracleLayout): Promise<OracleTables> {
  const { adapter, work } = counting(bounded(base))
  const db = createMapper(adapter, { prefix, clock: () => now })
  const schemas = schemasOf(layout)
  await db.ensureTables(schemas)
  const [rows, rebucketed] = [db.repository(schemas[0]), db.repository(schemas[1])]
  const entries = new WrittenEntries(layout)
  /** When a row expires whose write does not say it. */
  const created = layout.expires ? now + (schemas[0].ttl ?? 0) : null
  const keyOf = ({ values }: OracleRow): Row => Object.fromEntries(layout.key.map(({ name }) => [name, values[name]]))
  const putAll = async (given: readonly OracleRow[]): Promise<void> => {
    await db.write(
      given.flatMap(({ values, expires }) => {
        const options = layout.expires ? { expires: expires === null ? null : new Date(expires) } : {}
        return [rows.ops.put(withoutPeriods(layout.key, values), options), rebucketed.ops.put(values, options)]
      }),
    )
    for (const row of given) entries.add(row)
  }
  const removeAll = async (given: readonly OracleRow[]): Promise<void> => {
    await db.write(given.flatMap((row) => [rows.ops.delete(keyOf(row)), rebucketed.ops.delete(keyOf(row))]))
    for (const { values } of given) entries.remove(values)
  }
  return {
    ...{ rows, rebucketed, work, entries },
    readsBack: base.capabilities.reverse,
    async put(given, former = []) {
      if (former.length === 0) return putAll(given)
      await putAll(former)
      const rowAfter = (old: FormerRow): OracleRow | undefined => given.find(({ values }) => compareKeys(layout, values, old.values) === 0)
      await removeAll(former.filter((old) => rowAfter(old) === undefined))
      const changed = await Promise.all(
        former.map(async (old) => {
          const row = rowAfter(old)
          if (row === undefined) return undefined
          const done = await Promise.all([rows, rebucketed].map((table) => becomes(table, layout, old, row)))
          entries.add(row)
          if (old.way === 'upsert' && !isExact(layout)) entries.add({ ...row, expires: created }) // what it would have created
          return done.every(Boolean) ? row : undefined
        }),
      )
      await putAll(given.filter((row) => !changed.includes(row)))
    },
    async putFresh(row) {
      await rows.put(row)
      entries.add({ values: row, expires: created })
    },
    async remove(given) {
      await removeAll(given)
      const ofEntries = schemas.flatMap((schema) =>
        schema.indexes.flatMap(({ schema: own }, at) => {
          const index = layout.indexes[at]
          const table = db.repository(own)
          return index === undefined ? [] : entries.keys(index).map((key) => table.ops.delete(key))
        }),
      )
      if (ofEntries.length > 0) await db.write(ofEntries)
      entries.clear()
    },
    async drop() {
      for (const schema of schemas) await db.dropTables([schema])
    },
  }
}
