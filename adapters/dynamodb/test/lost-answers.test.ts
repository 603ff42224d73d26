import { int32, nullable, text } from 'rowkey/codec'
import { createMapper, defineTable } from 'rowkey'
import { describe, expect, test } from 'vitest'
import { intercept, cut, serviceError, type Attempt } from './middleware.js'
import { named, onEachServer, onServer, openTable, type Change } from './servers.js'

const Rows = defineTable('rows', { columns: { k: int32(), a: nullable(text()) }, key: ['k'], version: 'rev' })
const Plain = defineTable('plain', { columns: { k: int32(), a: nullable(text()) }, key: ['k'], writes: 'plain' })

/** Every first attempt of these operations is applied, then its answer is lost. */
const losing =
  (seen: string[], ...operations: readonly string[]) =>
  async ({ operation, before, send }: Attempt): Promise<object> => {
    if (!operations.includes(operation)) return send()
    seen.push(operation)
    const answered = await send()
    if (before === 0) throw cut()
    return answered
  }

onEachServer((server) => {
  describe('WRITE-8 WRITE-11: applied, but the answer is lost', () => {
    const changes: readonly (readonly [string, Change])[] = [
      ['insert', { kind: 'insert', row: [1, 'new', 'v2'] }],
      ['put', { kind: 'put', row: [2, 'new', 'v2'] }],
      ['put with a version', { kind: 'put', row: [2, 'new', 'v2'], version: 'v1' }],
      ['update', { kind: 'update', row: [2, 'new', 'v2'], set: [1, 2] }],
      ['update with a version', { kind: 'update', row: [2, 'new', 'v2'], set: [1, 2], version: 'v1' }],
      ['delete with a version', { kind: 'delete', row: [2], version: 'v1' }],
      ['delete', { kind: 'delete', row: [2] }],
    ]
    test.each(changes)('%s: unknown, sent once, although the client repeats', async (_, change) => {
      const client = server.client({ maxAttempts: 5 })
      const table = await openTable(server.adapter(client), Rows)
      await table.put([2, 'old', 'v1'])
      const seen: string[] = []
      intercept(client, losing(seen, 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'))
      const [outcome] = await table.write([change])
      expect(outcome).toMatchObject({ kind: 'unknown', cause: { code: 'ECONNRESET' } })
      expect(seen).toHaveLength(1)
      const [now] = await table.store.get([change.row], { consistency: 'strong' })
      expect(now?.slice(1)).toEqual(change.kind === 'delete' ? undefined : ['new', 'v2'])
    })

    test('also where the client keeps handlers, and where it has been used for the same operations before', async () => {
      const client = server.client({ maxAttempts: 5, cacheMiddleware: true })
      const seen: string[] = []
      let isOn = false
      const lose = losing(seen, 'PutItem')
      intercept(client, (attempt) => (isOn ? lose(attempt) : attempt.send()))
      const table = await openTable(server.adapter(client), Rows)
      await table.write([{ kind: 'insert', row: [0, 'x', 'v'] }])
      isOn = true
      for (const k of [1, 2]) expect((await table.write([{ kind: 'insert', row: [k, 'x', 'v'] }]))[0]?.kind).toBe('unknown')
      expect(seen).toHaveLength(2)
    })

    test('also where the client has a strategy of its own that repeats everything', async () => {
      let repeats = 0
      const token = { getRetryCount: () => repeats, getRetryDelay: () => 0 }
      const retryStrategy = {
        acquireInitialRetryToken: () => Promise.resolve(token),
        refreshRetryTokenForRetry: () => (++repeats > 3 ? Promise.reject(new Error('enough')) : Promise.resolve(token)),
        recordSuccess: () => undefined,
      }
      const client = server.client({ retryStrategy })
      const table = await openTable(server.adapter(client), Rows)
      const seen: string[] = []
      repeats = 0
      intercept(client, losing(seen, 'PutItem'))
      expect((await table.write([{ kind: 'insert', row: [1, 'x', 'v'] }]))[0]).toMatchObject({
        kind: 'unknown',
        cause: { code: 'ECONNRESET' },
      })
      expect(repeats).toBeGreaterThan(3)
      expect(seen).toHaveLength(1)
    })

    test('a batch: all of it is unknown, sent once', async () => {
      const client = server.client({ maxAttempts: 5 })
      const table = await openTable(server.adapter(client), Plain)
      const seen: string[] = []
      intercept(client, losing(seen, 'BatchWriteItem'))
      const outcomes = await table.write([1, 2, 3].map((k) => ({ kind: 'put', row: [k, 'x'] })))
      expect(outcomes.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown'])
      expect(seen).toHaveLength(1)
    })

    test('a mapper finds out by the version, and repeats what does no harm twice', async () => {
      const client = server.client({ maxAttempts: 5 })
      const db = createMapper(server.adapter(client))
      const [rows, plain] = [named(Rows), named(Plain)] as unknown as readonly [typeof Rows, typeof Plain]
      await db.ensureTables([rows, plain])
      const seen: string[] = []
      intercept(client, losing(seen, 'PutItem', 'UpdateItem', 'BatchWriteItem'))
      const { version } = (await db.repository(rows).insert({ k: 1, a: 'x' })) as { readonly version: string }
      await db.repository(rows).update({ k: 1 }, { a: 'y' }, { if: { rev: version } })
      expect(await db.repository(rows).get({ k: 1 })).toMatchObject({ a: 'y' })
      expect(seen).toEqual(['PutItem', 'UpdateItem'])
    })
  })

  test.each([
    ['no answer', 'unknown', cut()],
    ['500', 'unknown', serviceError('InternalServerError', 500)],
    ['503', 'unknown', serviceError('ServiceUnavailable', 503)],
    ['nonsense', 'unknown', Object.assign(new SyntaxError('Unexpected token'), { $metadata: { httpStatusCode: 200 } })],
    ['no connection', 'unprocessed', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['throttled', 'unprocessed', serviceError('ThrottlingException', 400)],
    ['no capacity', 'unprocessed', serviceError('ProvisionedThroughputExceededException', 400)],
    ['too many requests', 'unprocessed', serviceError('RequestLimitExceeded', 400)],
    ['a transaction is at it', 'unprocessed', serviceError('TransactionConflictException', 400)],
    ['no rights', 'failed', serviceError('AccessDeniedException', 400)],
    ['too large', 'failed', serviceError('ItemCollectionSizeLimitExceededException', 400)],
    ['not valid', 'failed', serviceError('ValidationException', 400)],
  ])('WRITE-8: a write that meets %s is %s', async (_, kind, error) => {
    const client = server.client({ maxAttempts: 1 })
    const table = await openTable(server.adapter(client), Rows)
    intercept(client, ({ operation, send }) => (/^(Put|BatchWrite)Item$/.test(operation) ? Promise.reject(error) : send()))
    const batches: readonly (readonly Change[])[] = [
      [{ kind: 'insert', row: [1, 'x', 'v'] }],
      [{ kind: 'put', row: [1, 'x', 'v'] }],
      [1, 2].map((k) => ({ kind: 'put', row: [k, 'x', 'v'] })),
    ]
    for (const batch of batches) for (const outcome of await table.write(batch)) expect(outcome.kind).toBe(kind)
  })

  test('a client may repeat what was surely not applied', async () => {
    const client = server.client({ maxAttempts: 3 })
    const table = await openTable(server.adapter(client), Rows)
    let refused = 0
    intercept(client, ({ operation, before, send }) => {
      if (operation !== 'PutItem' || before > 0) return send()
      refused++
      return Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
    })
    expect(await table.write([{ kind: 'insert', row: [1, 'x', 'v'] }])).toEqual([{ kind: 'applied' }])
    expect(refused).toBe(1)
  })

  test('a repeat that follows a refusal is not believed to be the last word either', async () => {
    const client = server.client({ maxAttempts: 5 })
    const table = await openTable(server.adapter(client), Rows)
    let sent = 0
    intercept(client, async ({ operation, before, send }) => {
      if (operation !== 'PutItem') return send()
      if (before === 0) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
      sent++
      await send()
      throw cut()
    })
    expect((await table.write([{ kind: 'insert', row: [1, 'x', 'v'] }]))[0]?.kind).toBe('unknown')
    expect(sent).toBe(1)
  })
})

onServer('moto', (server) => {
  const batch: readonly Change[] = [
    { kind: 'insert', row: [1, 'new', 'v2'] },
    { kind: 'update', row: [2, 'new', 'v2'], set: [1, 2], version: 'v1' },
  ]

  test('WRITE-8: a transaction is sent again under its token; once an answer was lost, a refusal is not believed', async () => {
    const client = server.client({ maxAttempts: 5 })
    const table = await openTable(server.adapter(client), Rows)
    await table.put([2, 'old', 'v1'])
    const tokens: unknown[] = []
    intercept(client, async ({ operation, input, before, send }) => {
      if (operation !== 'TransactWriteItems') return send()
      tokens.push(input['ClientRequestToken'])
      const answered = await send() // moto does not know tokens: a second time it refuses
      if (before === 0) throw cut()
      return answered
    })
    const outcomes = await table.write(batch, { atomic: 'token' })
    expect(tokens).toEqual(['token', 'token'])
    expect(outcomes).toMatchObject([{ kind: 'unknown', cause: { code: 'ECONNRESET' } }, { kind: 'unknown' }])
  })

  test('WRITE-8: where the server knows the token, a transaction whose answer was lost is applied', async () => {
    const client = server.client({ maxAttempts: 5 })
    const table = await openTable(server.adapter(client), Rows)
    await table.put([2, 'old', 'v1'])
    let first: object | undefined
    intercept(client, async ({ operation, send }) => {
      if (operation !== 'TransactWriteItems') return send()
      if (first !== undefined) return first // as the service does
      first = await send()
      throw cut()
    })
    expect(await table.write(batch, { atomic: 'token' })).toEqual([{ kind: 'applied' }, { kind: 'applied' }])
    expect(await table.store.get([[1], [2]], { consistency: 'strong' })).toEqual([
      [1, 'new', 'v2'],
      [2, 'new', 'v2'],
    ])
  })

  test('a token of any length is one that the service takes, and another for another', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Rows)
    const tokens: string[] = []
    intercept(client, ({ operation, input, send }) => {
      if (operation === 'TransactWriteItems') tokens.push(String(input['ClientRequestToken']))
      return send()
    })
    for (const atomic of ['x'.repeat(36), 'x'.repeat(37), 'x'.repeat(38), 'x'.repeat(37)]) {
      await table.write(
        [1, 2].map((k) => ({ kind: 'put', row: [k, 'x', 'v'] })),
        { atomic },
      )
    }
    expect(tokens[0]).toBe('x'.repeat(36))
    expect(tokens.every(({ length }) => length > 0 && length <= 36)).toBe(true)
    expect(new Set(tokens).size).toBe(3)
    expect(tokens[3]).toBe(tokens[1])
  })
  test('what is computed from an item has the same token with the same input, and another one once the item is another', async () => {
    const Counts = defineTable('counts', { columns: { k: int32(), n: int32() }, key: ['k'] })
    const client = server.client()
    const table = await openTable(server.adapter(client), Counts)
    await table.put([1, 1], [2, 1])
    const tokens: unknown[] = []
    intercept(client, ({ operation, input, send }) => {
      if (operation !== 'TransactWriteItems') return send()
      tokens.push(input['ClientRequestToken'])
      const reasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }]
      return Promise.reject(serviceError('TransactionCanceledException', 400, { CancellationReasons: reasons }))
    })
    const counts = [1, 2].map((k) => {
      return { kind: 'update', row: [k, null], set: [], additions: [{ column: 1, by: 1 }], create: [k, 1] } as const
    })
    const twice = async () => {
      for (let n = 0; n < 2; n++) {
        const outcomes = await table.write(counts, { atomic: 'token' })
        expect(outcomes.map(({ kind }) => kind)).toEqual(['unprocessed', 'unprocessed'])
      }
    }
    await twice()
    await table.put([1, 5])
    await twice()
    expect(new Set(tokens.slice(0, 2)).size).toBe(1)
    expect(new Set(tokens.slice(2)).size).toBe(1)
    expect(new Set(tokens).size).toBe(2)
  })
})
