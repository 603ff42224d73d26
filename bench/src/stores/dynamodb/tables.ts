import {
  BatchWriteItemCommand,
  CreateTableCommand,
  waitUntilTableExists,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import type { DynamodbConnection } from '@rowkey/servers'
import { buckets, type Sample } from '../model.js'

// It says so for each process, and for none of them is it news.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'

export const settings = ({ endpoint }: DynamodbConnection) =>
  ({ endpoint, region: 'eu-central-1', credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' } }) as const

export const table = `hand_${process.pid}`
export const spreadTable = `hand_spread_${process.pid}`

/** Sixteen digits: in the order of times. */
const padded = (at: number): string => String(at).padStart(16, '0')
export const sortKey = (event: string, at: number): string => `${event}#${padded(at)}`
export const bucketKey = (host: string, bucket: number): string => `${host}.${bucket}`
export const bucketOf = (at: number): number => Math.floor(at / 1000) % buckets

export async function createTable(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
    }),
  )
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: name })
}

/** Rows of the hand-written layout, 25 by a call. */
export async function fill(
  client: DynamoDBClient,
  name: string,
  samples: readonly Sample[],
  partition: (sample: Sample) => string,
): Promise<void> {
  const itemOf = (sample: Sample): Record<string, AttributeValue> => ({
    pk: { S: partition(sample) },
    sk: { S: sortKey(sample.event, sample.at) },
    level: { S: sample.level },
    message: { S: sample.message },
  })
  for (let i = 0; i < samples.length; i += 25) {
    const Requests = samples.slice(i, i + 25).map((sample) => ({ PutRequest: { Item: itemOf(sample) } }))
    await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: Requests } }))
  }
}
