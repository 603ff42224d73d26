// Also tested by cursor-formats.test.ts.
import { type Bound, compareKeys, fromHex, isRowkeyError, type Row, type RowLayout, rowLayout, type Value } from '#codec'
import type { TableSchema } from '#model'
import { storeError, type StoreErrorDetails } from '../errors.js'
import type { ScanOrder } from '../plan/order.js'
import { fromBase64url, toBase64url } from './base64url.js'
import { tableFingerprint } from './fingerprint.js'

/** What a cursor belongs to. */
export interface CursorQuery extends ScanOrder {
  /** 8 bytes over the predicate, and over the bounds and the merged order if it has them. */
  readonly fingerprint: Uint8Array
}

const version = 2
const withoutTable = 1 // the previous version, which is still read
const maxLength = 16_384 // characters: many times what the longest key needs
const header = 26 // version, form and direction, fingerprints of layout (8), predicate (8) and table (8)
const headerWithoutTable = 18

/** The second byte: 0 or 1 for the direction. Together with one of these it says that a length and the values of a bound follow. */
const forms = { before: 2, after: 4 } as const
/** The same byte of a cursor to the page before a position, which is read backwards. */
const towardsStart = 8
/** The same byte if the number of rows before the position follows the head, because the scan has a limit. */
const counted = 16
const countLength = 8

/** Where a scan stands, and whether the rows before that place are wanted, not those after it. */
export interface CursorPosition {
  /** undefined = the start */
  readonly bound: Bound | undefined
  readonly backwards: boolean
  /** How many rows the scan returned before that place; 0 if it has no limit. */
  readonly rows: number
}

/**
 * A cursor: where a scan of one table stands, as URL-safe text. It contains the last examined logical key or, between two ranges, the end
 * of a range. It contains no salt and nothing of the store, so it survives restarts, another bucket count and another store. It is neither
 * secret nor a permission.
 *
 * @param at undefined = nothing was examined yet: the cursor of the start
 * @param backwards for a cursor to the rows before `at`
 * @param rows how many rows a scan with a limit returned before `at`
 */
export function writeCursor(schema: TableSchema, query: CursorQuery, at: Bound | undefined, backwards = false, rows = 0): string {
  const isKey = at?.prefix.length === schema.keyLength && at.edge === (query.reverse ? 'before' : 'after')
  const values = at === undefined ? new Uint8Array() : logicalLayout(schema, at.prefix.length).sortKey(at.prefix)
  const head = rows === 0 ? header : header + countLength
  const begin = at === undefined || isKey ? head : head + 1
  const bytes = new Uint8Array(begin + values.length)
  bytes[0] = version
  const form = begin === head ? 0 : forms[at?.edge ?? 'after']
  bytes[1] = Number(query.reverse) + form + (backwards ? towardsStart : 0) + (head === header ? 0 : counted)
  bytes.set(layoutBytes(schema), 2)
  bytes.set(query.fingerprint, 10)
  bytes.set(tableFingerprint(schema), headerWithoutTable)
  if (head > header) countOf(bytes).setBigUint64(0, BigInt(rows))
  if (begin > head) bytes[head] = at?.prefix.length ?? 0
  bytes.set(values, begin)
  return toBase64url(bytes)
}

/**
 * The position of a cursor.
 *
 * Cursors of the previous format do not say which table they belong to; the rest is checked as usual.
 *
 * @throws RowkeyError `CURSOR_INVALID` for text that is not a cursor, `CURSOR_MISMATCH` for the cursor of another table or query
 */
