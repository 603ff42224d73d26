import type { DynamodbConnection } from '@rowkey/servers'
import type { Adapter } from 'rowkey'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { cassandra } from '@rowkey/cassandra'
import { dynamodb } from '@rowkey/dynamodb'
import { lmdb } from '@rowkey/lmdb'
import { redis } from '@rowkey/redis'
import { temporaryFolder } from '@rowkey/servers'
import { Client } from 'cassandra-driver'
import { Redis } from 'ioredis'
import { memory } from 'rowkey'
import { Servers } from './servers.js'

// The client of DynamoDB would begin every output with a page on the versions of Node.js that its later releases need.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'

/** A store that an example runs on. */
interface OpenStore {
  readonly name: string
  readonly version: string
  readonly adapter: Adapter
}

/** Every store that can be had on this machine. */
export interface OpenStores {
  readonly open: readonly OpenStore[]
  readonly missing: ReadonlyMap<string, string>
  /** Disconnects the clients and stops what was started. */
  stop(): Promise<void>
}

/** Opens all stores; for DynamoDB a server that has transactions, or the one that is stricter. */
export async function openStores(dynamodbServer: 'dynalite' | 'moto' = 'dynalite'): Promise<OpenStores> {
  const servers = new Servers()
  const closing: (() => unknown)[] = []
  const open: OpenStore[] = [{ name: 'memory', version: '', adapter: memory() }]

  const folder = temporaryFolder('rowkey-example')
  open.push({ name: 'lmdb', version: '', adapter: lmdb(join(folder.path, 'db')) })
  closing.push(() => folder.remove())

  const redisServer = await servers.connect('redis')
  if (redisServer !== undefined) {
    const client = new Redis(redisServer.connection.url)
    open.push({ name: 'redis', version: redisServer.version, adapter: redis(client) })
    closing.push(() => client.disconnect())
  }

  const own = await servers.connect('dynamodb')
  const like = own ?? (await servers.connect(dynamodbServer))
  if (like !== undefined) {
    const client = dynamodbClient(like.connection)
    const isComplete = own !== undefined || dynamodbServer === 'moto'
    open.push({
      name: 'dynamodb',
      version: own === undefined ? `${dynamodbServer} ${like.version}` : like.version,
      adapter: dynamodb(client, { transactions: isComplete, nativeTtl: isComplete }),
    })
    closing.push(() => client.destroy())
  }

  const cassandraServer = await servers.connect('cassandra')
  if (cassandraServer !== undefined) {
    const { contactPoints, localDataCenter } = cassandraServer.connection
    const client = new Client({ contactPoints: [...contactPoints], localDataCenter })
    await client.execute(
      `CREATE KEYSPACE IF NOT EXISTS rowkey_examples WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
    )
    open.push({ name: 'cassandra', version: cassandraServer.version, adapter: cassandra(client, { keyspace: 'rowkey_examples' }) })
    closing.push(() => client.shutdown())
  }

  servers.missing.delete('dynamodb') // only a server of your own, which another stands in for
  return {
    open,
    missing: servers.missing,
    async stop() {
      for (const close of closing) await close()
      await servers.stop()
    },
  }
}

/** Servers on this machine take any credentials. */
const dynamodbClient = ({ endpoint }: DynamodbConnection): DynamoDBClient =>
  new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } })
