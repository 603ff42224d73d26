// Tested by salt.test.ts.
import type { ColumnCodec } from '../type/column-codec.js'
import { checkOptions } from '../check.js'
import { show, showName } from '../show.js'
import { attachImpl, typeImpl, type Storage } from '../type/type-impl.js'
import { dayOfText } from '../columns/period-days.js'
import { murmur3Of } from './murmur3.js'
import {
  bucketEncoding,
  countsText,
  hashOf,
  invalidSalt,
  leastBytes,
  saltColumns,
  saltCount,
  saltSeed,
  saltSeparator,
  seedText,
  separatorText,
  type CountFrom,
  type Salt,
  type SaltImpl,
} from './salt.js'

/** Options of {@link bucket}: how the bucket number is written. */
interface BucketForm {
  /** Its length, big-endian: 4 as `Bytes.toBytes(int)`, 8 as `Bytes.toBytes(long)`. */
  readonly bytes?: 1 | 2 | 4 | 8
  /** Decimal text instead, of at least so many digits: 2 as `String.format("%02d", bucket)`, 1 as the number alone. */
  readonly decimalDigits?: number
  /** Text that follows the bucket number. */
  readonly separator?: string
}

/** Options of {@link bucket}: a hash of any key columns into `count` buckets. */
export interface HashBucket<Of> extends BucketForm {
  readonly of: Of | readonly Of[]
  /** One number, or a list of numbers that follow each other, each from a day on; then the table needs a `period()`. */
  readonly count: number | readonly CountFrom[]
  readonly seed?: number
  readonly modulo?: never
}
/** Options of {@link bucket}: the floor modulo of one integer or timestamp column. */
export interface ModuloBucket<Of> extends BucketForm {
  readonly of: Of
  readonly modulo: number
  readonly count?: never
}

/**
 * A bucket number before the key.
 *
 * `{ of, count, seed? }`: murmur3 (32 bits, `seed` default 0) of the encoded columns in key order, modulo `count`. A scan that binds
 * all of `of` reads one bucket; any other reads all of them and merges.
 *
 * `{ of, modulo }`: the guides' `ts % n`, as floor modulo, so it is never negative. Timestamps of whole seconds only use a few buckets.
 *
 * Bytes: one up to 256 buckets, else two, big-endian; then the separator, if there is one. `bytes` and `decimalDigits` write the number as other
 * programs do. The count is part of the format: another count is another table.
 *
 * @throws RowkeyError `INVALID_LAYOUT` if the count is not from 2 to 65,536, the seed is not a 32-bit unsigned integer, the
 * separator is not text of 1 to 8 UTF-16 units, the number does not fit into `bytes`, decimal text of several lengths has no separator, or
 * the options are of both kinds.
 * @example
 * ```ts
 * const layout = keyLayout([['host', text()], ['at', timestamp('ms')]], { salt: bucket({ of: 'host', count: 16 }) })
 * toHex(layout.encode({ host: 'web', at: new Date(0) })) //=> '0777656200008000000000000000'
 * const inText = keyLayout([['at', uint64()]], { salt: bucket({ of: 'at', modulo: 16, decimalDigits: 2, separator: '_' }) })
 * toHex(inText.encode({ at: 23n }))                      //=> '30375f0000000000000017'
 * ```
 */
export function bucket<const Of extends string>(options: HashBucket<Of> | ModuloBucket<Of>): Salt<Of> {
  checkOptions('bucket()', options, ['of', 'count', 'seed', 'modulo', 'bytes', 'decimalDigits', 'separator'], invalidSalt)
  const of = saltColumns('bucket', options.of)
  const { modulo, count, seed } = options as Partial<HashBucket<Of> & { readonly modulo: number }>
  if (modulo !== undefined) {
    if (count !== undefined || seed !== undefined) {
      throw invalidSalt('bucket() takes { of, count, seed } or { of, modulo }, not both. Leave one out.')
    }
    saltCount('bucket', 'modulo', modulo)
    if (of.length === 1) return attachImpl({ kind: 'modulo', of, count: modulo, ...bucketForm(options, modulo) }, moduloImpl)
    throw invalidSalt('bucket({ modulo }) takes one integer or timestamp column. For several, use { count }.')
  }
  if (count === undefined) throw invalidSalt('bucket() has no count. Give { of, count } or { of, modulo }, from 2 to 65,536.')
  const counts = Array.isArray(count) ? countsOf(count as readonly unknown[]) : undefined
  const most = counts === undefined ? saltCount('bucket', 'count', count) : Math.max(...counts.map((each) => each.count))
  const data = { of, count: most, ...(counts === undefined ? {} : { counts }), seed: saltSeed('bucket', seed) }
  return attachImpl({ kind: 'hash', ...data, ...bucketForm(options, most) }, hashImpl)
}

