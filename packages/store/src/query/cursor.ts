import type { Row, RowLayout, Value } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import { compareKeys, fromHex, isRowkeyError, rowLayout } from '@rowkey/codec'
import { storeError, type StoreErrorDetails } from '../errors.js'
import { fromBase64url, toBase64url } from './base64url.js'

/** What a cursor belongs to. */
export interface CursorQuery {
  readonly reverse: boolean
  /** 8 bytes over the predicate. */
  readonly fingerprint: Uint8Array
}

const version = 1
const longest = 16_384 // characters: many times what the longest key needs
const header = 18 // version, direction, layout fingerprint (8), predicate fingerprint (8)

/**
 * A cursor: where a scan stands, as URL-safe text. It holds the last examined logical key, without salt and without anything of the
 * store, so it survives restarts, another bucket count and another store. It is no secret and no permission.
 *
 * @param last undefined = nothing was examined yet: the cursor of the start
 */
export function writeCursor(schema: TableSchema, query: CursorQuery, last: Row | undefined): string {
  const key = last === undefined ? new Uint8Array() : logicalLayout(schema).rest(last)
  const bytes = new Uint8Array(header + key.length)
  bytes[0] = version
  bytes[1] = Number(query.reverse)
  bytes.set(layoutBytes(schema), 2)
  bytes.set(query.fingerprint, 10)
  bytes.set(key, header)
  return toBase64url(bytes)
}

/**
 * The key a cursor stands at; undefined = the start.
 *
 * @throws RowkeyError `CURSOR_INVALID` for text that is no cursor, `CURSOR_MISMATCH` for the cursor of another query
 */
export function readCursor(schema: TableSchema, query: CursorQuery, cursor: string): Row | undefined {
  const bytes = typeof cursor === 'string' && cursor.length <= longest ? fromBase64url(cursor) : undefined
  if (bytes === undefined || bytes.length < header) throw invalid('it is cut or not a cursor')
  if (bytes[0] !== version) throw invalid(`it has format ${bytes[0]}, this version reads format ${version}`)
  if ((bytes[1] as number) > 1) throw invalid('it names no direction')
  if (compareKeys(bytes.subarray(2, 10), layoutBytes(schema)) !== 0) throw mismatch(schema, 'layout', 'a table with another key layout')
  if (compareKeys(bytes.subarray(10, header), query.fingerprint) !== 0)
    throw mismatch(schema, 'predicate', 'a query with another predicate')
  if ((bytes[1] === 1) !== query.reverse) throw mismatch(schema, 'direction', 'a scan in the other direction')
  if (bytes.length === header) return undefined
  const key: Value[] = []
  try {
    logicalLayout(schema).decode(bytes.subarray(header), key)
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    throw invalid('its key is malformed', error)
  }
  return key
}

function invalid(reason: string, cause?: unknown): Error {
  const message = `the cursor cannot be read: ${reason}. Pass the text of a page's cursor unchanged, or start without one.`
  return storeError('CURSOR_INVALID', message, { reason }, cause === undefined ? {} : { cause })
}

function mismatch(schema: TableSchema, differs: StoreErrorDetails['CURSOR_MISMATCH']['differs'], owner: string): Error {
  return storeError(
    'CURSOR_MISMATCH',
    `the cursor given for '${schema.name}' belongs to ${owner}. Continue with the same table, predicate and direction, or start without a cursor.`,
    { differs },
  )
}

const layouts = new WeakMap<TableSchema, RowLayout>()

/** The key columns alone, in key order. */
function logicalLayout(schema: TableSchema): RowLayout {
  const known = layouts.get(schema)
  if (known !== undefined) return known
  const layout = rowLayout(schema.columns.slice(0, schema.keyLength), 0, [])
  layouts.set(schema, layout)
  return layout
}

const fingerprints = new WeakMap<TableSchema, Uint8Array>()

function layoutBytes(schema: TableSchema): Uint8Array {
  const known = fingerprints.get(schema)
  if (known !== undefined) return known
  const bytes = fromHex(schema.fingerprints.key)
  fingerprints.set(schema, bytes)
  return bytes
}
