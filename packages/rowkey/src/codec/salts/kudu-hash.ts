import { checkOptions } from '../check.js'
import { showName } from '../show.js'
import { attachImpl } from '../type/type-impl.js'
import { kuduLast } from './kudu-last.js'
import { murmur2Modulo } from './murmur2.js'
import { bucketEncoding, hashOf, invalidSalt, saltColumns, saltCount, saltSeed, seedText, type Salt, type SaltImpl } from './salt.js'

/**
 * A hash level of Apache Kudu: MurmurHash2 (64 bits, `seed` default 0) of the columns as Kudu writes them, unsigned, modulo
 * `count`. Several levels are a list, and no column may be in two of them. For signed integers, decimals, dates, timestamps, text and
 * bytes.
 *
 * Bytes: as {@link bucket}. Source: Apache Kudu 1.18, PartitionSchema and HashUtil. The text of the last column is hashed without
 * its end, so the buckets are those of a Kudu table with columns of the same values (timestamp: the count in its unit, as INT64
 * or, for `'us'`, UNIXTIME_MICROS).
 *
 * @throws RowkeyError `INVALID_LAYOUT` if `count` is not from 2 to 65,536 or the seed is not a 32-bit unsigned integer.
 * @example
 * ```ts
 * const layout = keyLayout([['host', text()], ['at', timestamp('us')]], { salt: kuduHash({ of: 'host', count: 16, seed: 42 }) })
 * toHex(layout.encode({ host: 'web', at: 0n })) //=> '0777656200008000000000000000'
 * ```
 */
export function kuduHash<const Of extends string>(options: {
  readonly of: Of | readonly Of[]
  readonly count: number
  readonly seed?: number
}): Salt<Of> {
  checkOptions('kuduHash()', options, ['of', 'count', 'seed'], invalidSalt)
  const of = saltColumns('kuduHash', options.of)
  const count = saltCount('kuduHash', 'count', options.count)
  return attachImpl({ kind: 'hashPartition', of, count, seed: saltSeed('kuduHash', options.seed) }, kuduHashImpl)
}

/** kuduHash({ of, count }): KEY-35. */
export const kuduHashImpl: SaltImpl = {
  encoding: bucketEncoding,
  fromJSON: ({ of, count, seed }) => kuduHash({ of, count, ...(seed === undefined ? {} : { seed }) }),
  ofKudu: true,
  code: ({ of, count, seed }) => ['kuduHash', { of, count, seed: seed === 0 ? undefined : seed }],
  text: (salt, columns) => `kuduHash(${columns}; count ${salt.count}${seedText(salt)})`,
  refuses(column) {
    if (kuduLast(column.type) !== undefined) return undefined
    const remedy = 'Kudu hashes signed integers, decimals, dates, timestamps, text and bytes; use bucket({ count }) for others.'
    return `kuduHash() cannot use '${showName(column.name)}', a ${column.type.kind} column. ${remedy}`
  },
  refusesTwice: (column) => `two levels of kuduHash() use '${showName(column)}'. Kudu allows a column in one level only.`,
  valueOf({ count, seed = 0 }, positions, inputs) {
    const last = inputs.length - 1
    const encodings = inputs.map((input, i) => (i === last ? (kuduLast(input.type) ?? input.ascending) : input.ascending))
    return hashOf(positions, encodings, (bytes, length) => murmur2Modulo(bytes, 0, length, seed, count))
  },
}
