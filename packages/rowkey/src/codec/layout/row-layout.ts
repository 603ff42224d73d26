// Tested by properties.test.ts, key-bound.test.ts and malformed.test.ts.
import type { Salt } from '../salts/salt.js'
import { columnCodec, type ColumnCodec } from '../type/column-codec.js'
import type { Row, TypeData, Value } from '../type/column-type.js'
import { Reader } from '../type/reader.js'
import type { SaltCodec } from '../salts/salt-codec.js'
import { above, next, type Bound, type Bucket } from './bound.js'
import { compiledPaths, type Codegen } from './compiled-paths.js'
import { owned, scratch } from './scratch.js'
import { layoutParts, saltSize, type LayoutParts } from './layout-parts.js'
import type { CompiledPaths } from './compile-layout.js'

/** One salt level: what it is computed from, how many values it has, and its value for a row (reads `columns` only). */
export interface SaltLevel {
  readonly columns: readonly number[]
  /** At most, if it changes with a period. */
  readonly count: number
  readonly growth?: { readonly column: number; countAt(period: Value): number }
  of(row: Row): number
}

/** A rowkey `P ‖ K` and where P ends. */
export interface EncodedKey {
  /** P‖K, in memory of its own. */
  readonly bytes: Uint8Array
  /** How many of the bytes are P: salts and partition columns. The others are K. */
  readonly partitionBytes: number
}

/**
 * The bytes of a key layout over positional rows: rowkey = `P ‖ K`, P = salts ‖ partition columns, K = the other key columns.
 * P is prefix-free, so sorting by (P, K) equals sorting the bytes. K is prefix-free too, except with lastText, lastBytes and separatedText
 * with `split`. Values must be canonical; see {@link Value}.
 */
export interface RowLayout {
  readonly salts: readonly SaltLevel[]
  /** How many buckets the salts make together: their product, and 1 without a salt. */
  readonly buckets: number
  bucketOf(key: Row): Bucket
  /**
   * The column that ends at its last separator, undefined if there is none. Keys that start with one of its values may have another one, and
   * from this column on, keys have the order of their bytes.
   */
  readonly splitColumn: number | undefined
  /** Logical key order; salts play no part. */
  compareRows(a: Row, b: Row): number
  compareBounds(a: Bound, b: Bound): number
  /** P‖K of a key or a whole row. */
  rowkey(key: Row): Uint8Array
  /** P‖K of a key or a whole row, and how many bytes of it are P; costs as much as {@link RowLayout.rowkey}. */
  encodeKey(key: Row): EncodedKey
  /** P */
  partition(bucket: Bucket, prefix: Row): Uint8Array
  /** K */
  sortKey(key: Row): Uint8Array
  /** K of a bound, null = above every K of this P. */
  sortKeyBound(bound: Bound): Uint8Array | null
  /** P‖K of a bound, null = above every rowkey. */
  rowkeyBound(bucket: Bucket, bound: Bound): Uint8Array | null
  /** Fills the key positions of `into`. @throws RowkeyError `MALFORMED_KEY` */
  decode(rowkey: Uint8Array, into: Value[]): void
  /** The bytes and the key order of one key column, direction and null marker included. */
  column(position: number): { encode(value: Value): Uint8Array; decode(bytes: Uint8Array): Value; compare(a: Value, b: Value): number }
}

