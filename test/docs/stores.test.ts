import type { Capabilities } from '@rowkey/store/adapter'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { cassandra } from '@rowkey/cassandra'
import { dynamodb } from '@rowkey/dynamodb'
import { lmdb } from '@rowkey/lmdb'
import { memory } from '@rowkey/memory'
import { redis } from '@rowkey/redis'
import { Client } from 'cassandra-driver'
import { Redis } from 'ioredis'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { read } from './pages.js'

/** Clients that connect to nothing: an adapter tells what it can do without asking a server. */
const adapters = [
  () => memory(),
  () => lmdb(folder),
  () => redis(new Redis({ lazyConnect: true })),
  () => dynamodb(new DynamoDBClient({ region: 'eu-central-1' })),
  () => cassandra(new Client({ contactPoints: ['127.0.0.1'], localDataCenter: 'dc1' }), { keyspace: 'app' }),
]
const folder = mkdtempSync(join(tmpdir(), 'rowkey-stores-'))

const size = (bytes: number): string =>
  bytes >= Number.MAX_SAFE_INTEGER ? 'any' : bytes === 2 ** 29 ? '512 MiB' : bytes.toLocaleString('en')

function lineOf(name: string, { reverse, conditions, atomic, eventual, limits }: Capabilities): readonly string[] {
  const scopes = { row: 'one row', partition: 'one partition', store: 'any tables' }
  return [
    name,
    reverse ? 'yes' : 'no',
    { none: 'none', presence: 'insert, update', version: 'yes, no columns', columns: 'yes' }[conditions],
    `${scopes[atomic.scope]}, ${atomic.max === Number.MAX_SAFE_INTEGER ? 'any number' : `up to ${atomic.max.toLocaleString('en')}`}${atomic.isolated ? '' : ', not isolated'}`,
    eventual ? 'yes' : 'strong',
    size(limits.partitionBytes),
    size(limits.sortKeyBytes),
  ]
}

test('the guide has the capabilities that the adapters declare', async () => {
  const tables = read('docs/guide/stores.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
  const at = tables.findIndex(([, heading]) => heading === 'reverse scans')
  const documented = tables.slice(at + 2, at + 2 + adapters.length)
  const declared = adapters.map((make) => make()).map((adapter) => ({ adapter, line: lineOf(adapter.name, adapter.capabilities) }))
  for (const { adapter } of declared) await adapter.close()
  rmSync(folder, { recursive: true })
  expect(documented).toEqual(declared.map(({ line }) => line))
})
