import { userInfo } from 'node:os'
import type { ConnectionOptions } from 'node:tls'
import { KuduError } from './error.js'
import { kindOf } from './refusal.js'
import { show } from './show.js'

/** Options of a {@link KuduClient}. */
export interface KuduClientOptions {
  /** `host:port` of each master; without a port it is 7051. */
  readonly masters: readonly string[]
  /** Who the servers take the client for; Kudu checks no password. Default: the user of the process. */
  readonly user?: string | undefined
  /** A JSON Web Token that says who the client is, instead of `user`. Needs `tls.ca`: only servers that can be trusted are shown it. */
  readonly token?: string | undefined
  /**
   * Default: TLS wherever servers have it, but to this machine only if they demand it. `true`: to this machine too, and servers without TLS are
   * refused. `false`: never. An object is as `true`, with what `tls.connect` takes: by `ca`, the certificates of the servers are verified (their
   * names are not, as Kudu's have none of hosts), and by nothing else.
   */
  readonly tls?: boolean | ConnectionOptions | undefined
  /** Milliseconds for a call with all its attempts, unless it has a limit of its own. Default 60,000. */
  readonly timeout?: number | undefined
  /** Milliseconds until a new connection is open and the server has let the user in. Default 10,000. */
  readonly connectTimeout?: number | undefined
  /** Milliseconds until a connection without calls is closed. Default 30,000: servers close it after 65,000. */
  readonly idleTimeout?: number | undefined
  /** Max bytes of an answer. Default 256 MiB. */
  readonly maxAnswerBytes?: number | undefined
}

/** Options with their defaults, after all checks. */
export interface Settings {
  readonly masters: readonly string[]
  readonly user: string
  readonly token: string | undefined
  readonly tls: { readonly use: 'default' | 'always' | 'never'; readonly options: ConnectionOptions }
  readonly timeout: number
  readonly connectTimeout: number
  readonly idleTimeout: number
  readonly maxAnswerBytes: number
}

const known: Readonly<Record<keyof KuduClientOptions, true>> = {
  masters: true,
  user: true,
  token: true,
  tls: true,
  timeout: true,
  connectTimeout: true,
  idleTimeout: true,
  maxAnswerBytes: true,
}
/** Node's timers take no more. */
const maxDelay = 2 ** 31 - 1
const defaultPort = 7051

/** Checked options. @throws KuduError with `INVALID_ARGUMENT` that names the option */
export function settingsOf(options: KuduClientOptions): Settings {
  if (typeof options !== 'object' || (options as object | null) === null) {
    throw new KuduError('INVALID_ARGUMENT', `The options are ${kindOf(options)}. Give an object.`, { isSent: false })
  }
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) throw wrong(show(name), `does not exist. Options are ${Object.keys(known).join(', ')}`)
  }
  return Object.freeze({
    masters: mastersOf(options.masters),
    user: userOf(options.user),
    token: tokenOf(options),
    tls: tlsOf(options.tls),
    timeout: wholeNumber(options, 'timeout', 60_000, 1, maxDelay),
    connectTimeout: wholeNumber(options, 'connectTimeout', 10_000, 1, maxDelay),
    idleTimeout: wholeNumber(options, 'idleTimeout', 30_000, 1, maxDelay),
    maxAnswerBytes: wholeNumber(options, 'maxAnswerBytes', 256 * 2 ** 20, 2 ** 20, 2 ** 31 - 1),
  })
}

function mastersOf(masters: readonly string[]): readonly string[] {
  if (!Array.isArray(masters) || masters.length === 0)
    throw wrong('masters', `is ${kindOf(masters)}. Give an array with "host:port" of each`)
  return [...new Set(masters.map(addressOf))]
}

/** A host with its port; an address with colons is in brackets. */
function addressOf(given: string): string {
  const match = typeof given === 'string' ? /^(\[[0-9a-fA-F:.]+\]|[^\s/@?#:[\]]+)(?::([0-9]{1,5}))?$/.exec(given) : null
  if (match === null) throw wrong('masters', `has ${typeof given === 'string' ? show(given) : kindOf(given)}. Give "host:port"`)
  const port = Number(match[2] ?? defaultPort)
  if (port < 1 || port > 65_535) throw wrong('masters', `has ${show(given)}. A port is from 1 to 65535`)
  return `${match[1] as string}:${port}`
}

function userOf(user: string = userOfProcess()): string {
  if (typeof user !== 'string') throw wrong('user', `is ${kindOf(user)}. Give a name`)
  if (user.trim() === '' || user.includes('\0')) throw wrong('user', 'is blank or has a character that Kudu does not take. Give a name')
  return user
}

function tlsOf(tls: KuduClientOptions['tls']): Settings['tls'] {
  if (tls === undefined) return { use: 'default', options: {} }
  if (typeof tls === 'boolean') return { use: tls ? 'always' : 'never', options: {} }
  if (typeof tls !== 'object' || (tls as object | null) === null) throw wrong('tls', `is ${kindOf(tls)}. Give true, false or an object`)
  return { use: 'always', options: { ...tls } }
}

/** It is a secret: it is not shown. */
function tokenOf({ token, tls }: KuduClientOptions): string | undefined {
  if (token === undefined) return undefined
  if (typeof token !== 'string' || token === '') throw wrong('token', 'is no text, or empty. Give a JSON Web Token')
  if (typeof tls !== 'object' || tls.ca === undefined) throw wrong('token', 'is given without tls.ca, by which servers can be trusted')
  return token
}

function userOfProcess(): string {
  try {
    return userInfo().username
  } catch {
    // Processes in containers may have a number without a name.
    return 'node'
  }
}

type Numeric = { [Name in keyof Settings]: Settings[Name] extends number ? Name : never }[keyof Settings]

function wholeNumber(options: KuduClientOptions, name: Numeric, otherwise: number, min: number, max: number): number {
  const value = options[name] ?? otherwise
  if (typeof value !== 'number') throw wrong(name, `is ${kindOf(value)}. Give a number`)
  if (!Number.isInteger(value) || value < min || value > max) throw wrong(name, `is ${value}. Give a whole number from ${min} to ${max}`)
  return value
}

const wrong = (name: string, problem: string): KuduError =>
  new KuduError('INVALID_ARGUMENT', `The option ${name} ${problem}.`, { isSent: false })
