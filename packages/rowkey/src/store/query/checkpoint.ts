// Tested by cursor-formats.test.ts.
import type { TableSchema } from '#model'
import { compareKeys, fromHex } from '#codec'
import { storeError, type StoreErrorDetails } from '../errors.js'
import { fromBase64url, toBase64url } from './base64url.js'
import { tableFingerprint } from './fingerprint.js'

const version = 2
const ofParts = 3 // the same with any number of checkpoints of the store
const withoutTable = 1 // the previous version, which is still read
const header = 17 // version, fingerprints of layout (8) and table (8)
const headerWithoutTable = 9

/** The maximum length of a store's own checkpoint, in characters, which may take three bytes each. */
export const maxNative = 12_000

/** The maximum number of parts of a table that are read concurrently. */
export const maxParallel = 16

/**
 * The maximum size of a store's checkpoint of one of several parts, in bytes of UTF-8: twice a rowkey as base64, and some room. So 16 of them
 * fit into {@link maxCheckpointLength}.
 */
export const maxPartBytes = 3000

/** The maximum length of a checkpoint, in characters, and more than any cursor has; longer ones are refused before they are read. */
export const maxCheckpointLength = 65_536

/**
 * Where `readAll()` stands, as URL-safe text. It contains the store's own checkpoints, so unlike a cursor it belongs to one store and one
 * layout of its table.
 *
 * @param natives the store's own checkpoint of each part that is left; '' = the start
 */
export function writeCheckpoint(schema: TableSchema, adapter: string, natives: readonly string[]): string {
  const [only = ''] = natives
  const isOne = natives.length === 1
  const content = isOne ? only : natives.map((native) => `${native.length}:${native}`).join('')
  const text = new TextEncoder().encode(`${adapter}\0${content}`)
  const bytes = new Uint8Array(header + text.length)
  bytes[0] = isOne ? version : ofParts
  bytes.set(layoutBytes(schema), 1)
  bytes.set(tableFingerprint(schema), headerWithoutTable)
  bytes.set(text, header)
  return toBase64url(bytes)
}

/**
 * The store's own checkpoints of the parts that are left; '' = the start.
 *
 * @throws RowkeyError `CURSOR_INVALID` for text that is not a checkpoint, `CURSOR_MISMATCH` for one of another table, layout or store
 */
export function readCheckpoint(schema: TableSchema, adapter: string, checkpoint: string): readonly string[] {
  const bytes = typeof checkpoint === 'string' && checkpoint.length <= maxCheckpointLength ? fromBase64url(checkpoint) : undefined
  if (bytes === undefined || bytes.length < headerWithoutTable) throw malformed()
  const isOlder = bytes[0] === withoutTable
  if (!isOlder && bytes[0] !== version && bytes[0] !== ofParts)
    throw invalid(`it has format ${bytes[0]}, but this version reads formats ${withoutTable} to ${ofParts}`)
  const text = textOf(bytes.subarray(isOlder ? headerWithoutTable : header))
  const end = text?.indexOf('\0') ?? -1
  if (text === undefined || end < 0) throw malformed()
  if (compareKeys(bytes.subarray(1, headerWithoutTable), layoutBytes(schema)) !== 0)
    throw mismatch(schema, 'layout', 'a table with another key or salt')
  if (!isOlder && compareKeys(bytes.subarray(headerWithoutTable, header), tableFingerprint(schema)) !== 0)
    throw mismatch(schema, 'table', 'another table')
  if (text.slice(0, end) !== adapter) throw mismatch(schema, 'store', 'a store of another kind')
  const content = text.slice(end + 1)
  return bytes[0] === ofParts ? partsOf(content) : [content]
}

/** Texts, each with its length before it. */
function partsOf(content: string): readonly string[] {
  const parts: string[] = []
  for (let at = 0; at < content.length;) {
    const [start = '', length = ''] = /^(0|[1-9]\d{0,4}):/.exec(content.slice(at, at + 6)) ?? []
    const from = at + start.length
    at = from + Number(length)
    if (start === '' || at > content.length || parts.length === maxParallel) throw malformed()
    parts.push(content.slice(from, at))
  }
  return parts
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function layoutBytes({ fingerprints }: TableSchema): Uint8Array {
  return fromHex(fingerprints.layout)
}

const malformed = (): Error => invalid('it is truncated or not a checkpoint')

function invalid(reason: string): Error {
  const message = `the checkpoint cannot be read: ${reason}. Pass the checkpoint of a page of readAll() unchanged, or start without one.`
  return storeError('CURSOR_INVALID', message, { reason })
}

function mismatch(schema: TableSchema, differs: StoreErrorDetails['CURSOR_MISMATCH']['differs'], owner: string): Error {
  const message = `the checkpoint given for '${schema.name}' belongs to ${owner}. Continue on the same table and store, or start without one.`
  return storeError('CURSOR_MISMATCH', message, { differs })
}
