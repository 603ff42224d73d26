import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { cassandra } from '@rowkey/cassandra'
import { dynamodb } from '@rowkey/dynamodb'
import { lmdb } from '@rowkey/lmdb'
import { redis } from '@rowkey/redis'
import cassandraDriver from 'cassandra-driver'
import { Redis } from 'ioredis'
import { createMapper, defineTable, text } from 'rowkey'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Every adapter is opened with its driver. No server is needed for that, and the store without one keeps a row.
const folder = mkdtempSync(join(tmpdir(), 'rowkey-compat-'))
const Notes = defineTable('notes', { columns: { id: text(), body: text() }, key: ['id'] })
const stores = [
  lmdb(folder),
  redis(new Redis({ lazyConnect: true })),
  dynamodb(new DynamoDBClient({ region: 'local', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } })),
  cassandra(new cassandraDriver.Client({ contactPoints: ['127.0.0.1'], localDataCenter: 'datacenter1', keyspace: 'notes' })),
]
const db = createMapper(stores[0])
await db.ensureTables([Notes])
await db.repository(Notes).insert({ id: '1', body: 'kept' })
console.log(stores.map(({ name }) => name).join(' '), (await db.repository(Notes).get({ id: '1' })).body)
await Promise.all(stores.map((store) => store.close()))
rmSync(folder, { recursive: true })
process.exit()
