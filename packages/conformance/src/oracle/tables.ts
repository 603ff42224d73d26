import type { Repository } from '@rowkey/mapper'
import type { TableSchema } from '@rowkey/model'
import type { Adapter } from '@rowkey/store'
import { createMapper } from '@rowkey/mapper'
import { counting, type Work } from './counting-adapter.js'
import { now, type OracleRow } from './case.js'
import { schemasOf, type OracleLayout } from './layout.js'

/** Two tables with the same rows under different salts, and what reaches the store. */
export interface OracleTables {
  readonly rows: Repository<TableSchema>
  readonly rebucketed: Repository<TableSchema>
  readonly work: Work
  put(row: OracleRow): Promise<void>
  drop(): Promise<void>
}

/** `put()` of any table: whether rows expire is known at run time. */
interface Puts {
  put(row: object, options?: { readonly expiresAt: Date | null }): Promise<unknown>
}

/** Makes the tables of a layout and fills them. */
export async function makeTables(base: Adapter, prefix: string, layout: OracleLayout, stored: readonly OracleRow[]): Promise<OracleTables> {
  const { adapter, work } = counting(base)
  const db = createMapper(adapter, { prefix, clock: () => now })
  const schemas = schemasOf(layout)
  await db.ensureTables(schemas)
  const [rows, rebucketed] = [db.repository(schemas[0]), db.repository(schemas[1])]
  const tables: OracleTables = {
    rows,
    rebucketed,
    work,
    async put({ values, expires }) {
      const options = layout.expires ? { expiresAt: expires === null ? null : new Date(expires) } : undefined
      for (const each of [rows, rebucketed] as readonly unknown[] as readonly Puts[]) await each.put(values, options)
    },
    async drop() {
      for (const schema of schemas) await db.dropTable(schema)
    },
  }
  for (const row of stored) await tables.put(row)
  return tables
}
