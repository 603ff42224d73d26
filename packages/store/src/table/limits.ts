import type { Row, Values } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Capabilities } from '../contract/adapter.js'
import { utf8Length } from '@rowkey/codec'
import { storeError, type StoreErrorDetails } from '../errors.js'

/** What every store can hold; the core refuses more before any store is asked. */
export const portableLimits: { readonly rowkeyBytes: number; readonly columnBytes: number; readonly rowBytes: number } = Object.freeze({
  rowkeyBytes: 1000,
  columnBytes: 65_535,
  rowBytes: 380_000,
})

/** Bytes of one value that are counted exactly, where it is too long; of a longer one nothing is looked at but its length. */
export const mostCounted = 131_072

/**
 * Refuses a value that is far too long for its column before anything is done with it: sizes are checked exactly when it is converted and
 * encoded, which takes time with its length. This looks at 131,072 bytes at most.
 *
 * @throws RowkeyError `LIMIT_EXCEEDED`
 * @example
 * ```ts
 * refuseLong(schema, 0, values(text(), 'id'), 'x'.repeat(1e7)) // throws LIMIT_EXCEEDED
 * ```
 */
export function refuseLong(schema: TableSchema, position: number, column: Values, given: unknown): void {
  const bytes = column.leastBytes(given, mostCounted)
  if (bytes <= mostCounted) return
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
 * Checks the sizes of a row's key.
 *
 * @throws RowkeyError `LIMIT_EXCEEDED`
 */
export function checkKey(schema: TableSchema, key: Row, { limits }: Capabilities): void {
  const { layout } = schema
  const most = portableLimits.rowkeyBytes
  check(schema, 'rowkey', 'the rowkey', layout.rowkey(key).length, most)
  if (limits.partitionBytes >= most && limits.restBytes >= most) return
  const partition = layout.partition(layout.bucketOf(key), key).length
  const rest = layout.rest(key).length
  check(schema, 'partition', 'the partition (salt and partition columns)', partition, limits.partitionBytes)
  check(schema, 'rest', 'the part of the rowkey behind the partition', rest, limits.restBytes)
}

/**
 * Checks the sizes of a row: its key, each column, and the sum of UTF-8 names and values.
 *
 * @throws RowkeyError `LIMIT_EXCEEDED`
 */
export function checkRow(schema: TableSchema, row: Row, capabilities: Capabilities): void {
  checkKey(schema, row, capabilities)
  let total = 0
  schema.columns.forEach(({ name, physical }, i) => {
    const value = row[i]
    const bytes =
      typeof value === 'string'
        ? utf8Length(value)
        : value instanceof Uint8Array
          ? value.length
          : value === null || value === undefined
            ? 0
            : 8
    check(schema, 'column', `column '${name}'`, bytes, Math.min(portableLimits.columnBytes, capabilities.limits.valueBytes))
    total += physical.length + bytes
  })
  check(schema, 'row', 'the whole row', total, portableLimits.rowBytes)
}

function check(schema: TableSchema, limit: StoreErrorDetails['LIMIT_EXCEEDED']['limit'], what: string, bytes: number, most: number): void {
  if (bytes > most) throw exceeded(schema, limit, what, bytes, most)
}

function exceeded(
  { name: table }: TableSchema,
  limit: StoreErrorDetails['LIMIT_EXCEEDED']['limit'],
  what: string,
  bytes: number,
  most: number,
  about = '',
): Error {
  const message = `in a row of '${table}', ${what} takes ${about}${bytes} bytes, more than ${most}. Shorten it, or split the row.`
  return storeError('LIMIT_EXCEEDED', message, { table, limit, bytes, most })
}