function countsOf(given: readonly unknown[]): readonly CountFrom[] {
  let last = -Infinity
  const counts = given.map((each, i) => {
    if (typeof each !== 'object' || each === null)
      throw invalidSalt(`bucket({ count }): item ${i + 1} of the list is ${show(each)}. Give { from: '2027-01-01', count: 16 }.`)
    checkOptions(`item ${i + 1} of count in bucket()`, each, ['from', 'count'], invalidSalt)
    const { from, count } = each as Partial<CountFrom>
    const day = from === undefined ? NaN : dayOfText(from)
    if (i === 0 ? from !== undefined : !(day > last))
      throw invalidSalt(
        `bucket({ count }): item ${i + 1} of the list has from ${show(from)}. ` +
          (i === 0
            ? 'The first one holds from the beginning, so leave from out.'
            : "Give a day after that of the item before it, such as '2027-01-01'."),
      )
    if (i > 0) last = day
    return Object.freeze({ ...(from === undefined ? {} : { from }), count: saltCount('bucket', 'count', count) })
  })
  if (counts.length > 0) return Object.freeze(counts)
  throw invalidSalt('bucket({ count }) cannot have an empty list. Give a number, or at least { count }.')
}

/** How a bucket number is written, as the data of its salt. The usual form is not part of it. */
function bucketForm(options: BucketForm, count: number): Pick<Salt, 'bytes' | 'decimalDigits' | 'separator'> {
  const { bytes, decimalDigits } = options
  const separator = saltSeparator('bucket', options.separator)
  if (bytes !== undefined && decimalDigits !== undefined)
    throw invalidSalt('bucket() takes { bytes } or { decimalDigits }, not both. Leave one out.')
  if (bytes !== undefined) {
    if (![1, 2, 4, 8].includes(bytes) || bytes < leastBytes(count))
      throw invalidSalt(`bucket() cannot write ${count} buckets with bytes ${show(bytes)}. Give ${count > 256 ? '' : '1, '}2, 4 or 8.`)
    return { ...(bytes === leastBytes(count) ? {} : { bytes: bytes as 2 | 4 | 8 }), ...separator }
  }
  if (decimalDigits === undefined) return separator
  if (!Number.isInteger(decimalDigits) || decimalDigits < 1 || decimalDigits > 19)
    throw invalidSalt(`bucket() cannot have ${show(decimalDigits)} decimalDigits. Give 1 to 19.`)
  const widest = String(count - 1).length
  if (decimalDigits < widest && !/^\D/.test(separator.separator ?? ''))
    throw invalidSalt(
      `bucket() writes these numbers with ${decimalDigits} to ${widest} digits, so they need a separator that does not begin with a digit. ` +
        `Give { separator: '_' }, or decimalDigits ${widest}.`,
    )
  return { decimalDigits, ...separator }
}

/** The options that {@link bucketForm} reads, of those that are set. */
const formOf = ({ bytes, decimalDigits, separator }: Salt): BucketForm => ({
  ...(bytes === undefined ? {} : { bytes }),
  ...(decimalDigits === undefined ? {} : { decimalDigits }),
  ...(separator === undefined ? {} : { separator }),
})

const formText = ({ bytes, decimalDigits }: Salt): string =>
  bytes !== undefined ? `, bytes ${bytes}` : decimalDigits === undefined ? '' : `, decimalDigits ${decimalDigits}`

