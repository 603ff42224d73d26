import type { Salt } from './salt-data.js'
import { codecError } from '../error.js'
import { implementationOf, linked } from '../link.js'
import { checkOptions } from '../options.js'
import { show } from '../values/show.js'
import { hashSalt } from './hash-salt.js'
import { moduloSalt } from './modulo-salt.js'
import { partitionSalt } from './partition-salt.js'
import { prefixSalt } from './prefix-salt.js'

/** Options of {@link bucket}: a hash of any key columns into `count` buckets. */
export interface HashBucket<Of> {
  readonly of: Of | readonly Of[]
  readonly count: number
  readonly seed?: number
  readonly modulo?: never
}
/** Options of {@link bucket}: the floor modulo of one integer or timestamp column. */
export interface ModuloBucket<Of> {
  readonly of: Of
  readonly modulo: number
  readonly count?: never
}

/**
 * A bucket number in front of the key.
 *
 * `{ of, count, seed? }`: murmur3 (32 bits, `seed` default 0) of the encoded columns in key order, modulo `count`. A scan that binds
 * all of `of` reads one bucket; any other reads all of them and merges.
 *
 * `{ of, modulo }`: the guides' `ts % n`, as floor modulo, so it is never negative. Whole-second timestamps reach few buckets.
 *
 * Bytes: one up to 256 buckets, else two, big-endian. The count is part of the format: another count is another table.
 *
 * @throws RowkeyError `INVALID_LAYOUT` if the count is not from 2 to 65,536, the seed is no 32-bit unsigned integer, or both kinds
 * are asked for.
 * @example
 * ```ts
 * const layout = keyLayout([['host', text()], ['at', timestamp('ms')]], { salt: bucket({ of: 'host', count: 16 }) })
 * toHex(layout.encode({ host: 'web', at: new Date(0) })) //=> '0777656200008000000000000000'
 * ```
 */
export function bucket<const Of extends string>(options: HashBucket<Of> | ModuloBucket<Of>): Salt<Of> {
  checkOptions('bucket()', options, ['of', 'count', 'seed', 'modulo'], refused)
  const of = columnsOf('bucket', options.of)
  const { modulo, count, seed } = options as Partial<HashBucket<Of> & { readonly modulo: number }>
  if (modulo !== undefined) {
    if (count !== undefined || seed !== undefined) throw refused('bucket() is either { of, count, seed } or { of, modulo }. Leave one out.')
    checkCount('modulo', modulo)
    if (of.length === 1) return linked({ kind: 'modulo', of, count: modulo }, moduloSalt)
    throw refused('bucket({ modulo }) takes one integer or timestamp column. For several, use { count }.')
  }
  checkCount('count', count)
  checkSeed('bucket', seed)
  return linked({ kind: 'hash', of, count, seed: seed ?? 0 }, hashSalt)
}

/**
 * The guides' `md5(userid).substring(0, 4)` in front of the key: the first hex digits of an MD5, as lower-case ASCII.
 *
 * Input: the UTF-8 text of one text column or the decimal digits of one integer column (also inside paddedText, separatedText,
 * reversed); for anything else the encoded columns, ascending.
 * A scan that does not bind all of `of` would read 16^digits prefixes and is refused.
 *
 * @throws RowkeyError `INVALID_LAYOUT` if `digits` is not from 1 to 8.
 * @example
 * ```ts
 * const layout = keyLayout([['user', text()]], { salt: hashPrefix({ of: 'user', digits: 4 }) })
 * toHex(layout.encode({ user: 'abc' })) //=> '393030316162630000'
 * ```
 */
export function hashPrefix<const Of extends string>(options: { readonly of: Of | readonly Of[]; readonly digits?: number }): Salt<Of> {
  checkOptions('hashPrefix()', options, ['of', 'digits'], refused)
  const { digits = 4 } = options
  if (!Number.isInteger(digits) || digits < 1 || digits > 8) {
    throw refused(`hashPrefix() cannot have ${show(digits)} digits. Give 1 to 8.`)
  }
  return linked({ kind: 'hashPrefix', of: columnsOf('hashPrefix', options.of), count: 16 ** digits, digits }, prefixSalt)
}

