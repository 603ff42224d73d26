// Tested by stores-url.test.ts and stores-commands.test.ts.
import type { Adapter } from '@rowkey/store/adapter'
import { existsSync } from 'node:fs'
import { exitCodes, Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { installed } from '../stores.js'
import { hostOf, type StoreUrl } from './parse-url.js'

/** An adapter with the client that it uses. */
export interface OpenClient {
  readonly adapter: Adapter
  /** Resolves when the store answers; undefined: the first read says it. */
  readonly connected?: Promise<unknown>
  close(): unknown
}

/** How long a client waits for a connection, in milliseconds. All together has to end within {@link openingMs}. */
const connectMs = 5000
/** How long opening may take. */
export const openingMs = 7000

/** How long a client waits for one answer, in milliseconds. A server that is alive but silent must not keep the command forever. */
const answerMs = 10_000

/** How the client of each store is opened; `create`: whether the store may be new. */
export const clients: Readonly<Record<string, (url: StoreUrl, create: boolean, shell: Shell) => Promise<OpenClient>>> = {
  lmdb: openLmdb,
  redis: openRedis,
  rediss: openRedis,
  dynamodb: openDynamodb,
  cassandra: openCassandra,
  hbase: openHBase,
}

async function openLmdb({ place }: StoreUrl, create: boolean, shell: Shell): Promise<OpenClient> {
  const { lmdb } = await installed('@rowkey/lmdb', () => import('@rowkey/lmdb'), shell.folder)
  const path = shell.path(place)
  // The adapter would create the folder, and a mistyped name would be an empty store.
  if (!create && !existsSync(path)) {
    const why = /%[0-9a-f]{2}/i.test(place) ? ' lmdb:FOLDER is taken as it is, and only in lmdb:///FOLDER is %20 a space.' : ''
    throw new Failure(`there is no folder ${place}.${why}`, exitCodes.store)
  }
  return { adapter: lmdb(path), close: () => undefined } // the mapper closes what the adapter has opened
}

async function openRedis({ scheme, place, inside }: StoreUrl, _: boolean, { env, folder }: Shell): Promise<OpenClient> {
  const { redis } = await installed('@rowkey/redis', () => import('@rowkey/redis'), folder)
  const { Redis } = await installed('ioredis', () => import('ioredis'), folder)
  if (!/^\d{0,4}$/.test(inside)) throw new Failure('a redis: URL ends with the number of a database, such as redis://host:6379/0.')
  const { username, password } = credentials(env, 'REDIS')
  let isOpen = false
  let reason: Error | undefined
  const client = new Redis({
    ...hostOf(place, 6379),
    db: Number(inside),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(scheme === 'rediss' ? { tls: {} } : {}),
    lazyConnect: true,
    connectTimeout: connectMs,
    commandTimeout: answerMs,
    maxRetriesPerRequest: 5,
    retryStrategy: (times) => (isOpen && times <= 5 ? 100 * times : null),
  })
  client.on('error', (error: Error) => {
    reason ??= error
  })
  const connected = client.connect().then(
    async () => {
      await client.ping()
      isOpen = true
    },
    (error: unknown) => {
      throw reason ?? error
    },
  )
  return {
    adapter: redis(client),
    connected,
    close: () => {
      client.disconnect()
    },
  }
}

async function openDynamodb({ place, parameters }: StoreUrl, _: boolean, { env, folder }: Shell): Promise<OpenClient> {
  const { dynamodb } = await installed('@rowkey/dynamodb', () => import('@rowkey/dynamodb'), folder)
  const { DynamoDBClient } = await installed('@aws-sdk/client-dynamodb', () => import('@aws-sdk/client-dynamodb'), folder)
  const isRegion = /^[a-z]{2,}(?:-[a-z]+)+-\d+$/.test(place)
  const { host, port } = isRegion ? { host: '', port: 0 } : hostOf(place, 8000)
  const region = isRegion ? place : (parameters.get('region') ?? env['AWS_REGION'] ?? 'us-east-1')
  // Servers on this machine take any credentials, but the client wants some.
  const isOpen = !isRegion && env['AWS_ACCESS_KEY_ID'] === undefined && env['AWS_PROFILE'] === undefined
  const client = new DynamoDBClient({
    region,
    maxAttempts: 3,
    // Of three attempts. Without the last option it only warns.
    requestHandler: { connectionTimeout: 2000, requestTimeout: answerMs / 2, throwOnRequestTimeout: true },
    ...(isRegion ? {} : { endpoint: `http://${host.includes(':') ? `[${host}]` : host}:${port}` }),
    ...(isOpen ? { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } } : {}),
  })
  const options = Object.fromEntries(
    ['transactions', 'nativeTtl', 'segments'].flatMap((name) => (parameters.has(name) ? [[name, flag(parameters, name)]] : [])),
  )
  return {
    adapter: dynamodb(client, options),
    close: () => {
      client.destroy()
    },
  }
}

