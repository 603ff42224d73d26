import type { ServerName } from '@rowkey/servers'
import { host } from '@rowkey/servers'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { HBaseClient } from '@rowkey/hbase-client'
import { KuduClient } from '@rowkey/kudu-client'
import { Client } from 'cassandra-driver'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { project } from '../../packages/cli/test/command.js'
import { withServer } from '../setup/with-server.js'

const { rowkey } = project()

interface Place {
  readonly url: string
  contents(): Promise<readonly string[]>
}

function whole(name: ServerName, open: () => Promise<Place>): void {
  test(`${name}`, async () => {
    const { url, contents } = await open()
    const before = await contents()
    const begin = performance.now()
    const extra = (process.env['CHECK_ARGS'] ?? '--quick').split(' ')
    const { code, stdout, stderr } = await rowkey(['check', url, '--yes', '--json', ...extra])
    console.log(name, performance.now() - begin, code, stderr)
    const report = JSON.parse(stdout)
    console.log(report.counts, report.store.product, report.latencies, report.left)
    console.log(report.verdicts.filter((v: { verdict: string }) => v.verdict !== 'passed'))
    console.log(
      [...report.verdicts]
        .sort((a, b) => b.milliseconds - a.milliseconds)
        .slice(0, 8)
        .map((v) => `${v.milliseconds} ${v.rule}`),
    )
    expect(await contents()).toEqual(before)
    expect(code).toBe(0)
  })
}
const listed = async (client: DynamoDBClient) => (await client.send(new ListTablesCommand({}))).TableNames ?? []
const awsOf = (endpoint: string) =>
  new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } })

withServer('redis', ({ url }) =>
  whole('redis', async () => {
    const client = new Redis(url)
    return { url, contents: async () => (await client.keys('*')).sort() }
  }),
)
for (const name of ['dynalite', 'moto'] as const)
  withServer(name, ({ endpoint }) =>
    whole(name, async () => {
      const client = awsOf(endpoint)
      return {
        url: `dynamodb://${new URL(endpoint).host}?region=us-east-1${name === 'dynalite' ? '&transactions=false&nativeTtl=false' : '&segments=false'}`,
        contents: () => listed(client),
      }
    }),
  )
withServer('cassandra', ({ contactPoints, localDataCenter }) =>
  whole('cassandra', async () => {
    const client = new Client({ contactPoints: [...contactPoints], localDataCenter })
    await client.execute(
      `CREATE KEYSPACE IF NOT EXISTS rowkey_checked WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
    )
    return {
      url: `cassandra://${contactPoints.join(',')}/rowkey_checked?datacenter=${localDataCenter}`,
      contents: async () =>
        (await client.execute(`SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'rowkey_checked'`)).rows.map((row) =>
          String(row['table_name']),
        ),
    }
  }),
)
withServer('hbase', ({ gateways }) =>
  whole('hbase', async () => {
    const client = new HBaseClient({ host, port: gateways.unframed })
    await client.createNamespace('checked').catch(() => undefined)
    return {
      url: `hbase://${host}:${gateways.unframed}/checked`,
      contents: async () => [String(await client.tableExists('checked:rowkey_catalogs'))],
    }
  }),
)
withServer('kudu', ({ masters }) =>
  whole('kudu', async () => {
    const client = new KuduClient({ masters: [...masters] })
    return { url: `kudu://${masters.join(',')}/checked?hash=2`, contents: async () => [...(await client.listTables('checked.'))] }
  }),
)
