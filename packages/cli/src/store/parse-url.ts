// Tested by stores-url.test.ts.
import { Failure } from '../failure.js'

/** Where a store is, without its credentials. */
export interface StoreUrl {
  readonly scheme: string
  /** As it may be printed: it has no password, because one with a password is refused. */
  readonly text: string
  /** A path for `lmdb:`, else hosts with their ports. */
  readonly place: string
  /** After the first slash: a database, a keyspace, a namespace. */
  readonly inside: string
  readonly parameters: ReadonlyMap<string, string>
}

/** What each store takes after `?`. */
const parametersOf: Readonly<Record<string, readonly string[]>> = {
  lmdb: [],
  redis: ['prefix'],
  rediss: ['prefix'],
  dynamodb: ['prefix', 'region', 'transactions', 'nativeTtl', 'segments'],
  cassandra: ['prefix', 'datacenter'],
  hbase: ['prefix', 'transport', 'profile', 'tls'],
}

const forms =
  'Give lmdb:FOLDER, redis://host:port/0, rediss://host:port/0, dynamodb://region, dynamodb://host:port?region=, ' +
  'cassandra://host:port,host/keyspace?datacenter= or hbase://host:port/namespace?transport='

/**
 * The parts of a URL. No message repeats the URL, because it may contain a password in a place where none is expected.
 *
 * @throws Failure
 */
export function parseUrl(given: string): StoreUrl {
  const [, scheme = '', rest = ''] = /^([a-z]+):([^]*)$/i.exec(given) ?? []
  const name = scheme.toLowerCase()
  const known = Object.hasOwn(parametersOf, name) ? parametersOf[name] : undefined
  if (known === undefined) throw new Failure(`the URL of the store is none that rowkey knows. ${forms}.`)
  if (name === 'lmdb') return lmdbUrl(given, rest)
  if (rest.includes('@')) throw withCredentials(name)
  const [, place = '', inside = '', query = ''] = /^\/\/([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(rest) ?? []
  if (place === '') throw new Failure(`the ${name}: URL is incomplete. ${forms}.`)
  const parameters = new Map(new URLSearchParams(query))
  for (const key of parameters.keys()) {
    if (/pass|secret|token|auth|user/i.test(key)) throw withCredentials(name)
    if (!known.includes(key)) throw new Failure(`the ${name}: URL has a parameter that is none of: ${known.join(', ')}.`)
  }
  return { scheme: name, text: given, place, inside: decoded(inside), parameters }
}

/** `lmdb:FOLDER` is a path as the shell has it; `lmdb:///FOLDER` is a URL, with escapes for what a URL cannot have. */
function lmdbUrl(given: string, rest: string): StoreUrl {
  const isUrl = rest.startsWith('///')
  if (isUrl && /[?#]/.test(rest)) {
    throw new Failure('an lmdb:/// URL has no parameters. Write ? as %3F and # as %23, or give the path as it is: lmdb:FOLDER.')
  }
  const place = isUrl ? decoded(rest.slice(2)) : rest
  if (place === '' || place.includes('\0')) throw new Failure('the lmdb: URL has no folder. Give lmdb:FOLDER.')
  return { scheme: 'lmdb', text: given, place, inside: '', parameters: new Map() }
}

const variables: Readonly<Record<string, string>> = {
  redis: 'REDIS_USERNAME and REDIS_PASSWORD',
  rediss: 'REDIS_USERNAME and REDIS_PASSWORD',
  dynamodb: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  cassandra: 'CASSANDRA_USERNAME and CASSANDRA_PASSWORD',
  hbase: 'HBASE_USERNAME and HBASE_PASSWORD',
}

const withCredentials = (scheme: string): Failure =>
  new Failure(
    `the ${scheme}: URL contains credentials. Arguments are seen by other users and kept in the history of the shell. ` +
      `Set ${variables[scheme] ?? ''} in the environment instead.`,
  )

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw new Failure('the URL of the store has a % that is no escape.', undefined, { cause: error })
  }
}

/**
 * A host and its port.
 *
 * @throws Failure
 */
export function hostOf(place: string, otherwise: number): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(place) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? otherwise : Number(digits)
  if (host === undefined || port < 1 || port > 65_535) throw new Failure('the URL of the store has no host with a port from 1 to 65535.')
  return { host, port }
}
