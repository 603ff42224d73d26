import type { Storage } from '../type/type-impl.js'
import { codecError } from '../error.js'
import { counted, quoted, show } from '../show.js'
import { aConstant, isConstant } from '../type/constant.js'
import { laterOptions } from '../type/describe.js'
import { implOf, type Encoding } from '../type/type-impl.js'
import type { ColumnCodec } from '../type/column-codec.js'
import type { Reader } from '../type/reader.js'
import type { SaltCode } from '../compile/column-code.js'
import type { Row } from '../type/column-type.js'

/**
 * A part before the key columns, computed from them, that spreads rows. It is frozen data, made by {@link bucket}, {@link hashPrefix} or
 * {@link kuduHash}.
 */
export interface Salt<out Of extends string = string> {
  readonly kind: 'hash' | 'modulo' | 'hashPrefix' | 'hashPartition'
  /** The key columns it is computed from; not nullable. */
  readonly of: readonly Of[]
  /** How many values it can take, at most if it has `counts`. */
  readonly count: number
  /** hash: how many values it takes in the periods that begin on a day or later; the first one holds from the beginning. */
  readonly counts?: readonly CountFrom[]
  /** hash, hashPartition: seed of the hash. */
  readonly seed?: number
  /** hashPrefix: number of hex digits. */
  readonly digits?: number
  /** hash, modulo: the bucket number as decimal text, of at least so many digits. */
  readonly decimalDigits?: number
  /** hash, modulo: the length of the bucket number, if it is not 1 or 2. */
  readonly bytes?: 2 | 4 | 8
  /** hash, modulo, hashPrefix: this text follows the salt in the key. */
  readonly separator?: string
}

/** A number of buckets from a day on. The first one of a list has no `from`. */
export interface CountFrom {
  /** The first day, as `'2027-01-01'`: that of a period of the table. */
  readonly from?: string
  readonly count: number
}

/** All that distinguishes one salt from others. Layouts, schemas and catalogs call this and never branch on a kind. */
export interface SaltImpl {
  /** Why it cannot use a column, or undefined. */
  refuses?(column: ColumnCodec): string | undefined
  /** Why two levels of this salt cannot both use a column; absent if they can. */
  refusesTwice?(column: string): string
  /** Its value for a row. It only reads `positions`, which are those of `inputs`. */
  valueOf(salt: Salt, positions: readonly number[], inputs: readonly ColumnCodec[]): (row: Row) => number
  /** Its bytes. */
  encoding(salt: Salt): SaltEncoding
  /** Generated code for its value; absent if a call of its value function is fast enough. `positions` are those of `inputs`. */
  compile?(salt: Salt, positions: readonly number[], inputs: readonly ColumnCodec[]): SaltCode | undefined
  /** The salt again from its JSON, through its constructor, which checks it. */
  fromJSON(data: Salt): Salt
  /** As text, of columns by these names. */
  text(salt: Salt, columns: string): string
  /** The constructor that makes it, and its options. */
  code(salt: Salt): readonly [constructor: string, options: Readonly<Record<string, unknown>>]
  /** Whether it is a hash level of Apache Kudu, to the bit. */
  readonly ofKudu?: true
  /** How a salt that is valid may still use few of its buckets, for the storage of its columns; absent = never. */
  weakness?(salt: Salt, storage: readonly Storage[]): SaltWeakness | undefined
}

/** How a salt uses few of its buckets. */
export interface SaltWeakness {
  /** How many of its buckets it uses. */
  readonly used: number
  /** The number of buckets to declare instead. */
  readonly instead: number
  /** Begins in lower case and has no full stop: it follows the name of the salt. */
  readonly why: string
  /** The salt to declare instead, as a sentence. */
  readonly fix: string
}

/** The bytes of a salt before the key, without its separator. */
export interface SaltEncoding {
  /** How many they are, at most if {@link SaltEncoding.size} is there. */
  readonly bytes: number
  /** Present if their number is not fixed. */
  size?(value: number): number
  write(target: Uint8Array, at: number, value: number): void
  /** Refuses what `write` cannot have written for any value. */
  read(reader: Reader): number
}

