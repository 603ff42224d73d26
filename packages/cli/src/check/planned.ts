// Tested by check.test.ts.
import type { Adapter, TableSchema } from 'rowkey/adapter'
import { checkup, type CheckupOptions } from 'rowkey/conformance'

/** Mutations of a rule after which it creates no other table. */
const maxWritten = 3000

/** The tables that a check creates, one after the other: those that it creates in memory. Nothing is connected. */
export async function plannedTables(
  options: Omit<CheckupOptions, 'createAdapter'>,
  memoryLike: () => Adapter,
): Promise<readonly TableSchema[]> {
  const tables = new Map<string, TableSchema>()
  const createAdapter = (): Adapter => {
    const adapter = memoryLike()
    const { ensureTable, write } = adapter
    let written = 0
    return Object.assign(adapter, {
      ensureTable(...given: Parameters<typeof ensureTable>) {
        if (!tables.has(given[0].name)) tables.set(given[0].name, given[0])
        return ensureTable.apply(adapter, given)
      },
      write(...given: Parameters<typeof write>) {
        written += given[0].length
        if (written > maxWritten) throw new Error('enough to know the tables')
        return write.apply(adapter, given)
      },
    })
  }
  await checkup({ ...options, createAdapter })
  return [...tables.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
