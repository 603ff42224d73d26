// Tested by checkup.test.ts and test/stores/check.test.ts.
import { isRowkeyError } from '#codec'
import type { Adapter, TableSchema } from '#store/adapter'

/**
 * Drops a table of a checkup, if there is one. One whose creation was cut off is first completed, because a drop refuses a table without a catalog.
 *
 * @throws RowkeyError what the drop throws
 */
export async function dropScratch(adapter: Adapter, schema: TableSchema): Promise<void> {
  try {
    await adapter.dropTable(schema.name)
  } catch (error) {
    if (!isRowkeyError(error, 'SCHEMA_MISMATCH') && !isRowkeyError(error, 'TABLE_NOT_FOUND')) throw error
    await adapter.ensureTable(schema)
    await adapter.dropTable(schema.name)
  }
}
