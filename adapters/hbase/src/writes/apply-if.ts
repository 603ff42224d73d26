import type { Delete } from '@rowkey/hbase-client'
import { applied, type Outcome } from '@rowkey/store/adapter'
import { mutationsOf, type Replacement, type Requirement } from '../changes.js'
import type { TableContext } from '../context.js'
import { outcomeOf } from '../outcomes.js'

/** Applies a change of a row if a check of the row holds at that time. refused: it does not, and nothing was written. */
export async function applyIf(table: TableContext, check: Requirement, change: Replacement): Promise<Outcome | 'refused'> {
  const { client, server } = table
  try {
    const isDone =
      change.clear === undefined && check.operator === 'equal'
        ? await client.checkAndPut(server.name, check, change.put)
        : await client.checkAndMutate(server.name, check, check.operator, mutationsOf(change))
    return isDone ? applied : 'refused'
  } catch (error) {
    return await outcomeOf(table, error)
  }
}

/** Deletes a row if a check of it holds at that time. */
export async function deleteIf(table: TableContext, check: Requirement, deletion: Delete): Promise<Outcome | 'refused'> {
  const { client, server } = table
  try {
    return (await client.checkAndDelete(server.name, check, deletion)) ? applied : 'refused'
  } catch (error) {
    return await outcomeOf(table, error)
  }
}
