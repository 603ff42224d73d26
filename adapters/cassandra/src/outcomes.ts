import type { Outcome } from '@rowkey/store'
import { causesOf, isUnreachable, responseCodes, type DriverError } from './errors.js'

export const applied: Outcome = Object.freeze({ kind: 'applied' })
export const missing: Outcome = Object.freeze({ kind: 'missing' })
export const unprocessed: Outcome = Object.freeze({ kind: 'unprocessed' })

/**
 * What an error of the driver says of the write that was sent. Nothing is taken for surely not applied that may have been sent to a
 * replica: time-outs and cut connections leave it open, and the write may still come.
 */
export function outcomeOf(error: unknown, isConditional: boolean): Outcome {
  const kinds = causesOf(error).map((cause) => kindOf(cause, isConditional))
  if (kinds.includes('unknown')) return { kind: 'unknown', cause: error }
  return kinds.includes('failed') ? { kind: 'failed', cause: error } : unprocessed
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
      return message.includes('hints') ? 'unknown' : 'unprocessed' // with hints it had begun to send
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