/** One byte up to 256 values, else two, big-endian; or as many as the salt says; or decimal text. */
export function bucketEncoding(salt: Salt): SaltEncoding {
  const { count } = salt
  if (salt.decimalDigits !== undefined) return decimalEncoding(salt.decimalDigits, count)
  const bytes = salt.bytes ?? leastBytes(count)
  return {
    bytes,
    write(target, at, value) {
      for (let i = at + bytes - 1; i >= at; i--, value = Math.floor(value / 256)) target[i] = value & 255
    },
    read: (reader) => known(reader.unsigned(bytes), count, reader),
  }
}

export const leastBytes = (count: number): 1 | 2 => (count <= 256 ? 1 : 2)

const known = (value: number, count: number, reader: Reader): number =>
  value < count ? value : reader.fail(`bucket ${value} does not exist, because the layout has ${count} buckets`)

function decimalEncoding(digits: number, count: number): SaltEncoding {
  const bytes = Math.max(digits, String(count - 1).length)
  const textOf = (value: number): string => String(value).padStart(digits, '0')
  return {
    bytes,
    ...(bytes === digits ? {} : { size: (value) => textOf(value).length }),
    write(target, at, value) {
      const text = textOf(value)
      for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i)
    },
    read(reader) {
      const from = reader.at
      while (reader.at - from < bytes && isDigit(reader.byteAt(reader.at))) reader.advance(1)
      const text = String.fromCharCode(...reader.copyFrom(from))
      if (text !== textOf(Number(text))) reader.fail(`a bucket number of at least ${counted(digits, 'decimal digit')} must come next`)
      return known(Number(text), count, reader)
    },
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/** The bytes that a salt hashes; the next one overwrites them. */
let hashed: Uint8Array = /* @__PURE__ */ new Uint8Array(256)

/** The value of a salt: the hash of the encodings of some columns, side by side. `hash` gets bytes and how many of them it hashes. */
export function hashOf(
  positions: readonly number[],
  encodings: readonly Encoding[],
  hash: (bytes: Uint8Array, length: number) => number,
): (row: Row) => number {
  return (row) => {
    let size = 0
    for (let i = 0; i < positions.length; i++) size += (encodings[i] as Encoding).size(row[positions[i] as number] as never)
    if (size > hashed.length) hashed = new Uint8Array(2 * size)
    let at = 0
    for (let i = 0; i < positions.length; i++) at = (encodings[i] as Encoding).write(hashed, at, row[positions[i] as number] as never)
    return hash(hashed, at)
  }
}

/** @throws RowkeyError `INVALID_LAYOUT` for a copy of a salt, which has no implementation. */
export function saltImpl(salt: Salt): SaltImpl {
  const impl = implOf(salt) as SaltImpl | undefined
  if (impl !== undefined) return impl
  throw invalidSalt(`this ${show(salt.kind)} looks like a copy of a salt. Pass what its constructor returned, or use derived().`)
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
  return typeof given === 'object' && given !== null && Object.isFrozen(given) && implOf(given) !== undefined && 'of' in given
}

/** One salt or a list of them as a list. @throws RowkeyError `INVALID_LAYOUT` */
export function saltList(given: unknown): readonly Salt[] {
  return (Array.isArray(given) ? given : [given]).map((level: unknown, at) => {
    if (isSalt(level)) return level
    throw invalidSalt(`salt level ${at + 1} is ${show(level)}. Make it with bucket(), hashPrefix() or kuduHash().`)
  })
}

/**
 * What the buckets and bytes of a salt depend on, as JSON data, its columns by the names that `nameOf` has for them. As with
 * {@link byteOptions}, the first five places never change, and later options follow.
 *
 * @internal
 * @example
 * ```ts
 * saltOptions(bucket({ of: 'host', count: 16 }), (name) => name) //=> [ 'hash', [ 'host' ], 16, 0, null ]
 * ```
 */
export function saltOptions(salt: Salt, nameOf: (column: string) => string | undefined): readonly unknown[] {
  const { kind, of, count, seed, digits, ...later } = salt
  return [kind, of.map(nameOf), count, seed ?? null, digits ?? null, ...laterOptions(later)]
}

/**
 * A salt as text, its columns by the names that `nameOf` has for them.
 *
 * @internal
 * @example
 * ```ts
 * saltText(bucket({ of: 'host', count: 16 }), (name) => name) //=> 'bucket(host; count 16)'
 * ```
 */
export function saltText(salt: Salt, nameOf: (column: string) => string | undefined): string {
  const columns = salt.of.map(nameOf).join(', ')
  return saltImpl(salt).text(salt, columns)
}

/**
 * A salt as code that makes it.
 *
 * @internal
 * @example
 * ```ts
 * saltCode(bucket({ of: ['host', 'at'], count: 16 })) //=> "bucket({ of: ['host', 'at'], count: 16 })"
 * ```
 */
export function saltCode(salt: Salt): string {
  const [constructor, { of, ...options }] = saltImpl(salt).code(salt)
  const columns = salt.of.map(quoted)
  const rest = Object.entries(options).filter(([, value]) => value !== undefined)
  const fields = [
    `of: ${columns.length === 1 ? columns.join() : `[${columns.join(', ')}]`}`,
    ...rest.map(
      ([name, value]) =>
        `${name}: ${typeof value === 'string' ? quoted(value) : Array.isArray(value) ? countsText(value as readonly CountFrom[]) : String(value)}`,
    ),
  ]
  return `${constructor}({ ${fields.join(', ')} })`
}

/**
 * Whether a salt is a hash level of Apache Kudu, so that a table of Kudu can have it as its partitioning.
 *
 * @internal
 * @example
 * ```ts
 * isKuduHash(kuduHash({ of: 'host', count: 4 })) //=> true
 * isKuduHash(bucket({ of: 'host', count: 4 }))        //=> false
 * ```
 */
export const isKuduHash = (salt: Salt): boolean => saltImpl(salt).ofKudu === true

/**
 * How a salt may use few of its buckets; undefined if it does not.
 *
 * @internal
 * @example
 * ```ts
 * saltWeakness(bucket({ of: 'at', modulo: 17 }), [typeFacts(timestamp('ms')).storage]) //=> undefined
 * const weakness = saltWeakness(bucket({ of: 'at', modulo: 16 }), [typeFacts(timestamp('ms')).storage])
 * weakness.fix //=> 'Use modulo 17, or { count } with a column that differs.'
 * ```
 */
export function saltWeakness(salt: Salt, storage: readonly Storage[]): SaltWeakness | undefined {
  return saltImpl(salt).weakness?.(salt, storage)
}

/** The error of a constructor that cannot make a salt from its options. */
export function invalidSalt(message: string): Error {
  return codecError('INVALID_LAYOUT', message, {})
}

/** The option `of` of a constructor as a list. */
export function saltColumns<Of extends string>(salt: string, of: Of | readonly Of[]): readonly Of[] {
  const names: readonly Of[] = Array.isArray(of) ? of : [of]
  const valid = names.length > 0 && names.every((name) => typeof name === 'string') && new Set(names).size === names.length
  if (valid) return Object.freeze([...names])
  throw invalidSalt(
    `${salt}({ of }) ${of === undefined ? 'is missing' : `cannot be ${show(of)}`}. Name at least one key column, each only once.`,
  )
}

/** The option `seed` of a constructor. */
export function saltSeed(salt: string, seed: number | undefined): number {
  if (seed === undefined) return 0
  if (Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32) return seed
  throw invalidSalt(`${salt}() cannot have seed ${show(seed)}. Give an integer from 0 to 2^32 - 1.`)
}

/** The option `separator` of a constructor, as the data of its salt. */
export function saltSeparator(salt: string, separator: unknown): { readonly separator?: string } {
  if (separator === undefined) return {}
  if (isConstant(separator)) return { separator }
  throw invalidSalt(`${salt}() cannot have the separator ${show(separator)}. Give ${aConstant}.`)
}

/** A number of buckets. */
export function saltCount(salt: string, option: string, given: unknown): number {
  if (Number.isInteger(given) && (given as number) >= 2 && (given as number) <= 65_536) return given as number
  throw invalidSalt(`${salt}() cannot have ${option} ${show(given)}. Give an integer from 2 to 65,536.`)
}

/** Numbers of buckets as code. */
export const countsText = (counts: readonly CountFrom[]): string =>
  `[${counts.map(({ from, count }) => (from === undefined ? `{ count: ${count} }` : `{ from: ${quoted(from)}, count: ${count} }`)).join(', ')}]`

/** A separator is shown if there is one. */
export const separatorText = ({ separator }: Salt): string => (separator === undefined ? '' : `, separator ${quoted(separator)}`)

/** A seed is shown if it is not 0. */
export const seedText = ({ seed }: Salt): string => (seed === undefined || seed === 0 ? '' : `, seed ${seed}`)
