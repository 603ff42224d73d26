import { applied, conflict, failed, isRowkeyError, missing, RowkeyError, unknown, unprocessed } from '@rowkey/store/adapter'
import type { Outcome } from '@rowkey/store/adapter'
import type { Prepared } from './changes.js'
import { CommandError } from './client/commands.js'
import type { ScriptResult } from './shards/write-queue.js'

/** What Redis says when it cannot write now and may soon: it is loading, failing over, moving a slot, or busy with a script. */
const passing = new Set(['LOADING', 'CLUSTERDOWN', 'MASTERDOWN', 'TRYAGAIN', 'MOVED', 'ASK', 'BUSY', 'READONLY', 'NOREPLICAS'])

/** The outcome of a mutation whose change had this result. */
export function outcomeOf(result: ScriptResult, prepared: Prepared): Outcome {
  switch (result) {
    case 'applied':
      return applied
    case 'conflict':
      return conflict()
    case 'missing':
      return missing
    case 'stale':
      return unprocessed // others were faster, again and again
    case 'unreadable':
      return failed(unreadable(prepared))
    default:
      if (result instanceof CommandError) return outcomeOfError(result)
      return result instanceof Error ? failed(result) : conflictWith(result.conflicting, prepared)
  }
}

/** With the row that is there, unless its columns are unreadable: that it is there stands at its head. */
function conflictWith(record: Buffer, { mutation, table }: Prepared): Outcome {
  try {
    return conflict(table.rows.rowOf(mutation.row, record))
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    return conflict()
  }
}

/** The outcome of everything that a command would have written. */
function outcomeOfError({ state, word, cause }: CommandError): Outcome {
  if (state === 'open' || state === 'broken') return unknown(cause)
  // Out of memory, a disk that is full, no permission: it has to be mended, and the caller to be told.
  return state === 'unsent' || passing.has(word) ? unprocessed : failed(cause)
}

/** The outcome of an update whose row could not be read: nothing was written, so nothing is open. */
export function outcomeOfRead(cause: unknown): Outcome {
  if (!(cause instanceof CommandError)) return failed(cause)
  return cause.state === 'refused' ? outcomeOfError(cause) : unprocessed
}

function unreadable({ table }: Prepared): RowkeyError<'CORRUPT_ROW'> {
  const { name } = table.schema
  const message = `a stored row of '${name}' cannot be read: its record has no expiry and version. Put the row again, or delete it.`
  return new RowkeyError('CORRUPT_ROW', message, { table: name, column: '' })
}