/** bucket({ of, count }): KEY-22. */
export const hashImpl: SaltImpl = {
  encoding: bucketEncoding,
  fromJSON: (salt) =>
    bucket({ of: salt.of, count: salt.counts ?? salt.count, ...(salt.seed === undefined ? {} : { seed: salt.seed }), ...formOf(salt) }),
  code: (salt) => [
    'bucket',
    { of: salt.of, count: salt.counts ?? salt.count, seed: salt.seed === 0 ? undefined : salt.seed, ...formOf(salt) },
  ],
  text: (salt, columns) =>
    `bucket(${columns}; count ${salt.counts === undefined ? salt.count : countsText(salt.counts)}${seedText(salt)}${formText(salt)}${separatorText(salt)})`,
  valueOf({ count, seed = 0 }, positions, inputs) {
    const encodings = inputs.map(({ ascending }) => ascending)
    return hashOf(positions, encodings, (bytes, length) => murmur3Of(bytes, 0, length, seed) % count)
  },
  /** If its columns are side by side in the key, in the form in which they are hashed, the key itself is hashed. */
  compile({ count, counts, seed = 0 }, positions, inputs) {
    if (counts !== undefined) return undefined
    const [first, last] = [positions[0] as number, positions.at(-1) as number]
    if (last - first + 1 !== positions.length) return undefined
    if (inputs.some(({ type }) => type.desc || type.followedBy !== undefined)) return undefined
    const value = `murmur3Of(b,q${first},q${last + 1},${seed >>> 0})%${count | 0}`
    return { uses: { murmur3Of }, marks: [first, last + 1], value: () => value }
  },
}

const storageOf = ({ type }: ColumnCodec): Storage => typeImpl(type).storage(type)

/** bucket({ of, modulo }): KEY-23. */
export const moduloImpl: SaltImpl = {
  encoding: bucketEncoding,
  fromJSON: (salt) => bucket({ of: salt.of as unknown as string, modulo: salt.count, ...formOf(salt) }),
  code: (salt) => ['bucket', { of: salt.of, modulo: salt.count, ...formOf(salt) }],
  text: (salt, columns) => `bucket(${columns}; modulo ${salt.count}${formText(salt)}${separatorText(salt)})`,
  refuses(column) {
    const { class: stored } = storageOf(column)
    if (stored === 'int' || stored === 'bigint') return undefined
    return `bucket({ modulo }) cannot use '${showName(column.name)}', a ${column.type.kind} column. Use an integer, timestamp or date column, or { count }.`
  },
  weakness({ count }, [storage]) {
    const perSecond = storage === undefined || !('counts' in storage) ? undefined : unitsPerSecond[storage.counts as string]
    const shared = perSecond === undefined ? 1 : commonFactor(perSecond, count)
    if (shared === 1) return undefined
    let other = count
    while (commonFactor(perSecond as number, other) > 1) other++
    const used = count / shared
    return {
      used,
      instead: other,
      why: `instants of whole seconds use ${used} of its ${count} buckets, because ${(perSecond as number).toLocaleString('en')} and ${count} have the factor ${shared} in common`,
      fix: `Use modulo ${other}, or { count } with a column that differs.`,
    }
  },
  valueOf({ count }, [position = 0], [input]) {
    const storage = storageOf(input as ColumnCodec)
    const signed = storage.class !== 'bigint' || storage.min < 0n
    return (row) => floorModulo(row[position] as number | bigint, count, signed)
  },
}

const unitsPerSecond: Readonly<Record<string, number>> = { ms: 1000, us: 1_000_000, ns: 1_000_000_000 }

const commonFactor = (a: number, b: number): number => (b === 0 ? a : commonFactor(b, a % b))

const halves = /* @__PURE__ */ new DataView(new ArrayBuffer(8))

/** Without bigint arithmetic, by the two halves of the value. */
function floorModulo(value: number | bigint, modulo: number, signed: boolean): number {
  if (typeof value === 'number') return floored(value, modulo)
  halves.setBigUint64(0, value)
  const high = floored(signed ? halves.getInt32(0) : halves.getUint32(0), modulo)
  return (high * (2 ** 32 % modulo) + halves.getUint32(4)) % modulo
}

function floored(value: number, modulo: number): number {
  const rest = value % modulo
  return rest < 0 ? rest + modulo : rest + 0
}
