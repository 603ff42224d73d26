import { closed, RowkeyError, show, storeUnavailable, tableNotFound } from '@rowkey/store/adapter'
import { CommandError } from './client/commands.js'

/** What the errors of this package carry in `details`, by code. */
export interface RedisErrorDetails {
  STORE_UNUSABLE: {
    readonly adapter: 'redis'
    /** The key in Redis. */
    readonly path: string
    /** It holds something else, or is of a newer version. */
    readonly reason: 'damaged' | 'newer'
  }
}

/** After `close()`. */
export const closedAdapter = (): Error => closed('the Redis adapter', 'Call redis() for a new one; the client is still yours.')

/** A table that is not there, or a shard of it that is no more. */
export const tableMissing = (table: string): Error => tableNotFound(table, 'the server has lost keys of it')

/** A shard whose keys do not belong together any more. */
export function tornShard(table: string, shard: string): RowkeyError<'CORRUPT_ROW'> {
  return new RowkeyError(
    'CORRUPT_ROW',
    `in shard ${shard} of '${table}', the index and the values do not have the same rows: something else wrote to its keys, or the server has ` +
      'evicted one. Restore the shard from a copy; putting or deleting the row in question mends it too.',
    { table, column: '' },
  )
}

/** A member of an index that has no value. */
export function valueMissing(table: string, rowkey: string): RowkeyError<'CORRUPT_ROW'> {
  return new RowkeyError(
    'CORRUPT_ROW',
    `the row of '${table}' with the rowkey ${rowkey} is in the index and has no value. Something else wrote to it; put the row again, or delete it.`,
    { table, column: '' },
  )
}

/** A key that must hold a catalog and does not. */
export function catalogUnusable(key: string, reason: RedisErrorDetails['STORE_UNUSABLE']['reason']): RowkeyError<'STORE_UNUSABLE'> {
  const what = reason === 'newer' ? 'was written by a newer version of rowkey. Use that one.' : 'holds no catalog. Restore it from a copy.'
  return new RowkeyError('STORE_UNUSABLE', `the key ${show(key)} of Redis ${what}`, {
    adapter: 'redis',
    path: key,
    reason,
  } satisfies RedisErrorDetails['STORE_UNUSABLE'])
}

/** For reads and changes of tables: Redis did not answer, or refused. @throws always */
export function rethrow(error: unknown): never {
  if (!(error instanceof CommandError)) throw error
  throw storeUnavailable('redis', error.state === 'refused' || error.state === 'broken' ? 'refused' : 'unanswered', error.cause)
}
