import type { Cluster, Redis } from 'ioredis'
import { clientOption } from '@rowkey/store'

/** A client of ioredis 6: one server (also behind sentinels) or a cluster. */
export type RedisClient = Redis | Redis<'resp3'> | Cluster | Cluster<'resp3'>

type Options = Readonly<Record<string, unknown>>

interface Refused {
  readonly option: string
  readonly isWrong: (value: unknown, options: Options) => boolean
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
  const given = client as unknown as { readonly options?: Options; readonly sendCommand?: unknown } | null | undefined
  if (typeof given !== 'object' || given === null || typeof given.sendCommand !== 'function' || typeof given.options !== 'object') {
    throw clientOption('redis', 'client', given, 'It is no client of ioredis.', 'Give new Redis(url) or new Cluster(nodes).')
  }
  checkOptions(given.options, '')
  checkOptions((given.options['redisOptions'] ?? {}) as Options, 'redisOptions.')
}

function checkOptions(options: Options, path: string): void {
  for (const { option, isWrong, why, remedy } of refused) {
    if (isWrong(options[option], options)) throw clientOption('redis', `${path}${option}`, options[option], why, remedy)
  }
}
