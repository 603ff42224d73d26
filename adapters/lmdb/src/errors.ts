import { closed, printable, RowkeyError, type StoreErrorDetails } from '@rowkey/store/adapter'
import { maxRowkeyBytes } from './keys.js'

type Unusable = StoreErrorDetails['STORE_UNUSABLE']

/** Paths are longer than other names, and their end is what tells them apart. */
const maxPath = 1000

const storeAt = (path: string): string => `the LMDB store '${printable(path, maxPath)}'`

/** The file cannot be used. */
export function unusable(
  path: string,
  reason: Unusable['reason'],
  message: string,
  options?: ErrorOptions,
): RowkeyError<'STORE_UNUSABLE', Unusable> {
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
