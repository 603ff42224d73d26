import type { EncodedKey, Row } from '#codec'
import { utf8Length, type Values } from '#codec/internal'
import type { TableSchema } from '#model'
import type { Capabilities } from '../contract/description.js'
import { storeError, type StoreErrorDetails } from '../errors.js'
import { rowWeight } from './row.js'

/** What every store can hold. The core refuses more before any store is called. */
export const portableLimits: { readonly rowkeyBytes: number; readonly columnBytes: number; readonly rowBytes: number } = Object.freeze({
  rowkeyBytes: 1000,
  columnBytes: 65_535,
  rowBytes: 380_000,
})

/**
 * The maximum number of values of an `in`, of keys of a GET plan, and of ranges that a caller may allow. Ranges are all made before the first
 * row is read, and block the event loop in the meantime.
 */
export const maxInPlan = 100_000

/** Up to this many bytes, a value that is too long is counted exactly; of a longer one only the length is read. */
export const maxCounted = 131_072

/**
 * Refuses a value that is far too long for its column before anything is done with it. Sizes are checked exactly when it is converted and
 * encoded, which takes time in proportion to the length. This reads at most 131,072 bytes.
 *
 * @throws RowkeyError `LIMIT_EXCEEDED`
 * @example
 * ```ts
 * refuseLong(schema, 0, values(text(), 'id'), 'x'.repeat(1e7)) // throws LIMIT_EXCEEDED
 * ```
 */
export function refuseLong(schema: TableSchema, position: number, column: Values, given: unknown): void {
  const bytes = column.leastBytes(given, maxCounted)
  if (bytes <= maxCounted) return
  const isKey = position < schema.keyLength
  const name = `column '${schema.columns[position]?.name ?? ''}'`
  throw exceeded(
    schema,
    isKey ? 'rowkey' : 'column',
    name,
    bytes,
    isKey ? portableLimits.rowkeyBytes : portableLimits.columnBytes,
    'at least ',
  )
}

/**
 * Refuses constant defaults that are longer than a column may be: each row that leaves the column out would be refused.
 *
 * @throws RowkeyError `LIMIT_EXCEEDED`
 */
export function refuseLongDefaults(schema: TableSchema, limits: Pick<Capabilities['limits'], 'valueBytes'> | undefined): void {
  const { name: table, columns, keyLength } = schema
  for (let i = 0; i < columns.length; i++) {
    const { name, type } = columns[i] as TableSchema['columns'][number]
    if (type.default?.kind !== 'constant') continue
    const bytes = valueBytes(type.default.value)
    const isKey = i < keyLength
    const max = isKey ? portableLimits.rowkeyBytes : Math.min(portableLimits.columnBytes, limits?.valueBytes ?? Infinity)
    if (bytes <= max) continue
    const message = `the default of column '${name}' of '${table}' takes ${bytes} bytes, more than ${max}, so no row can have it. Shorten it, or leave it out.`
    throw storeError('LIMIT_EXCEEDED', message, { table, limit: isKey ? 'rowkey' : 'column', bytes, max })
  }
}

/**
 * Encodes the key of a row and checks its sizes. The mutation carries the encoded key, so it is not encoded again.
 *
 * @throws RowkeyError `LIMIT_EXCEEDED`
 */
export function checkKey(schema: TableSchema, row: Row, { limits }: Capabilities): EncodedKey {
  const key = schema.layout.encodeKey(row)
  const { bytes, partitionBytes } = key
  check(schema, 'rowkey', 'the rowkey', bytes.length, portableLimits.rowkeyBytes)
  check(schema, 'partition', 'the partition (salt and partition columns)', partitionBytes, limits.partitionBytes)
  check(schema, 'sortKey', 'the part of the rowkey after the partition', bytes.length - partitionBytes, limits.sortKeyBytes)
  return key
}

/**
 * Encodes the key of a row and checks the sizes of the row: its key, each column, and the sum of UTF-8 names and values.
 *
 * @throws RowkeyError `LIMIT_EXCEEDED`
 */
export function checkRow(schema: TableSchema, row: Row, capabilities: Capabilities): EncodedKey {
  const key = checkKey(schema, row, capabilities)
  const maxColumn = Math.min(portableLimits.columnBytes, capabilities.limits.valueBytes)
  // UTF-8 takes at most 3 bytes per UTF-16 unit, and all names of a table about 32 kB: of a small row nothing needs to be counted.
  if (3 * rowWeight(row) > maxColumn) checkSizes(schema, row, maxColumn)
  return key
}

function checkSizes(schema: TableSchema, row: Row, maxColumn: number): void {
  const { columns } = schema
  let total = 0
  for (let i = 0; i < columns.length; i++) {
    const { name, physical } = columns[i] as TableSchema['columns'][number]
    const bytes = valueBytes(row[i])
    if (bytes > maxColumn) throw exceeded(schema, 'column', `column '${name}'`, bytes, maxColumn)
    total += physical.length + bytes
  }
  check(schema, 'row', 'the whole row', total, portableLimits.rowBytes)
}

function valueBytes(value: Row[number] | undefined): number {
  if (typeof value === 'string') return utf8Length(value)
  if (value instanceof Uint8Array) return value.length
  return value === null || value === undefined ? 0 : 8
}

function check(schema: TableSchema, limit: StoreErrorDetails['LIMIT_EXCEEDED']['limit'], what: string, bytes: number, max: number): void {
  if (bytes > max) throw exceeded(schema, limit, what, bytes, max)
}

function exceeded(
  { name: table }: TableSchema,
  limit: StoreErrorDetails['LIMIT_EXCEEDED']['limit'],
  what: string,
  bytes: number,
  max: number,
  about = '',
): Error {
  const message = `in a row of '${table}', ${what} takes ${about}${bytes} bytes, more than ${max}. Shorten it${limit === 'column' || limit === 'row' ? ', or split the row' : ''}.`
  return storeError('LIMIT_EXCEEDED', message, { table, limit, bytes, max })
}
