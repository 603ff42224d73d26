import { checkOptionNames, clientOption, invalidOption } from '@rowkey/store/adapter'
import type { Cluster, Redis } from 'ioredis'
import { CommandError, type Commands } from './client/commands.js'

/** Options of `redis()`. */
export interface RedisOptions {
  /**
   * Into how many shards new tables are divided, where their partition can have more than 256 values; 1 to 1,024, default 64. A table keeps
   * the number it was made with. A shard is one slot of a Redis Cluster, so this is the most nodes that a table can use.
   */
  readonly shards?: number
}

const defaultShards = 64
const maxShards = 1024

/** All options. @throws RowkeyError `INVALID_OPTION` */
export function checkOptions(options: RedisOptions): Required<RedisOptions> {
  checkOptionNames('redis', options, ['shards'])
  const { shards = defaultShards } = options
  if (!Number.isInteger(shards) || shards < 1 || shards > maxShards) {
    throw invalidOption('redis', 'shards', shards, `Give an integer from 1 to ${maxShards}.`)
  }
  return { shards }
}

/** A client of ioredis 6: one server (also behind sentinels) or a cluster. */
export type RedisClient = Redis | Redis<'resp3'> | Cluster | Cluster<'resp3'>

type ClientOptions = Readonly<Record<string, unknown>>

interface Refused {
  readonly option: string
  readonly isWrong: (value: unknown, options: ClientOptions) => boolean
  readonly why: string
  readonly remedy: string
}

const fromReplica = 'A replica takes no writes, and may not have the last ones.'

/** What a client may be told that would make answers wrong. Everything else is the caller's choice. */
const refused: readonly Refused[] = [
  {
    option: 'keyPrefix',
    isWrong: (value) => value !== undefined && value !== null && value !== '',
    why: 'The keys of a table would not be those that its catalog and other programs know.',
    remedy: 'Leave it out and give the mapper a prefix: createMapper(adapter, { prefix }).',
  },
  { option: 'readOnly', isWrong: Boolean, why: fromReplica, remedy: 'Leave it out.' },
  {
    option: 'scaleReads',
    isWrong: (value) => value !== undefined && value !== 'master',
    why: fromReplica,
    remedy: `Leave it out, or give 'master'.`,
  },
  { option: 'role', isWrong: (value) => value === 'slave', why: fromReplica, remedy: `Leave it out, or give 'master'.` },
  {
    option: 'autoResendUnfulfilledCommands',
    isWrong: (value, { commandTimeout }) => value === false && typeof commandTimeout !== 'number',
    why: 'What is on its way when a connection is cut would wait for ever: the client drops it without a word.',
    remedy: 'Leave it out, no write is done twice; or give a commandTimeout as well.',
  },
  { option: 'monitor', isWrong: Boolean, why: 'A client that monitors takes no commands.', remedy: 'Give a client of its own.' },
]

/** @throws RowkeyError `CLIENT_OPTION` */
export function checkClient(client: RedisClient): void {
  const given = client as unknown as { readonly options?: ClientOptions; readonly sendCommand?: unknown } | null | undefined
  if (typeof given !== 'object' || given === null || typeof given.sendCommand !== 'function' || typeof given.options !== 'object') {
    throw clientOption('redis', 'client', given, 'It is no client of ioredis.', 'Give new Redis(url) or new Cluster(nodes).')
  }
  checkClientOptions(given.options, '')
  checkClientOptions((given.options['redisOptions'] ?? {}) as ClientOptions, 'redisOptions.')
}

function checkClientOptions(options: ClientOptions, path: string): void {
  for (const { option, isWrong, why, remedy } of refused) {
    if (isWrong(options[option], options)) throw clientOption('redis', `${path}${option}`, options[option], why, remedy)
  }
}

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
