import { CommandError, type Commands } from './commands.js'

/** Warns if the server may throw keys away when its memory is full. Servers that do not tell are taken as they are. */
export async function warnOfEviction(commands: Commands): Promise<void> {
  try {
    const policy = evictingPolicy(await commands.info('memory'))
    if (policy === undefined) return
    process.emitWarning(
      `this Redis may evict rowkey's tables: its maxmemory-policy is ${policy}. Set it to noeviction, so that writes fail instead when memory is full.`,
      { type: 'RowkeyWarning', code: 'ROWKEY_REDIS_EVICTION' },
    )
  } catch (error) {
    if (!(error instanceof CommandError)) throw error // INFO is not allowed, or there is no connection: what follows says so
  }
}

/** The policy, if it may hit keys without a time to live, which rowkey's are. */
function evictingPolicy(info: string): string | undefined {
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const policy = valueOf('maxmemory_policy')
  return policy?.startsWith('allkeys') === true && valueOf('maxmemory') !== '0' ? policy : undefined
}
