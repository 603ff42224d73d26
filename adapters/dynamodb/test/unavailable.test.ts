import { int32 } from 'rowkey/codec'
import { dynamodb } from '@rowkey/dynamodb'
import { defineTable, type TableSchema } from 'rowkey'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { cut, intercept, serviceError } from './middleware.js'
import { onServer, openTable } from './servers.js'
import { failEachCall } from '../../../test/kit/failing-calls.js'

const Rows: TableSchema = defineTable('rows', { columns: { k: int32() }, key: ['k'] })
const Expiring: TableSchema = defineTable('expiring', { columns: { k: int32() }, key: ['k'], ttl: '1h' })
const strong = { consistency: 'strong' } as const
const refused = (reason: string) => ({ code: 'STORE_REFUSED', details: { adapter: 'dynamodb', reason } })
const unavailable = (reason: string) => ({ code: 'STORE_UNAVAILABLE', details: { adapter: 'dynamodb', reason } })

onServer('dynalite', (server) => {
  test.each([
    ['throttled', () => serviceError('ThrottlingException', 400), unavailable('refused')],
    ['without capacity', () => serviceError('ProvisionedThroughputExceededException', 400), unavailable('refused')],
    ['down inside', () => serviceError('InternalServerError', 500), unavailable('refused')],
    ['cut off', cut, unavailable('unanswered')],
    ['not allowed', () => serviceError('AccessDeniedException', 400), refused('access')],
    ['not known', () => serviceError('UnrecognizedClientException', 400), refused('access')],
    ['out of time', () => serviceError('ExpiredTokenException', 400), refused('access')],
    ['wrongly signed', () => serviceError('InvalidSignatureException', 400), refused('access')],
    ['without credentials', () => Object.assign(new Error('no'), { name: 'CredentialsProviderError' }), refused('access')],
    ['refused for another reason', () => serviceError('ValidationException', 400), refused('other')],
    ['an error of the client itself', () => new TypeError('no'), refused('other')],
  ])('reads of a service that is %s', async (_, error, expected) => {
    const client = server.client({ maxAttempts: 1 })
    const { store, schema } = await openTable(server.adapter(client), Rows)
    intercept(client, () => Promise.reject(error()))
    await expect(store.get([[1]], strong)).rejects.toMatchObject(expected)
    await expect(store.get([[1], [2]], strong)).rejects.toMatchObject(expected)
    await expect(store.fullScan(undefined, strong).next(10)).rejects.toMatchObject(expected)
    for (const run of [
      () => server.adapter(client).describeTable(schema.name),
      () => server.adapter(client).ensureTable(schema),
      () => server.adapter(client).dropTable(schema.name),
    ]) {
      if (expected.details.reason !== 'other') await expect(run()).rejects.toMatchObject(expected)
    }
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

onServer('dynalite', (server) => {
  test.each(['AccessDeniedException', 'UnrecognizedClientException', 'ExpiredTokenException'])(
    'ERR-1 WRITE-11: a write of a service that answers %s is sent once, and its outcome says that it failed',
    async (name) => {
      const client = server.client()
      const { write } = await openTable(server.adapter(client), Rows)
      const sent: string[] = []
      intercept(client, ({ operation }) => {
        sent.push(operation)
        return Promise.reject(serviceError(name, 400))
      })
      const cause = expect.objectContaining({ name }) as Error
      for (const kind of ['put', 'insert', 'delete'] as const)
        expect(await write([{ kind, row: [1] }])).toEqual([{ kind: 'failed', cause }])
      expect(sent.splice(0)).toEqual(['PutItem', 'PutItem', 'DeleteItem'])
      const many = await write(Array.from({ length: 25 }, (_, i) => ({ kind: 'put', row: [i] })))
      expect(many).toEqual(Array.from({ length: 25 }, () => ({ kind: 'failed', cause })))
      expect(sent).toEqual(['BatchWriteItem'])
    },
  )
})

onServer('dynalite', (server) => {
  test('ERR-1: whatever call of the client fails, in whatever way, no error of it reaches the application', async () => {
    const failures = [
      () => serviceError('AccessDeniedException', 400),
      () => serviceError('ValidationException', 400),
      () => serviceError('InternalServerError', 500),
      cut,
      () => new TypeError('of the client'),
    ]
    const { raw, typed } = await failEachCall(failures, (turn) => {
      const client = server.client({ maxAttempts: 1 })
      intercept(client, async ({ send }) => {
        const failure = turn()
        if (failure !== undefined) throw failure
        return send()
      })
      return Promise.resolve({ adapter: server.adapter(client), close: () => client.destroy() })
    })
    expect(raw).toEqual([])
    expect(typed).toBeGreaterThan(100)
  }, 600_000)
})
