// Tested by read-ranges.test.ts.
import { varint } from './native-bytes.js'

// Points that cut a range of native values of one key column. The server orders them by their type, so each type has ranks of its own.

/** One end of a range, in the bytes of the CQL type. */
export interface NativeEnd {
  readonly bytes: Buffer
  readonly inclusive: boolean
}

/** A range of the values of one column, in the order of the server; without an end it is open there. */
export interface NativeRange {
  readonly low: NativeEnd | undefined
  readonly high: NativeEnd | undefined
}

/** The values of a type as integers in their order. */
interface Ranks {
  readonly least: bigint
  readonly greatest: bigint
  rank(bytes: Buffer): bigint
  bytes(rank: bigint): Buffer
}

/** What becomes of a range that is cut: a point strictly inside, its only value, or nothing, as it contains none. */
export type Cut = { readonly kind: 'point' | 'value'; readonly bytes: Buffer } | { readonly kind: 'empty' }

/**
 * Cuts a range near one of its ends, after a share of it. The values below the point are one part, the point and the values above it the other.
 *
 * @param domain the least and the greatest value that the column can have, if the type has more
 * @returns undefined if no point is found
 */
export function cutRange(
  cql: string,
  { low, high }: NativeRange,
  share: number,
  isNearHigh: boolean,
  domain: readonly [Buffer, Buffer] | undefined,
): Cut | undefined {
  const ranks = ranksOf(cql, domain)
  if (ranks === undefined) return cutUnits(alphabetOf(cql), low, high, share, isNearHigh)
  const [least, greatest] = domain === undefined ? [ranks.least, ranks.greatest] : [ranks.rank(domain[0]), ranks.rank(domain[1])]
  const first = low === undefined ? least : ranks.rank(low.bytes) + (low.inclusive ? 0n : 1n)
  const last = high === undefined ? greatest : ranks.rank(high.bytes) - (high.inclusive ? 0n : 1n)
  if (first > last) return { kind: 'empty' }
  if (first === last) return { kind: 'value', bytes: ranks.bytes(first) }
  const step = (last - first + 1n) / BigInt(share) || 1n
  return { kind: 'point', bytes: ranks.bytes(isNearHigh ? last - step + 1n : first + step) }
}

function ranksOf(cql: string, domain: readonly [Buffer, Buffer] | undefined): Ranks | undefined {
  switch (cql) {
    case 'tinyint':
      return signed(1)
    case 'smallint':
      return signed(2)
    case 'int':
      return signed(4)
    case 'bigint':
    case 'timestamp':
      return signed(8)
    case 'boolean':
      return unsigned(1, 1n)
    case 'date':
      return unsigned(4)
    case 'float':
      return floating(4)
    case 'double':
      return floating(8)
    case 'uuid':
      return uuids
    case 'varint':
      return { ...unbounded, rank: varintOf, bytes: varint }
    case 'decimal':
      return {
        ...unbounded,
        rank: (bytes) => varintOf(bytes.subarray(4)),
        bytes: (rank) => Buffer.concat([domain?.[0].subarray(0, 4) ?? Buffer.alloc(4), varint(rank)]), // all have the scale of the column
      }
    default:
      return undefined
  }
}

const alphabetOf = (cql: string): Alphabet => (cql === 'text' ? characters : cql === 'ascii' ? ascii : bytes)