/** The rows of a layout. {@link keyLayout} shares them, and also needs the compiled paths and the functions for what those do not handle. */
export function rowsOf(
  parts: LayoutParts,
  codegen: Codegen,
  onCompiled: () => void,
): { readonly rows: RowLayout; readonly compiled: CompiledPaths; readonly interpreted: Pick<RowLayout, 'rowkey' | 'decode'> } {
  const { columns, partitionLength, salts, saltBytes, openEnded, split } = parts

  /** From the last one to the first; `write` gets each with its value, and where it ends. */
  const eachSalt = (bucket: Bucket, end: number, write: (salt: SaltCodec, at: number, value: number) => void): number => {
    let rest = bucket
    for (let i = salts.length - 1; i >= 0; i--) {
      const salt = salts[i] as SaltCodec
      const value = rest % salt.count
      end -= salt.size?.(value) ?? salt.bytes
      write(salt, end, value)
      rest = Math.floor(rest / salt.count)
    }
    return end
  }
  const hasFixedSalts = salts.every(({ size }) => size === undefined)
  const sizeOfSalts = (bucket: Bucket): number => (hasFixedSalts ? saltBytes : -eachSalt(bucket, 0, () => undefined))
  const bucketOf = (row: Row): Bucket => {
    let bucket = 0
    for (const salt of salts) bucket = bucket * salt.count + salt.of(row)
    return bucket
  }
  /** Columns `[from, to)` after `room` free bytes. */
  const encodeRange = (row: Row, from: number, to: number, room = 0): Uint8Array => {
    let size = room
    for (let i = from; i < to; i++) size += (columns[i] as ColumnCodec).size(row[i] as Value)
    const bytes = new Uint8Array(size)
    let at = room
    for (let i = from; i < to; i++) at = (columns[i] as ColumnCodec).write(bytes, at, row[i] as Value)
    return bytes
  }
  const encodeSalted = (bucket: Bucket, row: Row, length: number): Uint8Array => {
    const size = sizeOfSalts(bucket)
    const bytes = encodeRange(row, 0, length, size)
    if (size > 0) eachSalt(bucket, size, (salt, at, value) => salt.write(bytes, at, value))
    return bytes
  }
  const edgeOf = (bytes: Uint8Array, { prefix, edge }: Bound): Uint8Array | null => {
    if (edge === 'before') return bytes
    // Other keys may begin with a whole key, and they are after it.
    return openEnded && prefix.length >= columns.length ? next(bytes) : above(bytes)
  }
  const comparePrefix = (a: Row, b: Row, length: number): number => {
    for (let i = 0; i < length; i++) {
      const order = (columns[i] as ColumnCodec).compare(a[i] as Value, b[i] as Value)
      if (order !== 0) return order
    }
    return 0
  }
  const compareRows = (a: Row, b: Row): number =>
    comparePrefix(a, b, split?.column ?? columns.length) || (split === undefined ? 0 : split.compareRows(a, b))
  const decode = (bytes: Uint8Array, into: Value[]): void => {
    const reader = new Reader(bytes)
    let bucket = 0
    for (const salt of salts) bucket = bucket * salt.count + salt.read(reader)
    for (let i = 0; i < columns.length; i++) into[i] = (columns[i] as ColumnCodec).read(reader)
    reader.column = columns.at(-1)?.name ?? ''
    if (reader.left > 0) reader.fail(`it continues after the last column (remaining bytes: ${reader.left})`)
    if (bucketOf(into) === bucket) return
    reader.column = 'salt'
    reader.at = 0
    reader.fail('the salt does not match these columns, for example because of another bucket count or seed')
  }

  const splits = partitionLength > 0
  const interpreted: Pick<RowLayout, 'rowkey' | 'decode'> = { rowkey: (row) => encodeSalted(bucketOf(row), row, columns.length), decode }
  const compiled = compiledPaths(parts, compareRows, codegen, onCompiled)
  const rows: RowLayout = {
    salts,
    buckets: salts.reduce((product, { count }) => product * count, 1),
    bucketOf,
    splitColumn: split?.column,
    get compareRows() {
      return compiled.compare
    },
    compareBounds(a, b) {
      const shared = Math.min(a.prefix.length, b.prefix.length)
      const isSplit = split !== undefined && shared > split.column
      const order = comparePrefix(a.prefix, b.prefix, isSplit ? split.column : shared)
      if (order !== 0) return order
      if (isSplit) return split.compareBounds(a, b)
      // The keys of the shorter prefix include those of the longer one, so its edge decides.
      if (a.prefix.length < b.prefix.length) return a.edge === 'before' ? -1 : 1
      if (a.prefix.length > b.prefix.length) return b.edge === 'before' ? 1 : -1
      return Number(a.edge === 'after') - Number(b.edge === 'after')
    },
    rowkey(row) {
      const end = compiled.writeRow(scratch, 0, row)
      return end < 0 ? interpreted.rowkey(row) : owned(end)
    },
    encodeKey(row) {
      const end = compiled.writeRow(scratch, 0, row)
      if (end >= 0) return { bytes: owned(end), partitionBytes: splits ? compiled.partitionEnd : saltBytes }
      let partitionBytes = saltSize(salts, row)
      for (let i = 0; i < partitionLength; i++) partitionBytes += (columns[i] as ColumnCodec).size(row[i] as Value)
      return { bytes: interpreted.rowkey(row), partitionBytes }
    },
    partition: (bucket, prefix) => encodeSalted(bucket, prefix, partitionLength),
    sortKey(row) {
      const end = compiled.writeRest(scratch, 0, row)
      return end < 0 ? encodeRange(row, partitionLength, columns.length) : owned(end)
    },
    sortKeyBound(bound) {
      return edgeOf(encodeRange(bound.prefix, partitionLength, Math.max(bound.prefix.length, partitionLength)), bound)
    },
    rowkeyBound: (bucket, bound) => edgeOf(encodeSalted(bucket, bound.prefix, bound.prefix.length), bound),
    decode(bytes, into) {
      const row = compiled.readRow(bytes)
      if (row === undefined) decode(bytes, into)
      else for (let i = 0; i < row.length; i++) into[i] = row[i] as Value
    },
    column(position) {
      const inKey = columns[position] as ColumnCodec
      const codec = inKey.openEnd?.order !== undefined ? columnCodec(inKey.name, inKey.type) : inKey // alone, nothing is after it
      return {
        encode(value) {
          const bytes = new Uint8Array(codec.size(value))
          codec.write(bytes, 0, value)
          return bytes
        },
        decode(bytes) {
          const reader = new Reader(bytes)
          const value = codec.read(reader)
          if (reader.left > 0) reader.fail(`it continues after the value (remaining bytes: ${reader.left})`)
          return value
        },
        compare: codec.compare,
      }
    },
  }
  return { rows: Object.freeze(rows), compiled, interpreted }
}

/**
 * The positional layout of a key. Most users want {@link keyLayout}; the store layer and adapters use this.
 *
 * @param partitionLength how many leading columns belong to the partition P
 * @throws RowkeyError `INVALID_LAYOUT`
 * @example
 * ```ts
 * const layout = rowLayout([{ name: 'host', type: text() }], 0, [])
 * toHex(layout.sortKey(['web'])) //=> '7765620000'
 * ```
 */
export function rowLayout(
  key: readonly { readonly name: string; readonly type: TypeData }[],
  partitionLength: number,
  salts: readonly Salt[],
  options: { readonly codegen?: Codegen } = {},
): RowLayout {
  return rowsOf(layoutParts(key, partitionLength, salts), options.codegen ?? 'auto', () => undefined).rows
}