/**
 * A hash level of Apache Kudu: MurmurHash2 (64 bits, `seed` default 0) of the columns as Kudu writes them, unsigned, modulo
 * `buckets`. Several levels are a list; no column may be in two of them. For signed integers, decimals, dates, timestamps, text and
 * bytes.
 *
 * Bytes: as {@link bucket}. Source: Apache Kudu 1.18, PartitionSchema and HashUtil. The text of the last column is hashed without
 * its end, so the buckets are those of a Kudu table with columns of the same values (timestamp: the count in its unit, as INT64
 * or, for `'us'`, UNIXTIME_MICROS).
 *
 * @throws RowkeyError `INVALID_LAYOUT` if `buckets` is not from 2 to 65,536 or the seed is no 32-bit unsigned integer.
 * @example
 * ```ts
 * const layout = keyLayout([['host', text()], ['at', timestamp('us')]], { salt: hashPartition({ of: 'host', buckets: 16, seed: 42 }) })
 * toHex(layout.encode({ host: 'web', at: 0n })) //=> '0777656200008000000000000000'
 * ```
 */
export function hashPartition<const Of extends string>(options: {
  readonly of: Of | readonly Of[]
  readonly buckets: number
  readonly seed?: number
}): Salt<Of> {
  checkOptions('hashPartition()', options, ['of', 'buckets', 'seed'], refused)
  const { buckets, seed = 0 } = options
  if (!Number.isInteger(buckets) || buckets < 2 || buckets > 65_536) {
    throw refused(`hashPartition() cannot have ${show(buckets)} buckets. Give an integer from 2 to 65,536.`)
  }
  checkSeed('hashPartition', seed)
  return linked({ kind: 'hashPartition', of: columnsOf('hashPartition', options.of), count: buckets, seed }, partitionSalt)
}

function checkSeed(salt: string, seed: number | undefined): void {
  if (seed === undefined || (Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)) return
  throw refused(`${salt}() cannot have seed ${show(seed)}. Give an integer from 0 to 2^32 - 1.`)
}

function columnsOf<Of extends string>(salt: string, of: Of | readonly Of[]): readonly Of[] {
  const names: readonly Of[] = Array.isArray(of) ? of : [of]
  const valid = names.length > 0 && names.every((name) => typeof name === 'string') && new Set(names).size === names.length
  if (valid) return Object.freeze([...names])
  throw refused(`${salt}() ${of === undefined ? "lacks 'of'" : `is of ${show(of)}`}. Give one or more key columns, each once.`)
}

function checkCount(option: 'count' | 'modulo', given: number | undefined): asserts given is number {
  if (given === undefined) throw refused("bucket() lacks 'count'. Give { of, count } or { of, modulo }, from 2 to 65,536.")
  if (Number.isInteger(given) && given >= 2 && given <= 65_536) return
  throw refused(`bucket() cannot have ${option} ${show(given)}. Give an integer from 2 to 65,536.`)
}

function refused(message: string): Error {
  return codecError('INVALID_LAYOUT', message, {})
}

/**
 * Whether `given` is a salt, also one of another copy of this package. Like column types they are frozen.
 *
 * @example
 * ```ts
 * isSalt(bucket({ of: 'host', count: 16 })) //=> true
 * isSalt({ of: 'host', count: 16 })         //=> false
 * ```
 */
export function isSalt(given: unknown): given is Salt {
  return typeof given === 'object' && given !== null && Object.isFrozen(given) && implementationOf(given) !== undefined && 'of' in given
}

/** One salt or a list of them as a list. @throws RowkeyError `INVALID_LAYOUT` */
export function saltList(given: unknown): readonly Salt[] {
  return (Array.isArray(given) ? given : [given]).map((level: unknown, at) => {
    if (isSalt(level)) return level
    throw refused(`salt level ${at + 1} is ${show(level)}. Make it with bucket(), hashPrefix() or hashPartition().`)
  })
}
