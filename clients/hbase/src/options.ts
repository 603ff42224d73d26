import type { ConnectionOptions } from 'node:tls'
import { HBaseError } from './error.js'
import { kindOf } from './encode/limits.js'
import { show } from './show.js'

/** Options of an {@link HBaseClient}. */
export interface HBaseClientOptions {
  /** Where the Thrift2 gateway is. Default `127.0.0.1`. */
  readonly host?: string | undefined
  /** Default 9090. */
  readonly port?: number | undefined
  /** How the gateway was started: `unframed` (default) is its own default, `framed` is `-f` and `http` is `hbase.regionserver.thrift.http`. */
  readonly transport?: 'unframed' | 'framed' | 'http' | undefined
  /** `http` only. Default `/`. */
  readonly path?: string | undefined
  /** `http` only: of every request, such as `ACCESSKEYID` and `ACCESSSIGNATURE` of managed services. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** True, or what `tls.connect` takes. Default: no TLS. With `http` it is HTTPS. */
  readonly tls?: boolean | ConnectionOptions | undefined
  /** Max connections; the gateway has a thread for each. Default 8. */
  readonly connections?: number | undefined
  /** Milliseconds for a call, unless it has a limit of its own. Default 60,000. */
  readonly timeout?: number | undefined
  /** Milliseconds until a new connection is open and has answered what it is. Default 10,000. */
  readonly connectTimeout?: number | undefined
  /** Milliseconds until a connection without calls is closed. Default 30,000: the gateway closes it after 60,000. */
  readonly idleTimeout?: number | undefined
  /** Max bytes of an answer. Default 256 MiB. */
  readonly maxAnswerBytes?: number | undefined
  /** Max bytes of a request. Default 2 MiB if `framed`, where the gateway closes the connection on a larger one, and otherwise 1 GiB. */
  readonly maxRequestBytes?: number | undefined
}

/** Options with their defaults, after all checks. */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly transport: 'unframed' | 'framed' | 'http'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly tls: ConnectionOptions | undefined
  readonly connections: number
  readonly timeout: number
  readonly connectTimeout: number
  readonly idleTimeout: number
  readonly maxAnswerBytes: number
  readonly maxRequestBytes: number
}

const mebibyte = 2 ** 20
/** Node's timers take no more. */
const maxDelay = 2 ** 31 - 1
const known: Readonly<Record<keyof Settings, true>> = {
  host: true,
  port: true,
  transport: true,
  path: true,
  headers: true,
  tls: true,
  connections: true,
  timeout: true,
  connectTimeout: true,
  idleTimeout: true,
  maxAnswerBytes: true,
  maxRequestBytes: true,
}

/** Checked options. @throws HBaseError with `INVALID_ARGUMENT` that names the option */
export function settingsOf(options: HBaseClientOptions): Settings {
  if (typeof options !== 'object' || options === null) {
    throw new HBaseError('INVALID_ARGUMENT', `The options are ${kindOf(options)}. Give an object.`, { isSent: false })
  }
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) throw wrong(show(name), `does not exist. Options are ${Object.keys(known).join(', ')}`)
  }
  const { host = '127.0.0.1', transport = 'unframed', path, headers, tls = false } = options
  if (typeof host !== 'string' || host === '' || /[\s/@?#]/.test(host)) throw wrong('host', 'is no host. Give a name or an address alone')
  if (transport !== 'unframed' && transport !== 'framed' && transport !== 'http') {
    throw wrong('transport', "is none of 'unframed', 'framed' and 'http'")
  }
  if (transport !== 'http' && (path !== undefined || headers !== undefined)) {
    throw wrong(path === undefined ? 'headers' : 'path', `is for transport 'http' only, and it is '${transport}'`)
  }
  if (typeof tls !== 'boolean' && (typeof tls !== 'object' || tls === null)) throw wrong('tls', `is ${kindOf(tls)}. Give true or an object`)
  return Object.freeze({
    host,
    port: wholeNumber(options, 'port', 9090, 1, 65_535),
    transport,
    path: checkedPath(path),
    headers: checkedHeaders(headers),
    tls: tls === false ? undefined : tls === true ? {} : { ...tls },
    connections: wholeNumber(options, 'connections', 8, 1, 1_000),
    timeout: wholeNumber(options, 'timeout', 60_000, 1, maxDelay),
    connectTimeout: wholeNumber(options, 'connectTimeout', 10_000, 1, maxDelay),
    idleTimeout: wholeNumber(options, 'idleTimeout', 30_000, 1, maxDelay),
    maxAnswerBytes: wholeNumber(options, 'maxAnswerBytes', 256 * mebibyte, 1_024, 2 ** 31 - 1),
    maxRequestBytes: wholeNumber(options, 'maxRequestBytes', transport === 'framed' ? 2 * mebibyte : 1_024 * mebibyte, 1_024, 2 ** 31 - 1),
  })
}

function checkedPath(path = '/'): string {
  if (typeof path !== 'string' || !/^\/[\u0021-\u007e]*$/.test(path)) {
    throw wrong('path', "is no path. It begins with '/' and has no spaces; other characters than ASCII are escaped by '%'")
  }
  return path
}

/** Values may be secrets: they are not shown. */
function checkedHeaders(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw wrong('headers', `is ${kindOf(headers)}. Give an object`)
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw wrong('headers', `has the name ${show(name)}, which HTTP does not allow`)
    if (/^(content-length|transfer-encoding|connection|host)$/i.test(name))
      throw wrong('headers', `has ${show(name)}, which the client itself sets`)
    if (typeof value !== 'string' || !/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)) {
      throw wrong('headers', `has a value for ${show(name)} that HTTP does not allow`)
    }
  }
  return { ...headers }
}

type Numeric = { [Name in keyof Settings]: Settings[Name] extends number ? Name : never }[keyof Settings]

function wholeNumber(options: HBaseClientOptions, name: Numeric, otherwise: number, min: number, max: number): number {
  const value = options[name] ?? otherwise
  if (typeof value !== 'number') throw wrong(name, `is ${kindOf(value)}. Give a number`)
  if (!Number.isInteger(value) || value < min || value > max) throw wrong(name, `is ${value}. Give a whole number from ${min} to ${max}`)
  return value
}

const wrong = (name: string, problem: string): HBaseError =>
  new HBaseError('INVALID_ARGUMENT', `The option ${name} ${problem}.`, { isSent: false })
