import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import dynamoose from 'dynamoose'
import type { AnyItem } from 'dynamoose/dist/Item.js'
import { SortOrder } from 'dynamoose/dist/General.js'
import type { Sample } from '../model.js'
import { scanned, type Stored, type Way } from '../party.js'
import { createTable, sortKey, table } from './tables.js'

interface Item extends Sample {
  readonly pk: string
  readonly sk: string
}

export async function dynamooseWay(client: DynamoDB, { groups }: Stored): Promise<Way<Sample, Sample>> {
  await createTable(client, table)
  dynamoose.aws.ddb.set(client)
  const schema = new dynamoose.Schema({
    pk: { type: String, hashKey: true },
    sk: { type: String, rangeKey: true },
    host: String,
    event: String,
    at: Number,
    level: String,
    message: String,
  })
  const options = { create: false, waitForActive: false } as const
  const events = dynamoose.model(table, schema, options)
  new dynamoose.Table(table, [events], options)
  const keyOf = ({ host, event, at }: Sample) => ({ pk: host, sk: sortKey(event, at) })
  const itemOf = (row: Sample): Item => ({ ...keyOf(row), ...row })
  const putMany = async (rows: readonly Sample[]): Promise<void> => {
    const calls = []
    for (let i = 0; i < rows.length; i += 25) calls.push(events.batchPut(rows.slice(i, i + 25).map(itemOf)))
    await Promise.all(calls)
  }
  for (const group of groups) await putMany(group)
  return {
    given: (sample) => sample,
    sampleOf: (found) => found,
    put: (row) => events.create(itemOf(row), { overwrite: true }),
    putMany,
    load: putMany,
    get: async (row) => (await events.get(keyOf(row), { consistent: true })) as Item & AnyItem,
    async getMany(rows) {
      const found: unknown = await events.batchGet(rows.map(keyOf))
      const items = new Map((found as readonly Item[]).map((item) => [item.sk, item]))
      return rows.map(({ event, at }) => items.get(sortKey(event, at)))
    },
    async scan({ host, event, at }) {
      const query = events.query('pk').eq(host).where('sk').between(sortKey(event, at), `${event}#~`)
      const found: unknown = await query.limit(scanned).consistent().exec()
      return found as readonly Sample[]
    },
    async reverse({ host, event, at }) {
      const query = events.query('pk').eq(host).where('sk').between(`${event}#`, sortKey(event, at))
      const found: unknown = await query.sort(SortOrder.descending).limit(scanned).consistent().exec()
      return found as readonly Sample[]
    },
  }
}
