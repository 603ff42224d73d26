import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { dynamodb, dynamodbStore } from '@rowkey/dynamodb'
import { afterAll, expect, test } from 'vitest'
import { schemas, testDescription } from '../../../test/kit/described.js'

const client = new DynamoDBClient({ region: 'eu-central-1' })
afterAll(() => client.destroy())
testDescription(dynamodbStore, dynamodb(client), () => import('../src/description.js'), '@aws-sdk/client-dynamodb')

test('options are those of the adapter: the expiry of the server is in the definition or not', () => {
  for (const nativeTtl of [true, false]) {
    const options = { nativeTtl, transactions: false }
    for (const schema of schemas) expect(dynamodbStore.ddl(schema, options)).toEqual(dynamodb(client, options).ddl(schema))
    expect(dynamodbStore.ddl(schemas[1] as never, { nativeTtl }).statements).toHaveLength(nativeTtl ? 3 : 2)
  }
})

test('an adapter of a server without transactions has smaller capabilities than the description', () => {
  const { atomic, ...rest } = dynamodb(client, { transactions: false }).capabilities
  const { atomic: described, ...others } = dynamodbStore.capabilities
  expect(rest).toEqual(others)
  expect([atomic.scope, described.scope]).toEqual(['row', 'store'])
})
