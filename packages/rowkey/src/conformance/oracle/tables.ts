import { createMapper, type Repository } from '#mapper'
import type { TableSchema } from '#model'
import type { Adapter } from '#store/adapter'
import { bounded } from '../bounded.js'
import { counting, type Work } from './counting-adapter.js'
import { now, type OracleRow } from './case.js'
import { schemasOf, type OracleLayout } from './layout.js'
import { withoutPeriods } from './periods.js'
import type { Row } from './conditions.js'

/** Two tables with the same rows under different salts, and a count of what reaches the store. */
export interface OracleTables {
  readonly rows: Repository<TableSchema>
  readonly rebucketed: Repository<TableSchema>
  readonly work: Work
  /** Whether the store reads backwards. */
  readonly readsBack: boolean
  put(rows: readonly OracleRow[]): Promise<void>
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
  const keyOf = ({ values }: OracleRow): Row => Object.fromEntries(layout.key.map(({ name }) => [name, values[name]]))
  return {
    rows,
    rebucketed,
    work,
    readsBack: base.capabilities.reverse,
    async put(given) {
      const operations = given.flatMap(({ values, expires }) => {
        const options = layout.expires ? { expires: expires === null ? null : new Date(expires) } : {}
        return [rows.ops.put(withoutPeriods(layout.key, values), options), rebucketed.ops.put(values, options)]
      })
      await db.write(operations)
    },
    async remove(given) {
      await db.write(given.flatMap((row) => [rows.ops.delete(keyOf(row)), rebucketed.ops.delete(keyOf(row))]))
    },
    async drop() {
      for (const schema of schemas) await db.dropTables([schema])
    },
  }
}
