// Also tested by permissions.test.ts.
import { closed, RowkeyError, show, storeRefused, storeUnavailable, tableNotFound, type StoreErrorDetails } from 'rowkey/adapter'
import { CommandError } from './client/commands.js'

type Unusable = StoreErrorDetails['STORE_UNUSABLE']

/** After `close()`. */
export const closedAdapter = (): Error => closed('the Redis adapter', 'Call redis() for a new one. The client is still open.')

/** The error for a table that does not exist, or that has lost a shard. */
export const tableMissing = (table: string): Error =>
  tableNotFound(table, {
    why: 'the server has lost keys of it',
    remedy: 'restore its keys from a backup, or drop it first with dropTables(), which deletes the rows that are left',
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

/** Refusals that are no `ERR`: of the key, and of keys on several servers. */
const lastingWords = new Set(['WRONGTYPE', 'CROSSSLOT'])
/** What is said of a command or a script whose text or arguments are wrong, or that the server, or a proxy, does not have. */
const lastingTexts =
  /unknown (?:redis )?(?:sub)?command|wrong number of arg|syntax error|(?:un|not )supported|not (?:allowed|permitted)|value is not|is not a valid|not valid string|out of range|error compiling script|attempt to |bad lua script|protocol error|exceeds maximum allowed|cluster support disabled/i

/**
 * Whether Redis will say the same again. Most errors begin with `ERR`, also those that pass: the server has too many clients or is gone for its
 * proxy, or somebody has killed the script. So what is not known to last may pass.
 */
const isLasting = ({ word, message }: CommandError): boolean => lastingWords.has(word) || (word === 'ERR' && lastingTexts.test(message))

/** Whether an error says that nothing was done, and that repeating does not help. */
export const isRefusal = (error: CommandError): boolean => isAccess(error) || isLasting(error) || fullWords.has(error.word)

/** The memory or the disk of the server is full. */
const fullWords = new Set(['OOM', 'MISCONF'])
