import { closed, RowkeyError, show, storeUnavailable, tableNotFound, type StoreErrorDetails } from '@rowkey/store/adapter'
import { CommandError } from './client/commands.js'

type Unusable = StoreErrorDetails['STORE_UNUSABLE']

/** After `close()`. */
export const closedAdapter = (): Error => closed('the Redis adapter', 'Call redis() for a new one. The client is still open.')

/** The error for a table that does not exist, or that has lost a shard. */
export const tableMissing = (table: string): Error =>
  tableNotFound(table, {
    why: 'the server has lost keys of it',
    remedy: 'restore its keys from a backup, or drop it first with dropTable(), which deletes the rows that are left',
  })

/** The error for a shard whose index and values have different rows. */
export function tornShard(table: string, shard: string): RowkeyError<'CORRUPT_ROW'> {
  return new RowkeyError(
    'CORRUPT_ROW',
    `in shard ${shard} of '${table}', the index and the values do not have the same rows. Another program wrote to its keys, or the server has ` +
      'evicted one. Restore the shard from a backup, or put or delete the affected row again.',
    { table, column: '' },
  )
}

/** The error for a row that is in the index and has no record. */
export function valueMissing(table: string, rowkey: string): RowkeyError<'CORRUPT_ROW'> {
  return new RowkeyError(
    'CORRUPT_ROW',
    `the row of '${table}' with the rowkey ${rowkey} is in the index and has no value. Another program wrote to it. Put the row again, or delete it.`,
    { table, column: '' },
  )
}

/** The error for a key that should contain a catalog and does not. */
export function catalogUnusable(key: string, reason: 'damaged' | 'newer'): RowkeyError<'STORE_UNUSABLE'> {
  const what =
    reason === 'newer'
      ? 'was written by a newer version of rowkey. Use that version.'
      : 'does not contain a catalog. Restore it from a backup.'
  return new RowkeyError('STORE_UNUSABLE', `the key ${show(key)} of Redis ${what}`, {
    adapter: 'redis',
    path: key,
    reason,
  } satisfies Unusable)
}

/** Throws the error of a read, or of a change of a table, that Redis did not answer or refused. @throws always */
export function rethrow(error: unknown): never {
  if (!(error instanceof CommandError)) throw error
  throw storeUnavailable('redis', error.state === 'refused' || error.state === 'broken' ? 'refused' : 'unanswered', error.cause)
}
