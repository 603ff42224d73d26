import { closed, isRowkeyError, reasonOf, RowkeyError, type StoreErrorDetails } from 'rowkey/adapter'
import { maxRowkeyBytes } from './keys.js'

type Unusable = StoreErrorDetails['STORE_UNUSABLE']

/** The file cannot be used. Its folder is in the details, not in the message, which clients may read. */
export function unusable(
  path: string,
  reason: Unusable['reason'],
  message: string,
  options?: ErrorOptions,
): RowkeyError<'STORE_UNUSABLE', Unusable> {
  return new RowkeyError('STORE_UNUSABLE', `the LMDB store ${message}`, { adapter: 'lmdb', path, reason }, options)
}

/** The disk, the share of a user, or the largest file that a process may write, is used up. */
export const isFull = (error: unknown): boolean => noSpace.includes((error as NodeJS.ErrnoException | undefined)?.code)
const noSpace: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** An error of LMDB in a read, as an error of this adapter. */
export function unreadable(path: string, cause: unknown): unknown {
  if (isRowkeyError(cause)) return cause
  const remedy = 'Close the store and open it again. If that does not help, restore the folder from a backup.'
  return unusable(path, 'damaged', `cannot be read: ${reasonOf(cause)}. ${remedy}`, { cause })
}

/** After `close()`. */
export const closedStore = (): Error => closed('the LMDB store', 'Call lmdb() to open it again. Its rows are still there.')

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
