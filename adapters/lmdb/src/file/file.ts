// Tested by write.test.ts.
import { parseObject } from 'rowkey/adapter'
import { open, type RootDatabase } from 'lmdb'
import { unusable } from '../errors.js'
import { headerKey, isTableNumber } from '../keys.js'

/** An open file: keys and values are bytes. */
export type File = RootDatabase<Buffer, Buffer>

/** Opens the file of a folder, or creates it. */
export function openFile(path: string, sync: boolean): File {
  return open<Buffer, Buffer>(path, {
    keyEncoding: 'binary',
    encoding: 'binary',
    noSubdir: false,
    maxDbs: 1,
    noSync: !sync,
    // The promise of a transaction then also includes its flush.
    overlappingSync: false,
    // This adapter builds the transactions itself: the client's own batches leave an unhandled rejection when a commit fails.
    eventTurnBatching: false,
  })
}

/** The first record of a file. */
export interface Header {
  readonly store: 'rowkey'
  /** The version of keys, catalogs and header. */
  readonly format: 1
  /** The number of the next table. Numbers are never used twice. */
  readonly nextTable: number
}

/** The header of a file without tables. */
export const firstHeader: Header = { store: 'rowkey', format: 1, nextTable: 1 }

/**
 * The header of a file; undefined while the file is empty.
 *
 * @throws RowkeyError `STORE_UNUSABLE`
 */
export function readHeader(db: File, path: string): Header | undefined {
  const bytes = db.getBinary(headerKey)
  const header = bytes === undefined ? undefined : rowkeyHeader(parseObject(bytes.toString()))
  if (header === undefined) {
    const isEmpty = db.getKeysCount({ limit: 1 }) === 0
    if (isEmpty) return undefined
    throw unusable(path, 'foreign', `is an LMDB file of another program. Give a folder that only rowkey uses.`)
  }
  if (header.format === firstHeader.format) {
    if (isTableNumber(header.nextTable)) return header
    throw unusable(path, 'damaged', `has a header that cannot be read. Restore the folder from a backup.`)
  }
  throw unusable(
    path,
    'newer',
    `has the format ${String(header.format)}, but this version of rowkey only knows ${firstHeader.format}. Use the version that wrote it, or a newer one.`,
  )
}

const rowkeyHeader = (value: object | undefined): Header | undefined =>
  value !== undefined && 'store' in value && value.store === firstHeader.store ? (value as Header) : undefined
