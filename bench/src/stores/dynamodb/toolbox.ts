import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import {
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  Entity,
  executeBatchGet,
  executeBatchWrite,
  GetItemCommand,
  item,
  number,
  PutItemCommand,
  QueryCommand,
  string,
  Table,
} from 'dynamodb-toolbox'
import type { Sample } from '../model.js'
import { scanned, type Stored, type Way } from '../party.js'
import { createTable, sortKey, table as name } from './tables.js'

export async function toolbox(client: DynamoDBClient, { groups }: Stored): Promise<Way<Sample, Sample>> {
  await createTable(client, name)
  const documentClient = DynamoDBDocumentClient.from(client)
  const table = new Table({ name, partitionKey: { name: 'pk', type: 'string' }, sortKey: { name: 'sk', type: 'string' }, documentClient })
  const events = new Entity({
    name: 'event',
    table,
    timestamps: false,
    schema: item({ host: string().key(), event: string().key(), at: number().key(), level: string(), message: string() }),
    computeKey: ({ host, event, at }) => ({ pk: host, sk: sortKey(event, at) }),
  })
  const keyOf = ({ host, event, at }: Sample) => ({ host, event, at })
  const putMany = async (rows: readonly Sample[]): Promise<void> => {
    const calls = []
    for (let i = 0; i < rows.length; i += 25) {
      const requests = rows.slice(i, i + 25).map((row) => events.build(BatchPutRequest).item(row))
      calls.push(executeBatchWrite(table.build(BatchWriteCommand).requests(...requests)))
    }
    await Promise.all(calls)
  }
  const query = async (host: string, low: string, high: string, reverse: boolean): Promise<readonly Sample[]> => {
    const command = table
      .build(QueryCommand)
      .entities(events)
      .query({ partition: host, range: { between: [low, high] } })
    return (await command.options({ limit: scanned, reverse, consistent: true }).send()).Items ?? []
  }
  for (const group of groups) await putMany(group)
  return {
    given: (sample) => sample,
    sampleOf: (found) => found,
    put: (row) => events.build(PutItemCommand).item(row).send(),
    putMany,
    load: putMany,
    get: async (row) => (await events.build(GetItemCommand).key(keyOf(row)).options({ consistent: true }).send()).Item,
    async getMany(rows) {
      const requests = rows.map((row) => events.build(BatchGetRequest).key(keyOf(row)))
      const { Responses } = await executeBatchGet(
        table
          .build(BatchGetCommand)
          .options({ consistent: true })
          .requests(...requests),
      )
      return Responses?.[0] ?? []
    },
    scan: ({ host, event, at }) => query(host, sortKey(event, at), `${event}#~`, false),
    reverse: ({ host, event, at }) => query(host, `${event}#`, sortKey(event, at), true),
  }
}
