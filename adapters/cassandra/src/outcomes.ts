// Tested by faults.test.ts.
import { failed, isRowkeyError, unknown, unprocessed, type Outcome } from 'rowkey/adapter'
import { causesOf, isColumnUnknown, isKeyUnfit, isTableGone, isUnreachable, responseCodes, type DriverError } from './errors.js'
import { whatIsGone, type Target } from './native-table.js'

/**
 * The outcome of a write for which the driver threw an error. If a replica may have received the write, its outcome is unknown: after a time-out
 * or a cut connection it may still be applied.
 */
export function outcomeOf(error: unknown, isConditional: boolean): Outcome {
  const kinds = causesOf(error).map((cause) => kindOf(cause, isConditional))
  if (kinds.includes('unknown')) return unknown(error)
  return kinds.includes('failed') ? failed(error) : unprocessed
}

type Kind = 'unknown' | 'unprocessed' | 'failed'

function kindOf(error: DriverError, isConditional: boolean): Kind {
  const { name, code, message = '' } = error
  if (typeof code === 'number' && name === 'ResponseError') return kindOfResponse(code, message, isConditional)
  if (error.isSocketError === true) return error.requestNotWritten === true ? 'unprocessed' : 'unknown'
  if (name === 'NoHostAvailableError' || name === 'BusyConnectionError' || error.syscall === 'connect') return 'unprocessed'
  if (isUnreachable(message)) return 'unprocessed'
  // The driver refuses parameters before it sends anything.
  if (name === 'TypeError' || name === 'RangeError' || name === 'ArgumentError' || name === 'NotSupportedError') return 'failed'
  return 'unknown'
}

function kindOfResponse(code: number, message: string, isConditional: boolean): Kind {
  switch (code) {
    case responseCodes.unavailable:
      // A conditional write needs replicas twice: to agree, and to commit what has been agreed upon. The answer does not say when it failed.
      return isConditional ? 'unknown' : 'unprocessed'
    case responseCodes.overloaded:
      return message.includes('hints') ? 'unknown' : 'unprocessed' // it had already begun to send
    case responseCodes.isBootstrapping:
    case responseCodes.unprepared:
      return 'unprocessed'
    case responseCodes.writeTimeout:
    case responseCodes.writeFailure:
    case responseCodes.readTimeout:
    case responseCodes.readFailure:
    case responseCodes.casWriteUnknown:
    case responseCodes.serverError:
      return 'unknown'
    default:
      return 'failed'
  }
}

/** Whether a server that was asked did not know the table, or a column of it. */
export const isNameUnknown = (error: unknown): boolean => isTableGone(error) || isColumnUnknown(error) || isKeyUnfit(error)

/** The outcome of a write with a name that the server does not know. Nothing was written. @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH` */
export async function unknownName(target: Target, error: unknown, isConditional: boolean): Promise<Outcome> {
  const outcome = outcomeOf(error, isConditional)
  if (outcome.kind === 'unknown') return outcome // one of several nodes may have begun to write
  const gone = await whatIsGone(target).catch(() => undefined)
  if (gone !== undefined) throw gone
  return isKeyUnfit(error) ? outcome : unprocessed
}

/** A read that a write depends on failed, so nothing was written. */
class NotSent extends Error {}

/** The outcome of each mutation of a request that threw. @throws RowkeyError `ATOMIC_SCOPE`, which is about the whole batch; errors that are not outcomes */
export function outcomeOfThrown(cause: unknown): Outcome {
  if (cause instanceof NotSent) return unprocessed
  if (!isRowkeyError(cause) || isRowkeyError(cause, 'ATOMIC_SCOPE')) throw cause
  return failed(cause)
}

/** @throws NotSent; a RowkeyError that a repetition would not change */
export async function beforeSending<T>(read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (cause) {
    if (isRowkeyError(cause) && cause.code !== 'STORE_UNAVAILABLE') throw cause
    throw new NotSent('nothing was written', { cause })
  }
}
