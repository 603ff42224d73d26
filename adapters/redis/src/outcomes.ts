import { applied, conflict, failed, heldRow, missing, type Outcome, RowkeyError, unknown, unprocessed } from 'rowkey/adapter'
import type { Prepared } from './changes.js'
import { CommandError } from './client/commands.js'
import { isRefusal } from './errors.js'
import type { ScriptResult } from './shards/write-queue.js'

/** Errors of Redis that pass by themselves: it is loading, failing over, moving a slot, or busy with a script. */
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
      return unprocessed // other writes were faster each time
    case 'unreadable':
      return failed(unreadable(prepared))
    default:
      if (result instanceof CommandError) return outcomeOfError(result)
      return result instanceof Error ? failed(result) : conflictWith(result.conflicting, prepared)
  }
}

/** A conflict with the existing row. If its columns cannot be read, a conflict without it: the script could read that the row exists. */
const conflictWith = (record: Buffer, { mutation, table }: Prepared): Outcome =>
  conflict(heldRow(() => table.rows.rowOf(mutation.row, record)))

/** The outcome of all mutations of a command. */
function outcomeOfError(error: CommandError): Outcome {
  const { state, word, message, cause } = error
  if (state === 'unsent') return unprocessed
  if (state === 'refused') {
    if (passing.has(word) || message.startsWith('ERR max number of clients')) return unprocessed
    // Out of memory, a full disk, no permission: repeating does not help, so the caller gets the error.
    if (isRefusal(error)) return failed(cause)
  }
  return unknown(cause) // also for an error of a proxy, which may have passed the command on
}

/** The outcome of an update whose row could not be read. Nothing was written, so it is never unknown. */
export function outcomeOfRead(cause: unknown): Outcome {
  if (!(cause instanceof CommandError)) return failed(cause)
  return cause.state === 'refused' && isRefusal(cause) ? failed(cause.cause) : unprocessed
}

function unreadable({ table }: Prepared): RowkeyError<'CORRUPT_ROW'> {
  const { name } = table.schema
  const message = `a stored row of '${name}' cannot be read: its record has no expiry and version. Put the row again, or delete it.`
  return new RowkeyError('CORRUPT_ROW', message, { table: name, column: '' })
}
