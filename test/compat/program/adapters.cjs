const { lmdb } = require('@rowkey/lmdb')
const { redis } = require('@rowkey/redis')
const { dynamodb } = require('@rowkey/dynamodb')
const { cassandra } = require('@rowkey/cassandra')
const { createMapper, defineTable, text } = require('rowkey')
const { DynamoDBClient } = require('@aws-sdk/client-dynamodb')
const { Client } = require('cassandra-driver')
const { Redis } = require('ioredis')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const folder = mkdtempSync(join(tmpdir(), 'rowkey-compat-'))
const Notes = defineTable('notes', { columns: { id: text(), body: text() }, key: ['id'] })
const stores = [
  lmdb(folder),
  redis(new Redis({ lazyConnect: true })),
  dynamodb(new DynamoDBClient({ region: 'local', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } })),
  cassandra(new Client({ contactPoints: ['127.0.0.1'], localDataCenter: 'datacenter1', keyspace: 'notes' })),
]
async function main() {
  const db = createMapper(stores[0])
  await db.ensureTables([Notes])
  await db.repository(Notes).insert({ id: '1', body: 'kept' })
  console.log(stores.map(({ name }) => name).join(' '), (await db.repository(Notes).get({ id: '1' })).body)
  await Promise.all(stores.map((store) => store.close()))
  rmSync(folder, { recursive: true })
}
void main().finally(() => process.exit())
