// Tested by negotiation.test.ts.
import type { KuduErrorCode } from '../error.js'
import { Refused } from './refused.js'

/** Why calls cannot be sent. */
interface Unreachable {
  readonly code: KuduErrorCode
  readonly problem: string
  readonly status: string | undefined
}

/** Tells what was tried and what may be wrong. */
export function unreachable(address: string, reason: string, cause: Error | undefined): Unreachable {
  const [code, status] = cause instanceof Refused ? [cause.code, cause.status] : (['UNREACHABLE', undefined] as const)
  const inner = codeOf(cause?.cause) || codeOf(cause)
  const why = `${reason}${inner === '' ? '' : ` (${inner})`}${status === undefined ? '' : ` (${status})`}`.replace(/\.$/, '')
  return { code, status, problem: `was not sent: no connection to Kudu at ${address}: ${why}.${remedyFor(inner, status)}` }
}

/** What Node calls the failure, such as `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) && !(error instanceof Refused) ? code : ''
}

const isOfNetwork = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/
const isOfCertificate = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/

function remedyFor(code: string, status: string | undefined): string {
  if (isOfNetwork.test(code)) return ' Start it, or correct host and port. Masters listen to 7051 by default.'
  if (isOfCertificate.test(code)) return " Its certificate is not trusted: give the authority's in tls.ca."
  return status === 'FATAL_UNAUTHORIZED' ? ' Look at the options user, token and tls.' : ''
}
