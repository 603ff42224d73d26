import { closed, printable, RowkeyError } from '@rowkey/store/adapter'
import { maxRowkeyBytes } from './keys.js'

/** What the errors of this package carry in `details`, by code. */
export interface LmdbErrorDetails {
  STORE_UNUSABLE: {
    readonly adapter: 'lmdb'
    /** The folder. */
    readonly path: string
    /** Of another program; of a newer version; a part is missing; open with other options; no access; it refuses writes, or the disk is full. */
    readonly reason: 'foreign' | 'newer' | 'damaged' | 'options' | 'path' | 'write'
  }
}

/** Paths are longer than other names, and their end is what tells them apart. */
const maxPath = 1000

const storeAt = (path: string): string => `the LMDB store '${printable(path, maxPath)}'`

/** The file cannot be used. */
export function unusable(
  path: string,
  reason: LmdbErrorDetails['STORE_UNUSABLE']['reason'],
  message: string,
  options?: ErrorOptions,
): RowkeyError<'STORE_UNUSABLE', LmdbErrorDetails['STORE_UNUSABLE']> {
  return new RowkeyError('STORE_UNUSABLE', `${storeAt(path)} ${message}`, { adapter: 'lmdb', path, reason }, options)
}

/** After `close()`. */
export const closedStore = (path: string): Error => closed(storeAt(path), 'Call lmdb() to open it again. Its rows are still there.')

/** The core already refuses such keys. This is for callers without the core. */
export function keyTooLong(table: string, bytes: number): RowkeyError<'LIMIT_EXCEEDED'> {
  return new RowkeyError(
    'LIMIT_EXCEEDED',
    `in a row of '${table}', the rowkey takes ${bytes} bytes, more than ${maxRowkeyBytes}. Shorten it.`,
    {
      table,
      limit: 'rowkey',
      bytes,
      max: maxRowkeyBytes,
    },
  )
}