export function readCursor(schema: TableSchema, query: CursorQuery, cursor: string): CursorPosition {
  const bytes = typeof cursor === 'string' && cursor.length <= maxLength ? fromBase64url(cursor) : undefined
  if (bytes === undefined || bytes.length < headerWithoutTable) throw invalid('it is truncated or not a cursor')
  const isOlder = bytes[0] === withoutTable
  if (!isOlder && bytes[0] !== version)
    throw invalid(`it has format ${bytes[0]}, but this version reads formats ${withoutTable} and ${version}`)
  const isCounted = !isOlder && ((bytes[1] as number) & counted) !== 0
  const begin = (isOlder ? headerWithoutTable : header) + (isCounted ? countLength : 0)
  if (bytes.length < begin) throw invalid('it is truncated or not a cursor')
  const form = (bytes[1] as number) & ~(1 | towardsStart | (isCounted ? counted : 0))
  const backwards = ((bytes[1] as number) & towardsStart) !== 0
  if (form !== 0 && form !== forms.before && form !== forms.after) throw invalid('it is truncated or not a cursor')
  if (compareKeys(bytes.subarray(2, 10), layoutBytes(schema)) !== 0) throw mismatch(schema, 'layout', 'a table with another key layout')
  if (!isOlder && compareKeys(bytes.subarray(headerWithoutTable, header), tableFingerprint(schema)) !== 0)
    throw mismatch(schema, 'table', 'another table')
  if (compareKeys(bytes.subarray(10, headerWithoutTable), query.fingerprint) !== 0)
    throw mismatch(schema, 'predicate', 'a query with another predicate')
  if ((bytes[1] as number) % 2 !== Number(query.reverse)) throw mismatch(schema, 'direction', 'a scan in the other direction')
  const rows = isCounted ? Number(countOf(bytes).getBigUint64(0)) : 0
  if (isCounted && !(Number.isSafeInteger(rows) && rows > 0)) throw invalid('its number of rows is malformed')
  if (bytes.length === begin) {
    if (backwards) throw invalid('it names no row')
    return { bound: undefined, backwards, rows }
  }
  if (form === 0) {
    const bound: Bound = { prefix: valuesOf(schema, schema.keyLength, bytes.subarray(begin)), edge: query.reverse ? 'before' : 'after' }
    return { bound, backwards, rows }
  }
  const length = bytes[begin] as number
  // A merged order has no ends of ranges in it; otherwise no column is the end of a range that is open.
  if ((query.merged > 0 && length < schema.keyLength) || length > schema.keyLength) throw invalid('its key is malformed')
  const bound: Bound = { prefix: valuesOf(schema, length, bytes.subarray(begin + 1)), edge: form === forms.before ? 'before' : 'after' }
  return { bound, backwards, rows }
}

const countOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset + header, countLength)

function valuesOf(schema: TableSchema, length: number, bytes: Uint8Array): Row {
  const values: Value[] = []
  try {
    logicalLayout(schema, length).decode(bytes, values)
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    throw invalid('its key is malformed', error)
  }
  return values
}

function invalid(reason: string, cause?: unknown): Error {
  const message = `the cursor cannot be read: ${reason}. Pass the cursor of a page unchanged, or start without one.`
  return storeError('CURSOR_INVALID', message, { reason }, cause === undefined ? {} : { cause })
}

function mismatch(schema: TableSchema, differs: StoreErrorDetails['CURSOR_MISMATCH']['differs'], owner: string): Error {
  return storeError(
    'CURSOR_MISMATCH',
    `the cursor given for '${schema.name}' belongs to ${owner}. Continue with the same table, predicate and direction, or start without a cursor.`,
    { differs },
  )
}

const layouts = new WeakMap<TableSchema, RowLayout[]>()

/** The first key columns alone, in key order. */
function logicalLayout(schema: TableSchema, length: number): RowLayout {
  let known = layouts.get(schema)
  if (known === undefined) layouts.set(schema, (known = []))
  return (known[length] ??= rowLayout(schema.columns.slice(0, length), 0, []))
}

const fingerprints = new WeakMap<TableSchema, Uint8Array>()

function layoutBytes(schema: TableSchema): Uint8Array {
  const known = fingerprints.get(schema)
  if (known !== undefined) return known
  const bytes = fromHex(schema.fingerprints.key)
  fingerprints.set(schema, bytes)
  return bytes
}