async function openCassandra({ place, inside, parameters }: StoreUrl, _: boolean, { env, folder }: Shell): Promise<OpenClient> {
  const { cassandra } = await installed('@rowkey/cassandra', () => import('@rowkey/cassandra'), folder)
  const driver = await installed('cassandra-driver', () => import('cassandra-driver'), folder)
  if (inside === '') throw new Failure('a cassandra: URL ends with a keyspace, such as cassandra://host:9042/shop.')
  const contactPoints = place.split(',').map((each) => {
    const { host, port } = hostOf(each, 9042)
    return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  })
  const { username, password } = credentials(env, 'CASSANDRA')
  const client = new driver.Client({
    contactPoints,
    localDataCenter: parameters.get('datacenter') ?? 'datacenter1',
    keyspace: inside,
    ...(username === undefined || password === undefined ? {} : { credentials: { username, password } }),
    socketOptions: { connectTimeout: connectMs, readTimeout: answerMs },
  })
  return { adapter: cassandra(client), connected: client.connect(), close: () => client.shutdown() }
}

async function openHBase({ place, inside, parameters }: StoreUrl, _: boolean, { env, folder }: Shell): Promise<OpenClient> {
  const { hbase } = await installed('@rowkey/hbase', () => import('@rowkey/hbase'), folder)
  const { HBaseClient } = await installed('@rowkey/hbase-client', () => import('@rowkey/hbase-client'), folder)
  const transport = oneOf(parameters, 'transport', ['unframed', 'framed', 'http'])
  const profile = oneOf(parameters, 'profile', ['hbase', 'lindorm'])
  const { username, password } = credentials(env, 'HBASE')
  const isNamed = username !== undefined && password !== undefined
  if (isNamed && transport !== 'http') throw new Failure('HBASE_USERNAME and HBASE_PASSWORD are only sent with ?transport=http.')
  const client = new HBaseClient({
    ...hostOf(place, 9090),
    transport,
    ...(isNamed ? { headers: { ACCESSKEYID: username, ACCESSSIGNATURE: password } } : {}),
    ...(flag(parameters, 'tls') ? { tls: true } : {}),
    connectTimeout: connectMs,
    timeout: answerMs,
  })
  return { adapter: hbase(client, { profile, ...(inside === '' ? {} : { namespace: inside }) }), close: () => client.close() }
}

/** From the environment; what is empty is not set. */
function credentials(env: Shell['env'], store: string): { readonly username: string | undefined; readonly password: string | undefined } {
  const of = (name: string): string | undefined => {
    const value = env[`${store}_${name}`]
    return value === '' ? undefined : value
  }
  return { username: of('USERNAME'), password: of('PASSWORD') }
}

function oneOf<Name extends string>(parameters: StoreUrl['parameters'], name: string, known: readonly [Name, ...Name[]]): Name {
  const given = parameters.get(name) ?? known[0]
  const found = known.find((each) => each === given)
  if (found === undefined) throw new Failure(`the URL of the store has a wrong ${name}. Give one of: ${known.join(', ')}.`)
  return found
}

const flag = (parameters: StoreUrl['parameters'], name: string): boolean =>
  parameters.has(name) && oneOf(parameters, name, ['true', 'false']) === 'true'
