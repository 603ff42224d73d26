import { showName } from 'rowkey/adapter'
import { CommandError, type Commands } from './commands.js'

/** Warns if the server may evict keys when its memory is full. Does nothing if the server does not say. */
export async function warnOfEviction(commands: Commands): Promise<void> {
  try {
    const policy = evictingPolicy(await commands.info('memory'))
    if (policy === undefined) return
    process.emitWarning(
      `this Redis may evict rowkey's tables: its maxmemory-policy is ${showName(policy)}. Set it to noeviction, so that writes fail instead when memory is full.`,
      { type: 'RowkeyWarning', code: 'ROWKEY_REDIS_EVICTION' },
    )
  } catch (error) {
    if (!(error instanceof CommandError)) throw error // INFO is not allowed, or there is no connection, which the next command reports
  }
}

/** The policy, if it may evict keys without a time to live, such as those of rowkey. */
function evictingPolicy(info: string): string | undefined {
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const policy = valueOf('maxmemory_policy')
  return policy?.startsWith('allkeys') === true && valueOf('maxmemory') !== '0' ? policy : undefined
}
