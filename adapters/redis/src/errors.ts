// Tested by permissions.test.ts.
import { closed, RowkeyError, show, storeRefused, storeUnavailable, tableNotFound, type StoreErrorDetails } from '@rowkey/store/adapter'
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
export function rethrow(table: string, error: unknown): never {
  if (!(error instanceof CommandError)) throw error
  const { state, cause } = error
  if (isAccess(error)) throw storeRefused('redis', table, 'access', cause, accessRemedy)
  if (isLasting(error)) throw storeRefused('redis', table, 'other', cause)
  throw storeUnavailable('redis', state === 'refused' || state === 'broken' ? 'refused' : 'unanswered', cause)
}

const accessRemedy =
  'Check the name and the password of the user, and allow it what the README of @rowkey/redis lists under "Permissions": ACL SETUSER changes it.'

const accessWords = new Set(['NOPERM', 'NOAUTH', 'WRONGPASS', 'DENIED'])
/** What Redis 7.0, and later versions, say of a command inside of a script. */
const accessInScript = /^ERR (?:The user executing the script can't|ACL failure in script)/

/** Whether the user of the client may not do this, or is not the one it says. */
const isAccess = ({ word, message }: CommandError): boolean => accessWords.has(word) || accessInScript.test(message)

/** Whether Redis will say the same again. Of words that are not known, those of a proxy for example, that is not known either. */
const isLasting = ({ state, word, message }: CommandError): boolean =>
  state === 'broken' || word === 'WRONGTYPE' || (word === 'ERR' && !message.startsWith('ERR max number of clients'))
