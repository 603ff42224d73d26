import type { Repository } from '@rowkey/mapper'
import type { TableSchema } from '@rowkey/model'
import type { Adapter } from '@rowkey/store'
import { createMapper } from '@rowkey/mapper'
import { bounded } from '../bounded.js'
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

/** Makes the tables of a layout and fills them. */
export async function makeTables(base: Adapter, prefix: string, layout: OracleLayout, stored: readonly OracleRow[]): Promise<OracleTables> {
  const { adapter, work } = counting(bounded(base))
  const db = createMapper(adapter, { prefix, clock: () => now })
  const schemas = schemasOf(layout)
  await db.ensureTables(schemas)
  const [rows, rebucketed] = [db.repository(schemas[0]), db.repository(schemas[1])]
  const put = async (given: readonly OracleRow[]): Promise<void> => {
    const operations = given.flatMap(({ values, expires }) => {
      const options = layout.expires ? { expiresAt: expires === null ? null : new Date(expires) } : {}
      return [rows.op.put(values, options), rebucketed.op.put(values, options)]
    })
    await db.write(operations)
  }
  await put(stored)
  return {
    rows,
    rebucketed,
    work,
    put: (row) => put([row]),
    async drop() {
      for (const schema of schemas) await db.dropTable(schema)
    },
  }
}
