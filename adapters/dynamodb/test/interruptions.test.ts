import { int32, nullable, text } from 'rowkey/codec'
import { dynamodb } from '@rowkey/dynamodb'
import { defineTable, type TableSchema } from 'rowkey'
import { Cancellation } from 'rowkey/adapter'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { intercept } from './middleware.js'
import { onServer, openTable, type Change } from './servers.js'

const Rows: TableSchema = defineTable('rows', { columns: { k: int32(), a: nullable(text()) }, key: ['k'] })
const until = (ms: number): Cancellation => new Cancellation({ deadline: Date.now() + ms })
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)
const inserts = (count: number): readonly Change[] => upTo(count).map((k) => ({ kind: 'insert', row: [k, 'x'] }))

onServer('dynalite', (server) => {
  test('WRITE-10 ADAPTER-14: after a deadline nothing is sent, what is on its way then is unknown, the rest unprocessed', async () => {
    const client = server.client({ maxAttempts: 5 })
    const table = await openTable(server.adapter(client), Rows)
    expect((await table.write(inserts(3), { cancellation: until(-1) })).map(({ kind }) => kind)).toEqual(upTo(3).map(() => 'unprocessed'))
    let sent = 0
    intercept(client, ({ operation, send }) => {
      if (operation !== 'PutItem') return send()
      sent++
      return new Promise((_, reject) => setTimeout(() => reject(Object.assign(new Error('aborted'), { name: 'AbortError' })), 150))
    })
    const outcomes = await table.write(inserts(40), { cancellation: until(100) })
    expect(outcomes.filter(({ kind }) => kind === 'unknown')).toHaveLength(sent)
    expect(outcomes.filter(({ kind }) => kind === 'unprocessed')).toHaveLength(40 - sent)
    expect(sent).toBeLessThan(40)
    expect(
      await table.store.get(
        upTo(40).map((k) => [k]),
        { consistency: 'strong' },
      ),
    ).toEqual(upTo(40).map(() => undefined))
  })

  test('a request that nobody answers ends with the deadline and with the signal', async () => {
    const client = server.client({ maxAttempts: 5 })
    const table = await openTable(server.adapter(client), Rows)
    // Nothing answers at the other end of this one.
    const { createServer } = await import('node:net')
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const lost = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${port}`,
      region: 'x',
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    })
    const adapter = dynamodb(lost)
    const store = adapter.table(table.schema, table.catalog)
    const mutation = { schema: table.schema, kind: 'insert', row: [1, 'x'] } as const
    expect((await adapter.write([mutation], { now: 0, cancellation: until(50) }))[0]?.kind).toBe('unknown')
    await expect(store.get([[1]], { consistency: 'strong', cancellation: until(50) })).rejects.toMatchObject({ code: 'DEADLINE' })
    const reason = new Error('stopped')
    const controller = new AbortController()
    const cancellation = new Cancellation({ signal: controller.signal })
    const write = adapter.write([mutation], { now: 0, cancellation })
    const page = store.fullScan(undefined, { consistency: 'strong', cancellation }).next(10)
    setTimeout(() => controller.abort(reason), 20)
    expect((await write)[0]?.kind).toBe('unknown')
    await expect(page).rejects.toBe(reason)
    lost.destroy()
    silent.close()
  })

  test('WRITE-10: after an abort nothing is sent, and what was applied before is applied', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Rows)
    const reason = new Error('stopped')
    const aborted = new Cancellation({ signal: AbortSignal.abort(reason) })
    expect((await table.write(inserts(2), { cancellation: aborted })).map(({ kind }) => kind)).toEqual(['unprocessed', 'unprocessed'])
    const controller = new AbortController()
    intercept(client, async ({ send }) => {
      const answered = await send()
      setImmediate(() => controller.abort(reason))
      return answered
    })
    const cancellation = new Cancellation({ signal: controller.signal })
    expect(await table.write(inserts(1), { cancellation })).toEqual([{ kind: 'applied' }])
  })

  test('CLOSED: nothing is sent any more, and the client stays open', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const table = await openTable(adapter, Rows)
    await table.put([1, 'x'])
    await adapter.close()
    for (const call of [
      () => table.write(inserts(1)),
      () => adapter.dropTable(table.schema.name),
      async () => table.store.purgeExpired?.(0, 1),
      async () =>
        table.store
          .scan(
            { bucket: 0, from: { prefix: [], edge: 'before' }, to: { prefix: [], edge: 'after' }, reverse: false },
            { consistency: 'strong' },
          )
          .next(1),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'CLOSED' })
    }
    expect(await server.adapter(client).describeTable(table.schema.name)).toEqual(table.catalog)
  })
})

test('anything except a client of DynamoDB is refused', () => {
  for (const given of [undefined, null, {}, 'x', { send: () => undefined }]) {
    expect(() => dynamodb(given as never)).toThrow(/^INVALID_OPTION: dynamodb\(\): client cannot be /)
  }
  const streams = { send: () => undefined, config: { serviceId: 'DynamoDB Streams' } }
  expect(() => dynamodb(streams as never)).toThrow('CLIENT_OPTION: dynamodb() cannot use a client with serviceId: "DynamoDB Streams"')
})

test('INVALID_OPTION: other options, and other values', () => {
  const client = new DynamoDBClient({ region: 'x' })
  for (const options of [{ transactons: false }, { transactions: 1 }, { nativeTtl: null }, null, 5]) {
    expect(() => dynamodb(client, options as never)).toThrow('INVALID_OPTION')
  }
  expect(dynamodb(client, { transactions: undefined } as never).capabilities.atomic.max).toBe(100)
  expect(dynamodb(client, { transactions: false }).capabilities.atomic).toEqual({ scope: 'row', max: 1, isolated: true })
  client.destroy()
})
