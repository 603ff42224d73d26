import type { Row } from '#codec'
import { checkOptions } from '#codec/internal'
import { customRanges, type CustomRange } from './custom-ranges.js'
import { hashLevels, positionsOf, type HashLevel } from './hash-levels.js'
import { encodeAll, encodingsOf, keyColumns, refused, rowOf, type KuduColumns, type KuduKeyOf } from './key-columns.js'
import type { KuduColumn } from './kudu-column.js'

/** How a table is partitioned. At least one of `hash` and `range` is there; `range: []` alone is a table of one tablet. */
export interface PartitionOptions<Key extends object = Record<string, unknown>> {
  /** Levels of hash partitions; no column is in two of them. */
  readonly hash?: readonly HashLevel<keyof Key & string>[]
  /** Columns of the range partitions, in their order, which need not be that of the key. */
  readonly range?: readonly (keyof Key & string)[]
  /** Ranges that have hash levels of their own. */
  readonly customRanges?: readonly CustomRange<Key>[]
}

/** Tells the tablet of a row. */
export interface PartitionSchema<Key extends object = Record<string, unknown>> {
  /** The encoded partition key: 4 bytes big-endian per hash level, then the range columns. @throws RowkeyError `INVALID_VALUE` */
  encode(key: Key): Uint8Array
  /** The bucket of each hash level. @throws RowkeyError `INVALID_VALUE` */
  buckets(key: Key): readonly number[]
}

/**
 * The partition schema of a table with this primary key, byte for byte as Kudu's Java client encodes it. A bucket is the
 * MurmurHash2-64A of the level's encoded columns (in the order of the key, the last one raw) modulo the number of buckets. A
 * partition key cannot be decoded, because it does not always contain all columns.
 *
 * @throws RowkeyError `INVALID_LAYOUT` for columns that are not in the key, one in two levels, counts and seeds that do not fit, and
 * ranges that are empty, overlap, or have another number of hash levels than the table.
 * @example
 * ```ts
 * const columns = [['host', STRING], ['metric', STRING], ['at', UNIXTIME_MICROS]]
 * const table = partitionSchema(columns, { hash: [{ columns: ['host', 'metric'], buckets: 4 }], range: ['at'] })
 * const key = { host: 'web', metric: 'cpu', at: 5n }
 * toHex(table.encode(key)) //=> '000000018000000000000005'
 * table.buckets(key)       //=> [ 1 ]
 * ```
 */
export function partitionSchema<const E extends KuduColumns>(
  columns: E,
  options: PartitionOptions<KuduKeyOf<E>>,
): PartitionSchema<KuduKeyOf<E>> {
  const parts = keyColumns(columns)
  checkOptions('partitionSchema()', options, ['hash', 'range', 'customRanges'], refused)
  const given = options as PartitionOptions
  if (given.hash === undefined && given.range === undefined)
    throw refused('the partition schema has neither hash nor range. Give one of them, or both.')
  const toRow = rowOf(parts)
  const levels = hashLevels(given.hash ?? [], parts)
  const positions = positionsOf('range', given.range ?? [], parts)
  const rangeColumns = positions.map((at) => parts[at] as KuduColumn)
  const encodings = encodingsOf(rangeColumns)
  const levelsAt = customRanges(given.customRanges ?? [], parts, rangeColumns, levels)
  const rangeOf = (row: Row): Row => positions.map((at) => row[at] as Row[number])

  const schema: PartitionSchema = {
    encode(key) {
      const row = toRow(key)
      const bytes = encodeAll(encodings, rangeOf(row), 4 * levels.length)
      const view = new DataView(bytes.buffer)
      levelsAt(bytes.subarray(4 * levels.length)).forEach((bucketOf, i) => {
        view.setUint32(4 * i, bucketOf(row))
      })
      return bytes
    },
    buckets(key) {
      const row = toRow(key)
      return levelsAt(encodeAll(encodings, rangeOf(row))).map((bucketOf) => bucketOf(row))
    },
  }
  return Object.freeze(schema)
}
