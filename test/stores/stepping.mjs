// Takes the steps with rows of its own, without end, and says what was acknowledged, a line each, before it goes on.
// node stepping.mjs STORE CONNECTION PREFIX SEED
import { writeSync } from 'node:fs'
import * as rowkey from '../../packages/rowkey/dist/index.js'
import { modelOf, steps } from './steps.mjs'

const [store, connection, prefix, seed] = process.argv.slice(2)
const given = JSON.parse(connection)

/** Each store with a client of its own. */
const adapters = {
  async lmdb() {
    const { lmdb } = await import('../../adapters/lmdb/dist/index.js')
    return lmdb(given.folder)
  },
  async redis() {
    const { redis } = await import('../../adapters/redis/dist/index.js')
    const { Redis } = await import('ioredis')
    return redis(new Redis(given.url))
  },
  async dynalite() {
    const { dynamodb } = await import('../../adapters/dynamodb/dist/index.js')
    const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb')
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
    return dynamodb(new DynamoDBClient({ ...given, region: 'us-east-1', credentials }), { transactions: false, nativeTtl: false })
  },
  async cassandra() {
    const { cassandra } = await import('../../adapters/cassandra/dist/index.js')
    const driver = await import('cassandra-driver')
    return cassandra(new driver.default.Client(given))
  },
}

const db = rowkey.createMapper(await adapters[store](), { prefix })
const table = db.repository(modelOf(rowkey))
const say = (line) => writeSync(1, `${line}\n`)

async function lane(number) {
  for (let turn = 0; turn < 100_000; turn++) {
    const id = Number(seed) * 1_000_000 + number * 200_000 + turn
    for (const [index, step] of steps.entries()) {
      await step(table, id)
      say(`${id} ${index + 1}`)
    }
  }
}
await Promise.all([0, 1, 2].map(lane))
