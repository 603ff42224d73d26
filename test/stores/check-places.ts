import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { HBaseClient } from '@rowkey/hbase-client'
import { KuduClient } from '@rowkey/kudu-client'
import { host, type Connections } from '@rowkey/servers'
import { Client } from 'cassandra-driver'
import { Redis } from 'ioredis'
import { afterAll } from 'vitest'
import { withServer } from '../setup/with-server.js'

type CheckedServer = 'redis' | 'dynalite' | 'moto' | 'cassandra' | 'hbase' | 'kudu'

/** A server that is checked. */
export interface Place {
  readonly name: CheckedServer
  /** Where its server listens. */
  readonly port: number
  /** Its URL, with the port of the server or that of a proxy. */
  url(port?: number): string
  /** All that checks could have left in it, also of the table that all tables share. */
  contents(): Promise<readonly string[]>
}

const portOf = (address: string): number => Number(address.split(':').at(-1))
const isOfChecks = (name: string): boolean => name.includes('rowkey_check_')

function inRedis({ url }: Connections['redis']): Place {
  const client = new Redis(url, { lazyConnect: true })
  afterAll(() => client.disconnect())
  const port = portOf(url)
  return {
    name: 'redis',
    port,
    url: (at = port) => `redis://${host}:${at}`,
    contents: async () => (await client.keys('*')).filter(isOfChecks),
  }
}

function inDynamoDB(name: 'dynalite' | 'moto', { endpoint }: Connections['moto'], options: string): Place {
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } })
  afterAll(() => client.destroy())
  const port = portOf(new URL(endpoint).host)
  return {
    name,
    port,
    url: (at = port) => `dynamodb://${host}:${at}?region=us-east-1&${options}`,
    async contents() {
      const names: string[] = []
      for (let from: string | undefined, isFirst = true; isFirst || from !== undefined; isFirst = false) {
        const { TableNames = [], LastEvaluatedTableName: last } = await client.send(
          new ListTablesCommand({ ExclusiveStartTableName: from }),
        )
        names.push(...TableNames)
        from = last
      }
      return names.filter(isOfChecks)
    },
  }
}

/** In a keyspace of its own, in which even the catalogs are gone afterwards. */
function inCassandra({ contactPoints, localDataCenter }: Connections['cassandra']): Place {
  const client = new Client({ contactPoints: [...contactPoints], localDataCenter })
  const replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}"
  const made = client.execute(`CREATE KEYSPACE IF NOT EXISTS rowkey_checked WITH replication = ${replication}`)
  afterAll(() => client.shutdown())
  const port = portOf(contactPoints[0] as string)
  return {
    name: 'cassandra',
    port,
    url: (at = port) => `cassandra://${host}:${at}/rowkey_checked?datacenter=${localDataCenter}`,
    async contents() {
      await made
      const { rows } = await client.execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'rowkey_checked'")
      return rows.map((row) => String(row['table_name']))
    },
  }
}

/** In a namespace of its own; its tables are those of its catalogs, whose table is gone as well. */
function inHBase({ gateways }: Connections['hbase']): Place {
  const client = new HBaseClient({ host, port: gateways.unframed })
  const made = client.createNamespace('checked').catch(() => undefined)
  afterAll(() => client.close())
  const catalogs = 'checked:rowkey_catalogs'
  return {
    name: 'hbase',
    port: gateways.unframed,
    url: (at = gateways.unframed) => `hbase://${host}:${at}/checked`,
    async contents() {
      await made
      if (!(await client.tableExists(catalogs))) return []
      return [catalogs, ...(await client.scan(catalogs, {}, 10_000)).map(({ row = new Uint8Array() }) => Buffer.from(row).toString())]
    },
  }
}

/** In a database of its own, in which even the catalogs are gone afterwards. */
function inKudu({ masters }: Connections['kudu']): Place {
  const client = new KuduClient({ masters: [...masters] })
  afterAll(() => client.close())
  const port = portOf(masters[0] as string)
  return {
    name: 'kudu',
    port,
    url: (at = port) => `kudu://${host}:${at}/checked?hash=2`,
    contents: () => client.listTables('checked.').then((names) => [...names]),
  }
}

/** Tests of each server. */
export function eachCheckPlace(suite: (place: Place) => void): void {
  withServer('redis', (connection) => suite(inRedis(connection)))
  withServer('dynalite', (connection) => suite(inDynamoDB('dynalite', connection, 'transactions=false&nativeTtl=false')))
  withServer('moto', (connection) => suite(inDynamoDB('moto', connection, 'segments=false')))
  withServer('cassandra', (connection) => suite(inCassandra(connection)))
  withServer('hbase', (connection) => suite(inHBase(connection)))
  withServer('kudu', (connection) => suite(inKudu(connection)))
}
