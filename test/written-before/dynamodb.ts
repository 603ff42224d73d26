import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
  type AttributeValue,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import { models } from './models.js'

/** A table as it is created, and its items; bytes as base64. */
export interface DynamodbTable {
  readonly create: CreateTableCommandInput
  readonly items: readonly unknown[]
}

const isBytes = (value: unknown): value is { readonly base64: string } => typeof value === 'object' && value !== null && 'base64' in value

/** An item with base64 in place of bytes, and the way back. */
const toText = (value: unknown): unknown =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : mapped(value, toText)
const toItem = (value: unknown): unknown => (isBytes(value) ? new Uint8Array(Buffer.from(value.base64, 'base64')) : mapped(value, toItem))

function mapped(value: unknown, each: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(each)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, each(one)] as const))
}

export async function dump(client: DynamoDBClient): Promise<readonly DynamodbTable[]> {
  return Promise.all(
    models.map(async ({ name }) => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: name }))
      const { AttributeDefinitions, KeySchema, BillingModeSummary, ProvisionedThroughput } = Table ?? {}
      const billing =
        BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST'
          ? { BillingMode: 'PAY_PER_REQUEST' as const }
          : {
              ProvisionedThroughput: {
                ReadCapacityUnits: ProvisionedThroughput?.ReadCapacityUnits,
                WriteCapacityUnits: ProvisionedThroughput?.WriteCapacityUnits,
              },
            }
      const { Items = [] } = await client.send(new ScanCommand({ TableName: name, ConsistentRead: true }))
      const items = Items.map(toText).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      return { create: { TableName: name, AttributeDefinitions, KeySchema, ...billing }, items }
    }),
  )
}

export async function restore(client: DynamoDBClient, tables: readonly DynamodbTable[]): Promise<void> {
  await remove(client)
  for (const { create, items } of tables) {
    await client.send(new CreateTableCommand(create))
    await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.1, maxDelay: 1 }, { TableName: create.TableName })
    for (const item of items) {
      await client.send(new PutItemCommand({ TableName: create.TableName, Item: toItem(item) as Record<string, AttributeValue> }))
    }
  }
}

export async function remove(client: DynamoDBClient): Promise<void> {
  for (const { name } of models) {
    try {
      await client.send(new DeleteTableCommand({ TableName: name }))
      await waitUntilTableNotExists({ client, maxWaitTime: 60, minDelay: 0.1, maxDelay: 1 }, { TableName: name })
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error
    }
  }
}
