import { HBaseError } from '../error.js'
import type { Settings } from '../options.js'
import { int32 } from '../thrift/read.js'
import { Writer } from '../thrift/writer.js'
import { Pending } from './pending.js'

const call = 'getThriftServerType'

/** What a gateway says that speaks Thrift2. */
export const thrift2 = 2

/** The question with which a connection begins. A gateway of another transport or protocol says nothing to it, or hangs up. */
export function handshakeOf(isFramed: boolean): Pending<number> {
  const writer = new Writer(isFramed)
  writer.begin(call, 0)
  return new Pending(call, 0, writer.finish(), int32)
}

/** Why calls cannot be sent. */
export interface Unreachable {
  readonly problem: string
  readonly cause: Error | undefined
}

/** Tells what was tried and what may be wrong. `firstBytes`: what came instead of an answer. */
export function unreachable(settings: Settings, reason: string, firstBytes: Uint8Array | undefined, cause?: Error): Unreachable {
  const { host, port, transport, tls } = settings
  const tried = `${host}:${port} (transport '${transport}', ${tls === undefined ? 'without TLS' : 'with TLS'})`
  const code = codeOf(cause)
  const why = `${reason}${code === '' ? '' : ` (${code})`}`.replace(/\.$/, '')
  return { problem: `was not sent: no Thrift2 gateway at ${tried}: ${why}. ${remedyFor(settings, firstBytes, code)}`, cause }
}

/** What Node calls the failure of a connection, such as `ECONNREFUSED`. */
function codeOf(error: Error | undefined): string {
  const { code } = ((error instanceof HBaseError ? error.cause : error) ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : ''
}

const isOfNetwork = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/
const isOfCertificate = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS/

function remedyFor({ transport, tls, host, port }: Settings, firstBytes: Uint8Array | undefined, code: string): string {
  if (isOfNetwork.test(code)) return `Start it ("hbase thrift2 start"), or correct host and port (${host}:${port}).`
  if (isOfCertificate.test(code)) return "Its certificate is not trusted: give the authority's in tls.ca, and the name in tls.servername."
  if (tls !== undefined && /WRONG_VERSION|EPROTO|SSL/.test(code)) return 'It speaks no TLS: leave out the option tls.'
  const seen = firstBytes === undefined ? undefined : transportOf(firstBytes)
  if (seen === 'tls') return 'It speaks TLS: give the option tls.'
  if (seen !== undefined && seen !== transport) return `What came looks like transport '${seen}': give that.`
  const others = (['unframed', 'framed', 'http'] as const).filter((other) => other !== transport)
  return (
    `If a gateway runs there, it may have been started with another transport: try ${others.map((other) => `'${other}'`).join(' or ')}` +
    `${transport === 'http' ? '' : ', and without its option -c (compact protocol)'}, ${tls === undefined ? 'with' : 'without'} TLS. ` +
    'It must be "hbase thrift2", not "hbase thrift". If all its threads are taken, it accepts connections and stays silent.'
  )
}

/** Whether the first bytes tell that an answer will never come. */
export function isOfOther({ transport }: Settings, firstBytes: Uint8Array): boolean {
  const seen = transportOf(firstBytes)
  return seen !== undefined && seen !== transport
}

/** The transport that the first bytes belong to. */
function transportOf(bytes: Uint8Array): 'unframed' | 'framed' | 'http' | 'tls' | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 6))
  if (head.toString('latin1').startsWith('HTTP/')) return 'http'
  if (head.length < 2) return undefined
  if (head[0] === 0x15 && head[1] === 3) return 'tls'
  if (head.readUInt16BE(0) === 0x8001) return 'unframed'
  return head.length === 6 && head.readUInt16BE(4) === 0x8001 ? 'framed' : undefined
}
