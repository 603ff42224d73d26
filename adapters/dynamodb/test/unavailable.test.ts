import { int32 } from '@rowkey/codec'
import { dynamodb } from '@rowkey/dynamodb'
import { defineTable, type TableSchema } from '@rowkey/model'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { cut, intercept, serviceError } from './middleware.js'
import { onServer, openTable } from './servers.js'

const Rows: TableSchema = defineTable('rows', { columns: { k: int32() }, key: ['k'] })
const Expiring: TableSchema = defineTable('expiring', { columns: { k: int32() }, key: ['k'], ttl: '1h' })
const strong = { consistency: 'strong' } as const
const unavailable = (reason: string) => ({ code: 'STORE_UNAVAILABLE', details: { adapter: 'dynamodb', reason } })

onServer('dynalite', (server) => {
  test.each([
    ['throttled', () => serviceError('ThrottlingException', 400), unavailable('refused')],
    ['without capacity', () => serviceError('ProvisionedThroughputExceededException', 400), unavailable('refused')],
    ['down inside', () => serviceError('InternalServerError', 500), unavailable('refused')],
    ['cut off', cut, unavailable('unanswered')],
    ['not allowed', () => serviceError('AccessDeniedException', 400), { name: 'AccessDeniedException' }],
  ])('reads of a service that is %s', async (_, error, expected) => {
    const client = server.client({ maxAttempts: 1 })
    const { store, schema } = await openTable(server.adapter(client), Rows)
    intercept(client, () => Promise.reject(error()))
    await expect(store.get([[1]], strong)).rejects.toMatchObject(expected)
    await expect(store.get([[1], [2]], strong)).rejects.toMatchObject(expected)
    await expect(store.fullScan(undefined, strong).next(10)).rejects.toMatchObject(expected)
    await expect(server.adapter(client).describeTable(schema.name)).rejects.toMatchObject(expected)
  })
})

onServer('dynalite', (server) => {
  test('purges of a service that reads and does not delete', async () => {
    const client = server.client({ maxAttempts: 1 })
    const { store, put } = await openTable(server.adapter(client), Expiring)
    await put([1, 5])
    intercept(client, ({ operation, send }) =>
      operation === 'DeleteItem' ? Promise.reject(serviceError('ThrottlingException', 400)) : send(),
    )
    await expect(store.purgeExpired?.(10, 10)).rejects.toMatchObject(unavailable('refused'))
  })
})

test('a service that is not there', async () => {
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' }
  const adapter = dynamodb(new DynamoDBClient({ endpoint: 'http://127.0.0.1:1', region: 'x', maxAttempts: 1, credentials }))
  for (const run of [() => adapter.describeTable('rows'), () => adapter.dropTable('rows'), () => adapter.ensureTable(Rows)]) {
    await expect(run()).rejects.toMatchObject(unavailable('unanswered'))
  }
})
