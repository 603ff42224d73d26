import { isRowkeyError, RowkeyError, type Mutation, type Outcome } from '@rowkey/store'
import { CommandError } from './commands.js'
import type { RedisTable } from './table-store.js'
import type { Fate } from './write-queue.js'

const applied: Outcome = Object.freeze({ kind: 'applied' })
const missing: Outcome = Object.freeze({ kind: 'missing' })
export const unprocessed: Outcome = Object.freeze({ kind: 'unprocessed' })

/** What Redis says when it cannot write now and may soon: it is loading, failing over, moving a slot, or busy with a script. */
const passing = new Set(['LOADING', 'CLUSTERDOWN', 'MASTERDOWN', 'TRYAGAIN', 'MOVED', 'ASK', 'BUSY', 'READONLY', 'NOREPLICAS'])

/** The outcome of a mutation whose change had this fate. */
export function outcomeOf(fate: Fate, mutation: Mutation, table: RedisTable): Outcome {
  switch (fate) {
    case 'a':
      return applied
    case 'c':
      return { kind: 'conflict' }
    case 'm':
      return missing
    case 's':
      return unprocessed // others were faster, again and again
    case 'x':
      return { kind: 'failed', cause: unreadable(table) }
    default:
      if (fate instanceof CommandError) return unansweredOutcome(fate)
      return fate instanceof Error ? { kind: 'failed', cause: fate } : conflict(mutation, table, fate.current)
  }
}

/** With the row that is there, unless its columns are unreadable: that it is there stands at its head. */
function conflict({ row }: Mutation, table: RedisTable, record: Buffer): Outcome {
  try {
    return { kind: 'conflict', current: table.rowOf(row, record) }
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    return { kind: 'conflict' }
  }
}

/** The outcome of everything that a command would have written. */
export function unansweredOutcome({ state, word, cause }: CommandError): Outcome {
  if (state === 'open' || state === 'broken') return { kind: 'unknown', cause }
  // Out of memory, a disk that is full, no permission: it has to be mended, and the caller to be told.
  return state === 'unsent' || passing.has(word) ? unprocessed : { kind: 'failed', cause }
}

function unreadable({ schema: { name } }: RedisTable): RowkeyError<'CORRUPT_ROW'> {
  const message = `a stored row of '${name}' cannot be read: its record has no expiry and version. Put the row again, or delete it.`
  return new RowkeyError('CORRUPT_ROW', message, { table: name, column: '' })
}