const valueOf = (bytes: Buffer): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`))
const bytesOf = (value: bigint, length: number): Buffer => Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex')

const unsigned = (length: number, greatest: bigint = (1n << BigInt(length * 8)) - 1n): Ranks => ({
  least: 0n,
  greatest,
  rank: valueOf,
  bytes: (rank) => bytesOf(rank, length),
})

function signed(length: number): Ranks {
  const half = 1n << BigInt(length * 8 - 1)
  return {
    least: -half,
    greatest: half - 1n,
    rank: (bytes) => BigInt.asIntN(length * 8, valueOf(bytes)),
    bytes: (rank) => bytesOf(BigInt.asUintN(length * 8, rank), length),
  }
}

/** -Infinity is the least, and NaN the greatest. The bits of negative numbers grow downwards. */
function floating(length: 4 | 8): Ranks {
  const bits = length * 8
  const sign = 1n << BigInt(bits - 1)
  const mantissa = length === 4 ? 23n : 52n
  const infinity = ((1n << (BigInt(bits) - 1n - mantissa)) - 1n) << mantissa
  return {
    least: -infinity - 1n,
    greatest: infinity + (1n << (mantissa - 1n)),
    rank(bytes) {
      const value = valueOf(bytes)
      return value < sign ? value : -(value - sign) - 1n
    },
    bytes: (rank) => bytesOf(rank >= 0n ? rank : sign - rank - 1n, length),
  }
}

// UUIDs are compared by version, then those of version 1 by their time, the others by their bytes.

const low64 = (1n << 64n) - 1n

const uuids: Ranks = {
  least: 0n,
  greatest: (1n << 128n) - 1n,
  rank(bytes) {
    const value = valueOf(bytes)
    const [high, low] = [value >> 64n, value & low64]
    const version = (high >> 12n) & 0xfn
    const time =
      version === 1n
        ? ((high & 0xfffn) << 48n) | (((high >> 16n) & 0xffffn) << 32n) | (high >> 32n)
        : ((high >> 16n) << 12n) | (high & 0xfffn)
    return (version << 124n) | (time << 64n) | low
  },
  bytes(rank) {
    const [version, time, low] = [rank >> 124n, (rank >> 64n) & ((1n << 60n) - 1n), rank & low64]
    const high =
      version === 1n
        ? ((time & 0xffffffffn) << 32n) | (((time >> 32n) & 0xffffn) << 16n) | (version << 12n) | (time >> 48n)
        : ((time >> 12n) << 16n) | (version << 12n) | (time & 0xfffn)
    return bytesOf((high << 64n) | low, 16)
  },
}

const varintOf = (bytes: Buffer): bigint => BigInt.asIntN(bytes.length * 8, valueOf(bytes))

/** Their columns say what they contain. */
const unbounded = { least: 0n, greatest: 0n }

/** What bytes and texts consist of. A server refuses a text that is not UTF-8, so a text is cut between characters. */
interface Alphabet {
  /** One above the last unit. */
  readonly end: number
  units(bytes: Buffer): readonly number[]
  bytes(units: readonly number[]): Buffer
  /** Where a unit is among all, for a share of them. */
  weight(unit: number): number
  /** The unit with at most this weight. */
  at(weight: number): number
}

const bytes: Alphabet = {
  end: 256,
  units: (given) => [...given],
  bytes: (units) => Buffer.from(units),
  weight: (unit) => unit,
  at: Math.floor,
}

const ascii: Alphabet = { ...bytes, end: 128 }

/** Most characters of keys are ASCII, so these take two thirds of the weight. */
const asciiWeight = 2 ** 14
const allAscii = 128 * asciiWeight

const characters: Alphabet = {
  end: 0x11_0000,
  units: (given) => Array.from(given.toString('utf8'), (character) => character.codePointAt(0) as number),
  bytes: (units) => Buffer.from(String.fromCodePoint(...units), 'utf8'),
  weight: (unit) => (unit < 128 ? unit * asciiWeight : allAscii + unit - 128),
  at(weight) {
    const unit = weight < allAscii ? Math.floor(weight / asciiWeight) : Math.floor(weight - allAscii + 128)
    return unit >= 0xd800 && unit < 0xe000 ? 0xd7ff : unit // a surrogate is not a character
  },
}

/** Bytes and texts, compared unit by unit. */
function cutUnits(
  alphabet: Alphabet,
  low: NativeEnd | undefined,
  high: NativeEnd | undefined,
  share: number,
  isNearHigh: boolean,
): Cut | undefined {
  const from = low?.bytes ?? Buffer.alloc(0)
  const order = high === undefined ? -1 : from.compare(high.bytes)
  if (order > 0 || (order === 0 && !(low?.inclusive !== false && high?.inclusive === true))) return { kind: 'empty' }
  if (order === 0) return { kind: 'value', bytes: from }
  const [first, last] = [alphabet.units(from), high === undefined ? [] : alphabet.units(high.bytes)]
  let at = 0
  while (at < first.length && first[at] === last[at]) at++
  // If no unit lies between those of the ends, the next one of the lower end decides.
  for (let end = last[at] ?? alphabet.end; at <= first.length; at++, end = alphabet.end) {
    const begin = first[at] ?? -1
    const [least, greatest] = [begin < 0 ? 0 : alphabet.weight(begin), alphabet.weight(end)]
    const step = (greatest - least) / share
    const unit = Math.min(Math.max(alphabet.at(isNearHigh ? greatest - step : least + step), begin + 1), alphabet.end - 1)
    const point = alphabet.bytes([...first.slice(0, at), unit === 0xd800 ? 0xe000 : unit])
    if (point.compare(from) > 0 && (high === undefined || point.compare(high.bytes) < 0)) return { kind: 'point', bytes: point }
  }
  return undefined
}
