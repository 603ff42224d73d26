import { parseObject } from '@rowkey/store/adapter'
import { open, type RootDatabase } from 'lmdb'
import { unusable } from '../errors.js'
import { headerKey } from '../keys.js'

/** An open file: keys and values are bytes. */
export type File = RootDatabase<Buffer, Buffer>

/** Opens the file of a folder, or makes it. */
export function openFile(path: string, sync: boolean): File {
  return open<Buffer, Buffer>(path, {
    keyEncoding: 'binary',
    encoding: 'binary',
    noSubdir: false,
    maxDbs: 1,
    noSync: !sync,
    // The promise of a transaction then stands for its flush too.
    overlappingSync: false,
    // Transactions are put together here; LMDB's own batches leave a rejection without a handler when a commit fails.
    eventTurnBatching: false,
  })
}

/** The first record of a file. */
export interface Header {
  readonly store: 'rowkey'
  /** Of keys, catalogs and header. */
  readonly format: 1
  /** Numbers of tables are never used twice. */
  readonly nextTable: number
}

/** What a file without tables is. */
export const firstHeader: Header = { store: 'rowkey', format: 1, nextTable: 1 }

/**
 * Undefined while the file is empty.
 *
 * @throws RowkeyError `STORE_UNUSABLE`
 */
export function readHeader(db: File, path: string): Header | undefined {
  const bytes = db.getBinary(headerKey)
  const header = bytes === undefined ? undefined : rowkeyHeader(parseObject(bytes.toString()))
  if (header === undefined) {
    const isEmpty = db.getKeysCount({ limit: 1 }) === 0
    if (isEmpty) return undefined
    throw unusable(path, 'foreign', `is an LMDB file of another program. Give a folder of its own.`)
  }
  if (header.format === firstHeader.format) {
    if (Number.isInteger(header.nextTable)) return header
    throw unusable(path, 'damaged', `has a header that cannot be read. Restore the folder from a copy.`)
  }
  throw unusable(
    path,
    'newer',
    `has the format ${String(header.format)}, this version of rowkey knows ${firstHeader.format}. Use the version that wrote it, or a newer one.`,
  )
}

const rowkeyHeader = (value: object | undefined): Header | undefined =>
  value !== undefined && 'store' in value && value.store === firstHeader.store ? (value as Header) : undefined
