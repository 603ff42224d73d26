import { checkOptionNames, clientOption, invalidOption } from 'rowkey/adapter'
import type { RedisClient } from './client/redis-client.js'
import { maxShards } from './shards/placement.js'

/** Options of `redis()`. */
export interface RedisOptions {
  /**
   * The number of shards of new tables whose partition can have more than 256 values; 1 to 1,024, default 64. A table keeps the number that
   * it was created with. A shard is one slot of a Redis Cluster, so this is also the max number of nodes that a table can use.
   */
  readonly shards?: number
}

const defaultShards = 64

/** All options. @throws RowkeyError `INVALID_OPTION` */
export function checkOptions(options: RedisOptions): Required<RedisOptions> {
  checkOptionNames('redis', options, ['shards'])
  const { shards = defaultShards } = options
  if (!Number.isInteger(shards) || shards < 1 || shards > maxShards) {
    throw invalidOption('redis', 'shards', shards, `Give an integer from 1 to ${maxShards}.`)
  }
  return { shards }
}

type ClientOptions = Readonly<Record<string, unknown>>

interface Refused {
  readonly option: string
  readonly isWrong: (value: unknown, options: ClientOptions) => boolean
  readonly why: string
  readonly remedy: string
}

const fromReplica = 'A replica refuses writes, and may lack the latest ones.'

/** Options of a client that would make results wrong. Everything else is the caller's choice. */
const refused: readonly Refused[] = [
  {
    option: 'keyPrefix',
    isWrong: (value) => value !== undefined && value !== null && value !== '',
    why: 'The keys of a table would differ from those that its catalog and other programs use.',
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
    why: 'When a connection is cut, the client drops the pending commands silently, and their callers would wait forever.',
    remedy: 'Leave it out: no write is applied twice without it. Or also give a commandTimeout.',
  },
  { option: 'monitor', isWrong: Boolean, why: 'A client in monitor mode accepts no commands.', remedy: 'Give another client.' },
]

/** @throws RowkeyError `INVALID_OPTION` for what is not a client, `CLIENT_OPTION` */
export function checkClient(client: RedisClient): void {
  const given = client as unknown as { readonly [Name in keyof RedisClient]?: unknown } | null | undefined
  if (typeof given?.sendCommand !== 'function' || typeof given.options !== 'object' || typeof given.status !== 'string') {
    throw invalidOption('redis', 'client', given, 'Give new Redis(url) or new Cluster(nodes) of ioredis.')
  }
  const options = given.options as ClientOptions
  checkClientOptions(options, '')
  checkClientOptions((options['redisOptions'] ?? {}) as ClientOptions, 'redisOptions.')
}

function checkClientOptions(options: ClientOptions, path: string): void {
  for (const { option, isWrong, why, remedy } of refused) {
    if (isWrong(options[option], options)) throw clientOption('redis', `${path}${option}`, options[option], why, remedy)
  }
}
