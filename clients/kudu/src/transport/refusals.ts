// Tested by connection.test.ts.
import { decode } from '../proto/codec.js'
import { errorStatus } from '../proto/rpc.js'
import { printable } from '../show.js'
import type { Pending } from './pending.js'

const unauthorized: readonly string[] = [
  'FATAL_UNAUTHORIZED',
  'FATAL_INVALID_AUTHENTICATION_TOKEN',
  'FATAL_INVALID_JWT',
  'ERROR_INVALID_AUTHORIZATION_TOKEN',
]
/** The server began to execute it, or may have done so earlier. */
const unknown: readonly string[] = ['ERROR_APPLICATION', 'FATAL_UNKNOWN', 'ERROR_REQUEST_STALE']
const maxMessage = 500

/** What a server says, in one line that is not too long to read. */
export const said = (message: string): string => printable(message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message)

/** Settles a call that the server refused. `isFatal`: the connection ends with it. @throws MalformedAnswer */
export function refuse(pending: Pending, bytes: Uint8Array): { readonly isFatal: boolean; readonly isInDoubt: boolean } {
  const { message, code: status = 'FATAL_UNKNOWN' } = decode(errorStatus, bytes)
  const serverMessage = said(message)
  const isSent = pending.mayAct && unknown.includes(status)
  pending.fail(unauthorized.includes(status) ? 'NOT_AUTHORIZED' : 'SERVER', `was refused by the server: ${serverMessage} (${status}).`, {
    status,
    serverMessage,
    isSent,
  })
  return { isFatal: status.startsWith('FATAL_'), isInDoubt: isSent }
}
