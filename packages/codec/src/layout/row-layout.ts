import type { TypeData } from '../types/column-type.js'
import type { Salt } from '../salts/salt.js'
import type { Row, Value } from '../values/value.js'
import { columnCodec, type ColumnCodec } from '../encodings/column-codec.js'
import { Reader } from '../encodings/reader.js'
import { codecError } from '../error.js'
import { saltCodec, type SaltCodec } from '../salts/salt-codec.js'
import { afterPrefix, type Bound, type Bucket } from './bound.js'

/** One salt level: what it is computed from, how many values it has, and its value for a row (reads `columns` only). */
export interface SaltLevel {
  readonly columns: readonly number[]
  readonly count: number
  of(row: Row): number
}

/**
 * The bytes of a key layout over positional rows: rowkey = `P ‖ K`, P = salts ‖ partition columns, K = the other key columns.
 * Both are prefix-free, so sorting by (P, K) equals sorting the bytes. Values must be canonical; see {@link Value}.
 */
export interface RowLayout {
  readonly salts: readonly SaltLevel[]
  bucketOf(key: Row): Bucket
  /** Logical key order; salts play no part. */
  compareRows(a: Row, b: Row): number
  compareBounds(a: Bound, b: Bound): number
  /** P‖K of a key or a whole row. */
  rowkey(key: Row): Uint8Array
  /** P */
  partition(bucket: Bucket, prefix: Row): Uint8Array
  /** K */
  rest(key: Row): Uint8Array
  /** K of a bound, null = above every K of this P. */
  restBound(bound: Bound): Uint8Array | null
  /** P‖K of a bound, null = above every rowkey. */
  rowkeyBound(bucket: Bucket, bound: Bound): Uint8Array | null
  /** Fills the key positions of `into`. @throws RowkeyError `MALFORMED_KEY` */
  decode(rowkey: Uint8Array, into: Value[]): void
  /** The bytes and the key order of one key column, direction and null marker included. */
  column(position: number): { encode(value: Value): Uint8Array; decode(bytes: Uint8Array): Value; compare(a: Value, b: Value): number }
}

/** The parts of a layout that {@link keyLayout} builds on too. @internal */
export interface LayoutParts {
  readonly columns: readonly ColumnCodec[]
  readonly salts: readonly SaltCodec[]
  readonly saltBytes: number
  writeSalts(target: Uint8Array, bucket: Bucket): number
  readonly rows: RowLayout
}

