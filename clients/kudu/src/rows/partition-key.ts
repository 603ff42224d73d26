// Tested by keys.test.ts, pruning.test.ts and java.test.ts.
import type { Row, RowValues } from '../requests.js'
import type { KuduTable, TableHashLevel } from '../table.js'
import { keyValue, writeKeyColumn } from './keys.js'
import { layoutOf, type CellColumn } from './layout.js'
import { bucketOf } from './murmur2.js'
import { Sink } from './sink.js'

/** Where a row belongs: the bucket of each hash level, 32 bits each, and the range columns as in a key. */
export class PartitionKey {
  readonly bytes: Uint8Array
  readonly #levels: number

  constructor(bytes: Uint8Array, levels: number) {
    this.bytes = bytes
    this.#levels = levels
  }

  get buckets(): readonly number[] {
    const bytes = Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength)
    return Array.from({ length: this.#levels }, (_, level) => bytes.readUInt32BE(4 * level))
  }

  get range(): Uint8Array {
    return this.bytes.subarray(4 * this.#levels)
  }
}

/** Columns of hash levels are written here. */
const hashed = new Sink(1024)
const key = new Sink(1024)

/** The partition of a row. @throws Refusal if a column of it is not set or not of its type */
export function partitionKey(table: KuduTable, row: Row | RowValues): PartitionKey {
  const { columns } = layoutOf(table.columns)
  const { range } = table
  const levels = table.hash.length
  key.length = 0
  key.ensure(4 * levels)
  key.length = 4 * levels
  for (let index = 0; index < range.length; index++) {
    const column = columns[range[index] as number] as CellColumn
    writeKeyColumn(key, column, keyValue(row, column), index === range.length - 1)
  }
  const hash = table.customRanges.length === 0 ? table.hash : hashOf(table, key.bytes.subarray(4 * levels, key.length))
  for (let level = 0; level < levels; level++) {
    key.view.setUint32(4 * level, bucket(columns, hash[level] as TableHashLevel, row))
  }
  return new PartitionKey(key.copy(), levels)
}

function bucket(columns: readonly CellColumn[], { columns: positions, buckets, seed }: TableHashLevel, row: Row | RowValues): number {
  hashed.length = 0
  for (let index = 0; index < positions.length; index++) {
    const column = columns[positions[index] as number] as CellColumn
    writeKeyColumn(hashed, column, keyValue(row, column), index === positions.length - 1)
  }
  return bucketOf(hashed.view, hashed.length, seed, buckets)
}

type CustomRange = KuduTable['customRanges'][number]

const sorted = new WeakMap<KuduTable, readonly CustomRange[]>()

/** Ranges with hash levels of their own, from the first to the last. */
export function customRangesOf(table: KuduTable): readonly CustomRange[] {
  let ranges = sorted.get(table)
  if (ranges === undefined) sorted.set(table, (ranges = [...table.customRanges].sort((a, b) => Buffer.compare(a.from, b.from))))
  return ranges
}

/** The hash levels of the range in which a range key lies. */
function hashOf(table: KuduTable, rangeKey: Uint8Array): readonly TableHashLevel[] {
  const ranges = customRangesOf(table)
  let low = 0
  for (let high = ranges.length; low < high;) {
    const middle = (low + high) >>> 1
    if (Buffer.compare((ranges[middle] as CustomRange).from, rangeKey) <= 0) low = middle + 1
    else high = middle
  }
  const range = ranges[low - 1]
  return range !== undefined && (range.to.length === 0 || Buffer.compare(rangeKey, range.to) < 0) ? range.hash : table.hash
}
