import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchGetCommand, BatchWriteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Row } from 'rowkey/adapter'
import { buckets, type Sample } from '../model.js'
import { scanned, type Stored, type Way } from '../party.js'
import { bucketKey, bucketOf, createTable, fill, sortKey, spreadTable, table } from './tables.js'

/** The same commands by hand, on items with nothing twice: host, event and time are in the keys only. */
export async function documentClient(client: DynamoDBClient, { groups, spread }: Stored): Promise<Way<Row, Row>> {
  await createTable(client, table)
  await createTable(client, spreadTable)
  await fill(client, table, groups.flat(), ({ host }) => host)
  await fill(client, spreadTable, spread, ({ host, at }) => bucketKey(host, bucketOf(at)))
  const documents = DynamoDBDocumentClient.from(client)
  const keyOf = ([host, event, at]: Row) => ({ pk: host as string, sk: sortKey(event as string, at as number) })
  const itemOf = (row: Row) => ({ ...keyOf(row), level: row[3], message: row[4] })
  const rowOf = (item: Record<string, unknown>): Row => {
    const [event, at] = (item['sk'] as string).split('#') as [string, string]
    return [item['pk'], event, Number(at), item['level'], item['message']] as Row
  }
  const query = async (name: string, pk: string, condition: string, low: string, high: string, forward = true): Promise<readonly Row[]> => {
    const { Items } = await documents.send(
      new QueryCommand({
        TableName: name,
        KeyConditionExpression: condition,
        ExpressionAttributeValues: { ':pk': pk, ':low': low, ':high': high },
        ScanIndexForward: forward,
        ConsistentRead: true,
        Limit: scanned,
      }),
    )
    return (Items ?? []).map(rowOf)
  }
  const between = 'pk = :pk AND sk BETWEEN :low AND :high'
  const endOf = (event: string): string => `${event}#~`
  const putMany = async (rows: readonly Row[]): Promise<void> => {
    const calls = []
    for (let i = 0; i < rows.length; i += 25) {
      const requests = rows.slice(i, i + 25).map((row) => ({ PutRequest: { Item: itemOf(row) } }))
      calls.push(documents.send(new BatchWriteCommand({ RequestItems: { [table]: requests } })))
    }
    for (const { UnprocessedItems } of await Promise.all(calls)) {
      if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('rows were left')
    }
  }
  return {
    given: ({ host, event, at, level, message }) => [host, event, at, level, message],
    sampleOf: ([host, event, at, level, message]) => ({ host, event, at, level, message }) as Sample,
    put: (row) => documents.send(new PutCommand({ TableName: table, Item: itemOf(row) })),
    putMany,
    load: putMany,
    async get(row) {
      const { Item } = await documents.send(new GetCommand({ TableName: table, Key: keyOf(row), ConsistentRead: true }))
      return Item && rowOf(Item)
    },
    async getMany(rows) {
      const { Responses } = await documents.send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys: rows.map(keyOf), ConsistentRead: true } } }),
      )
      const found = new Map((Responses?.[table] ?? []).map((item) => [`${item['pk']} ${item['sk']}`, item]))
      return rows.map((row) => {
        const { pk, sk } = keyOf(row)
        const item = found.get(`${pk} ${sk}`)
        return item && rowOf(item)
      })
    },
    scan: ([host, event, at]) => query(table, host as string, between, sortKey(event as string, at as number), endOf(event as string)),
    reverse: ([host, event, at]) =>
      query(table, host as string, between, `${event as string}#`, sortKey(event as string, at as number), false),
    async spread([host, event, at]) {
      const lists = await Promise.all(
        Array.from({ length: buckets }, (_, bucket) =>
          query(spreadTable, bucketKey(host as string, bucket), between, sortKey(event as string, at as number), endOf(event as string)),
        ),
      )
      const rows = lists.flat().map(([pk, ...others]): Row => [(pk as string).split('.')[0] as string, ...others])
      return rows.sort((a, b) => (a[2] as number) - (b[2] as number)).slice(0, scanned)
    },
  }
}
