import type { Delete } from '@rowkey/hbase-client'
import { applied, type Outcome } from 'rowkey/adapter'
import { mutationsOf, type Replacement, type Requirement } from '../changes.js'
import type { TableContext } from '../context.js'
import { outcomeOf } from '../outcomes.js'

/**
 * Applies a change of a row if a check of the row holds at that time. refused: it does not. Usually nothing was written then. But if the gateway lost the
 * answer of a region server that had applied the change, it has sent it once more by itself, and the change has refused itself: the row
 * has its mark then.
 *
 * @param tried gets the mark of a change that was refused
 */
export async function applyIf(
  table: TableContext,
  check: Requirement,
  change: Replacement,
  tried: Uint8Array[],
): Promise<Outcome | 'refused'> {
  const { client, server } = table
  try {
    const isDone =
      change.clear === undefined && check.operator === 'equal'
        ? await client.checkAndPut(server.name, check.cell, change.put)
        : await client.checkAndMutate(server.name, check.cell, check.operator, mutationsOf(change))
    if (isDone) return applied
    tried.push(change.mark)
    return 'refused'
  } catch (error) {
    return await outcomeOf(table, error)
  }
}

/** Deletes a row if a check of it holds at that time. */
export async function deleteIf(table: TableContext, check: Requirement, deletion: Delete): Promise<Outcome | 'refused'> {
  const { client, server } = table
  try {
    return (await client.checkAndDelete(server.name, check.cell, deletion)) ? applied : 'refused'
  } catch (error) {
    return await outcomeOf(table, error)
  }
}