/** @throws RowkeyError `INVALID_LAYOUT` */
export function layoutParts(
  key: readonly { readonly name: string; readonly type: TypeData }[],
  partitionLength: number,
  saltData: readonly Salt[],
): LayoutParts {
  const columns = key.map(({ name, type }) => columnCodec(name, type))
  const salts = saltData.map((salt) => saltCodec(salt, columns))
  checkLevels(saltData)
  const buckets = salts.reduce((product, { count }) => product * count, 1)
  if (!Number.isSafeInteger(buckets)) {
    throw codecError('INVALID_LAYOUT', `the salt levels make ${buckets} buckets together. Keep the product below 2^53.`, {})
  }
  const saltBytes = salts.reduce((sum, { bytes }) => sum + bytes, 0)

  const sizeOf = (row: Row, from: number, to: number): number => {
    let size = 0
    for (let i = from; i < to; i++) size += (columns[i] as ColumnCodec).size(row[i] as Value)
    return size
  }
  const write = (target: Uint8Array, at: number, row: Row, from: number, to: number): number => {
    for (let i = from; i < to; i++) at = (columns[i] as ColumnCodec).write(target, at, row[i] as Value)
    return at
  }
  const writeSalts = (target: Uint8Array, bucket: Bucket): number => {
    let rest = bucket
    let end = saltBytes
    for (let i = salts.length - 1; i >= 0; i--) {
      const { count, bytes, write: writeSalt } = salts[i] as SaltCodec
      end -= bytes
      writeSalt(target, end, rest % count)
      rest = Math.floor(rest / count)
    }
    return saltBytes
  }
  const bucketOf = (row: Row): Bucket => {
    let bucket = 0
    for (const salt of salts) bucket = bucket * salt.count + salt.of(row)
    return bucket
  }
  const encodeRange = (row: Row, from: number, to: number): Uint8Array => {
    const bytes = new Uint8Array(sizeOf(row, from, to))
    write(bytes, 0, row, from, to)
    return bytes
  }
  const rowkey = (bucket: Bucket, row: Row, length: number): Uint8Array => {
    const bytes = new Uint8Array(saltBytes + sizeOf(row, 0, length))
    write(bytes, writeSalts(bytes, bucket), row, 0, length)
    return bytes
  }
  const edgeOf = (bytes: Uint8Array, edge: Bound['edge']): Uint8Array | null => (edge === 'before' ? bytes : afterPrefix(bytes))
  const comparePrefix = (a: Row, b: Row, length: number): number => {
    for (let i = 0; i < length; i++) {
      const order = (columns[i] as ColumnCodec).compare(a[i] as Value, b[i] as Value)
      if (order !== 0) return order
    }
    return 0
  }

  const rows: RowLayout = {
    salts,
    bucketOf,
    compareRows: (a, b) => comparePrefix(a, b, columns.length),
    compareBounds(a, b) {
      const order = comparePrefix(a.prefix, b.prefix, Math.min(a.prefix.length, b.prefix.length))
      if (order !== 0) return order
      // The shorter prefix encloses the longer one, so its edge decides.
      if (a.prefix.length < b.prefix.length) return a.edge === 'before' ? -1 : 1
      if (a.prefix.length > b.prefix.length) return b.edge === 'before' ? 1 : -1
      return Number(a.edge === 'after') - Number(b.edge === 'after')
    },
    rowkey: (row) => rowkey(bucketOf(row), row, columns.length),
    partition: (bucket, prefix) => rowkey(bucket, prefix, partitionLength),
    rest: (row) => encodeRange(row, partitionLength, columns.length),
    restBound({ prefix, edge }) {
      return edgeOf(encodeRange(prefix, partitionLength, Math.max(prefix.length, partitionLength)), edge)
    },
    rowkeyBound: (bucket, { prefix, edge }) => edgeOf(rowkey(bucket, prefix, prefix.length), edge),
    decode(bytes, into) {
      const reader = new Reader(bytes)
      let bucket = 0
      for (const salt of salts) bucket = bucket * salt.count + salt.read(reader)
      columns.forEach((column, i) => (into[i] = column.read(reader)))
      reader.column = columns.at(-1)?.name ?? ''
      if (reader.at < bytes.length) reader.fail(`${bytes.length - reader.at} bytes follow the last column`)
      if (bucketOf(into) !== bucket) {
        reader.column = 'salt'
        reader.at = 0
        reader.fail('the salt is not the one of these columns')
      }
    },
    column(position) {
      const codec = columns[position] as ColumnCodec
      return {
        encode(value) {
          const bytes = new Uint8Array(codec.size(value))
          codec.write(bytes, 0, value)
          return bytes
        },
        decode(bytes) {
          const reader = new Reader(bytes)
          const value = codec.read(reader)
          if (reader.at < bytes.length) reader.fail(`${bytes.length - reader.at} bytes follow the value`)
          return value
        },
        compare: codec.compare,
      }
    },
  }
  return { columns, salts, saltBytes, writeSalts, rows: Object.freeze(rows) }
}

/** Kudu hashes no column twice; with other salts it may make sense. */
function checkLevels(salts: readonly Salt[]): void {
  const hashed = salts.filter(({ kind }) => kind === 'hashPartition').flatMap(({ of }) => of)
  const twice = hashed.find((name, at) => hashed.indexOf(name) < at)
  if (twice === undefined) return
  const message = `two levels of hashPartition() are of '${twice}', as no Kudu table can be. Use each column in one level.`
  throw codecError('INVALID_LAYOUT', message, { column: twice })
}

/**
 * The positional layout of a key. Most users want {@link keyLayout}; the store layer and adapters use this.
 *
 * @param partitionLength how many leading columns belong to the partition P
 * @throws RowkeyError `INVALID_LAYOUT`
 * @example
 * ```ts
 * const layout = rowLayout([{ name: 'host', type: text() }], 0, [])
 * toHex(layout.rest(['web'])) //=> '7765620000'
 * ```
 */
export function rowLayout(
  key: readonly { readonly name: string; readonly type: TypeData }[],
  partitionLength: number,
  salts: readonly Salt[],
): RowLayout {
  return layoutParts(key, partitionLength, salts).rows
}
