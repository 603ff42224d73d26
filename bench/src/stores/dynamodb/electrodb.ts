import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { Entity } from 'electrodb'
import type { Sample } from '../model.js'
import { scanned, type Stored, type Way } from '../party.js'
import { createTable, table } from './tables.js'

export async function electrodb(client: DynamoDBClient, { groups }: Stored): Promise<Way<Sample, Sample>> {
  await createTable(client, table)
  const events = new Entity(
    {
      model: { entity: 'event', version: '1', service: 'bench' },
      attributes: {
        host: { type: 'string', required: true },
        event: { type: 'string', required: true },
        at: { type: 'number', required: true, padding: { length: 16, char: '0' } },
        level: { type: 'string', required: true },
        message: { type: 'string', required: true },
      },
      indexes: { primary: { pk: { field: 'pk', composite: ['host'] }, sk: { field: 'sk', composite: ['event', 'at'] } } },
    },
    { client: DynamoDBDocumentClient.from(client), table },
  )
  const keyOf = ({ host, event, at }: Sample) => ({ host, event, at })
  const putMany = async (rows: readonly Sample[]): Promise<void> => {
    const { unprocessed } = await events.put([...rows]).go({ concurrent: 4 })
    if (unprocessed.length > 0) throw new Error('rows were left')
  }
  for (const group of groups) await putMany(group)
  return {
    given: (sample) => sample,
    sampleOf: (found) => found,
    put: (row) => events.put(row).go(),
    putMany,
    load: putMany,
    get: async (row) => (await events.get(keyOf(row)).go({ consistent: true })).data ?? undefined,
    async getMany(rows) {
      const { data } = await events.get(rows.map(keyOf)).go({ consistent: true, preserveBatchOrder: true })
      return data.map((one) => one ?? undefined)
    },
    scan: async ({ host, event, at }) =>
      (await events.query.primary({ host }).between({ event, at }, { event, at: 9e15 }).go({ limit: scanned, consistent: true })).data,
    reverse: async ({ host, event, at }) =>
      (
        await events.query
          .primary({ host })
          .between({ event, at: 0 }, { event, at })
          .go({ limit: scanned, order: 'desc', consistent: true })
      ).data,
  }
}
