import { dynamodb } from '@rowkey/dynamodb'
import { fixedBytes, int32, nullable, text } from 'rowkey/codec'
import { defineTable } from 'rowkey'
import { Cancellation, isRowkeyError, type Row, type TableCatalog } from 'rowkey/adapter'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { answer, intercept, serviceError } from './middleware.js'
import { onEachServer, onServer, openTable } from './servers.js'

const Plain = defineTable('plain', { columns: { k: int32(), a: nullable(text()) }, key: ['k'], writes: 'plain' })
type Item = Record<string, object>

const strong = { consistency: 'strong' } as const
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

type Requests = Record<string, { readonly Keys?: readonly object[] } & readonly object[]>
const countOf = (input: Record<string, unknown>): number => {
  const [requests] = Object.values(input['RequestItems'] as Requests)
  return requests?.Keys?.length ?? requests?.length ?? 0
}

onEachServer((server) => {
  test.each([1, 2, 24, 25, 26, 50, 51, 76])('WRITE-5: %i writes go 25 by a call, one alone without a batch', async (count) => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Plain)
    const sizes: number[] = []
    const alone: string[] = []
    intercept(client, ({ operation, input, send }) => {
      if (operation === 'BatchWriteItem') sizes.push(countOf(input))
      if (operation === 'PutItem') alone.push(operation)
      return send()
    })
    const rows = upTo(count).map((k): Row => [k, `v${k}`])
    await table.put(...rows)
    expect(sizes.toSorted((a, b) => b - a)).toEqual([
      ...upTo(Math.floor(count / 25)).map(() => 25),
      ...(count % 25 > 1 ? [count % 25] : []),
    ])
    expect(alone).toHaveLength(count % 25 === 1 ? 1 : 0)
    expect(await table.store.get(rows, strong)).toEqual(rows)
  })

  test.each([1, 2, 99, 100, 101, 200, 201])('GET-2: %i keys go 100 by a call', async (count) => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Plain)
    await table.put(
      ...upTo(count)
        .filter((k) => k % 2 === 0)
        .map((k): Row => [k, null]),
    )
    const sizes: number[] = []
    intercept(client, ({ operation, input, send }) => {
      if (operation === 'BatchGetItem') sizes.push(countOf(input))
      return send()
    })
    const found = await table.store.get(
      upTo(count).map((k) => [k]),
      strong,
    )
    expect(found).toEqual(upTo(count).map((k) => (k % 2 === 0 ? [k, null] : undefined)))
    expect(sizes.toSorted((a, b) => b - a)).toEqual(
      count === 1 ? [] : [...upTo(Math.floor(count / 100)).map(() => 100), ...(count % 100 > 0 ? [count % 100] : [])],
    )
  })

  test('GET-2: keys that a server leaves are asked for again, with the same columns', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Plain)
    await table.put(...upTo(90).map((k): Row => [k, 'x']))
    const sizes: number[] = []
    intercept(client, ({ operation, input, send }) => {
      if (operation !== 'BatchGetItem') return send()
      const [[name, request]] = Object.entries(input['RequestItems'] as Record<string, { Keys: object[] }>) as [
        [string, { Keys: object[] }],
      ]
      sizes.push(request.Keys.length)
      if (sizes.length === 2) return Promise.resolve(answer({ Responses: {}, UnprocessedKeys: { [name]: request } }))
      const left = request.Keys.splice(30)
      const more = left.length === 0 ? {} : { [name]: { ...request, Keys: left } }
      return send().then((given) => {
        const { output } = given as { output: { Responses: Record<string, Item[]> } }
        const isLeft = ({ rk_p, rk_s }: Item): boolean => left.some((key) => isDeepStrictEqual(key, { rk_p, rk_s }))
        const items = output.Responses[name] ?? []
        Object.assign(output, { Responses: { [name]: items.filter((item) => !isLeft(item)) }, UnprocessedKeys: more })
        return given
      })
    })
    const found = await table.store.get(
      upTo(90).map((k) => [k]),
      strong,
    )
    expect(found).toEqual(upTo(90).map((k) => [k, 'x']))
    expect(sizes[0]).toBe(90)
    expect(sizes.length).toBeGreaterThan(2)
  })

  test('GET-2: a server that gets to one key at a time gives all in the end', async () => {
    const client = server.client()
    const { store, schema } = await openTable(server.adapter(client), Plain)
    intercept(client, ({ operation, input, send }) => {
      if (operation !== 'BatchGetItem') return send()
      const { Keys } = (input['RequestItems'] as Record<string, { readonly Keys: readonly object[] }>)[schema.name] ?? { Keys: [] }
      const left = Keys.length > 1 ? { [schema.name]: { Keys: Keys.slice(1) } } : {}
      return Promise.resolve(answer({ Responses: { [schema.name]: [{ ...Keys[0], a: { S: 'x' } }] }, UnprocessedKeys: left }))
    })
    const rows = upTo(12).map((k): Row => [k, 'x'])
    expect(await store.get(rows, strong)).toEqual(rows)
  })

  test('GET-2: a server that never gets to a key is an error, not a row that is missing', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Plain)
    await table.put([1, 'x'], [2, 'x'])
    let asked = 0
    intercept(client, ({ operation, input, send }) => {
      if (operation !== 'BatchGetItem') return send()
      asked++
      return Promise.resolve(answer({ Responses: {}, UnprocessedKeys: input['RequestItems'] as object }))
    })
    await expect(table.store.get([[1], [2]], strong)).rejects.toThrow('2 keys')
    expect(asked).toBe(8)
    const controller = new AbortController()
    const aborted = table.store.get([[1], [2]], { ...strong, cancellation: new Cancellation({ signal: controller.signal }) })
    controller.abort(new Error('stopped'))
    await expect(aborted).rejects.toThrow()
    expect(asked).toBeLessThan(12)
  })

  test('GET-2: once a batch fails, no more are asked for', async () => {
    const client = server.client({ maxAttempts: 1 })
    const { store } = await openTable(server.adapter(client), Plain)
    let asked = 0
    intercept(client, async ({ operation, send }) => {
      if (operation !== 'BatchGetItem') return send()
      if (asked++ === 0) throw serviceError('AccessDeniedException', 400)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return answer({ Responses: {} })
    })
    const keys = upTo(2000).map((k): Row => [k])
    await expect(store.get(keys, strong)).rejects.toThrow('AccessDenied')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(asked).toBe(4)
  })

  test('WRITE-5 ADAPTER-6: what a server leaves of a batch is unprocessed, the rest applied', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Plain)
    await table.put([90, 'x'])
    intercept(client, async ({ operation, input, send }) => {
      if (operation !== 'BatchWriteItem') return send()
      // The server answers in an order of its own.
      const all = Object.entries(input['RequestItems'] as Record<string, object[]>)
      const left = Object.fromEntries(all.map(([name, list]) => [name, list.filter((_, i) => i % 3 === 1).reverse()]))
      return answer({ UnprocessedItems: structuredClone(left) })
    })
    const outcomes = await table.write([...upTo(10).map((k) => ({ kind: 'put', row: [k, 'x'] }) as const), { kind: 'delete', row: [90] }])
    expect(outcomes.map(({ kind }) => kind)).toEqual(upTo(11).map((i) => (i % 3 === 1 ? 'unprocessed' : 'applied')))
  })

  test('ADAPTER-6: one bad write of a batch does not refuse the others', async () => {
    const client = server.client()
    const adapter = server.adapter(client)
    const [table, dropped] = [await openTable(adapter, Plain), await openTable(adapter, Plain)]
    await adapter.dropTable(dropped.schema.name)
    const outcomes = await adapter.write(
      [
        { schema: table.schema, kind: 'put', row: [1, 'x'] },
        { schema: dropped.schema, kind: 'put', row: [1, 'x'] },
        { schema: table.schema, kind: 'put', row: [2, 'x'.repeat(420_000)] },
        { schema: table.schema, kind: 'put', row: [3, 'x'] },
      ],
      { now: Date.now() },
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'failed', 'failed', 'applied'])
    expect(isRowkeyError((outcomes[1] as { cause: unknown }).cause, 'TABLE_NOT_FOUND')).toBe(true)
    expect(await table.store.get([[1], [2], [3]], strong)).toEqual([[1, 'x'], undefined, [3, 'x']])
  })

  test('WRITE-9: a key that no item can have is refused, and read as absent', async () => {
    const Long = defineTable('long', {
      columns: { a: text(), b: text(), n: nullable(int32()) },
      partition: ['a'],
      key: ['b'],
      writes: 'plain',
    })
    const table = await openTable(server.adapter(server.client()), Long)
    for (const [a, b, limit, bytes] of [
      ['x'.repeat(2100), 'y', 'partition', 2102],
      ['x', 'y'.repeat(1100), 'sortKey', 1102],
    ] as const) {
      const [outcome] = await table.write([{ kind: 'put', row: [a, b, 1] }])
      expect(outcome).toMatchObject({ kind: 'failed', cause: { code: 'LIMIT_EXCEEDED', details: { limit, bytes } } })
      expect(await table.store.get([[a, b]], strong)).toEqual([undefined])
    }
    const scan = table.store.scan(
      {
        bucket: 0,
        from: { prefix: ['x'.repeat(2100)], edge: 'before' },
        to: { prefix: ['x'.repeat(2100)], edge: 'after' },
        reverse: false,
      },
      strong,
    )
    expect(await scan.next(10)).toBe(undefined)
  })

  test('SCAN-1: the largest rows of the largest keys come whole, over the borders of 1 MB pages, both ways', async () => {
    const Large = defineTable('large', { columns: { k: fixedBytes(999), a: text() }, key: ['k'], writes: 'plain' })
    const client = server.client()
    const table = await openTable(server.adapter(client), Large)
    const rows = upTo(9).map((i): Row => [new Uint8Array(999).fill(i === 8 ? 0xff : i, i === 8 ? 0 : 500), 'é'.repeat(180_000)])
    for (const row of rows) await table.put(row)
    let pages = 0
    intercept(client, ({ operation, send }) => {
      if (operation === 'Query' || operation === 'Scan') pages++
      return send()
    })
    for (const reverse of [false, true]) {
      const source = table.store.scan(
        { bucket: 0, from: { prefix: [], edge: 'before' }, to: { prefix: [], edge: 'after' }, reverse },
        strong,
      )
      const found: Row[] = []
      for (let page = await source.next(100); page !== undefined; page = await source.next(100)) found.push(...page.rows)
      expect(found.map(([k]) => Buffer.from(k as Uint8Array).toString('hex'))).toEqual(
        (reverse ? rows.toReversed() : rows).map(([k]) => Buffer.from(k as Uint8Array).toString('hex')),
      )
      expect(found.every(([, a]) => a === 'é'.repeat(180_000))).toBe(true)
    }
    expect(pages).toBeGreaterThanOrEqual(4)
  })
})

onServer('moto', (server) => {
  const Rows = defineTable('rows', { columns: { k: int32(), a: nullable(text()) }, key: ['k'], version: 'rev' })
  const batch = [
    { kind: 'put', row: [1, 'x', 'v'] },
    { kind: 'insert', row: [2, 'x', 'v'] },
    { kind: 'update', row: [3, 'x', 'v'], set: [1, 2] },
    { kind: 'delete', row: [4], version: 'v1' },
  ] as const

  test.each([
    ['TransactionConflict', 'unprocessed'],
    ['ThrottlingError', 'unprocessed'],
    ['ProvisionedThroughputExceeded', 'unprocessed'],
    ['ItemCollectionSizeLimitExceeded', 'failed'],
    ['ValidationError', 'failed'],
    ['AccessDenied', 'failed'],
  ])('ADAPTER-11: a transaction canceled for %s', async (Code, kind) => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Rows)
    const reasons = [{ Code: 'None' }, { Code }, { Code: 'None' }, { Code: 'None' }]
    intercept(client, ({ operation, send }) =>
      operation === 'TransactWriteItems'
        ? Promise.reject(serviceError('TransactionCanceledException', 400, { CancellationReasons: reasons }))
        : send(),
    )
    const outcomes = await table.write(batch, { atomic: 'token' })
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['unprocessed', kind, 'unprocessed', 'unprocessed'])
  })

  test('ADAPTER-11: an update without changes is a condition and no more, for which the service wants no Update', async () => {
    const Unversioned = defineTable('unversioned', { columns: { k: int32(), a: nullable(text()) }, key: ['k'] })
    const client = server.client()
    const table = await openTable(server.adapter(client), Unversioned)
    await table.put([1, 'old'])
    const sent: unknown[] = []
    intercept(client, ({ operation, input, send }) => {
      if (operation === 'TransactWriteItems') sent.push(...(input['TransactItems'] as object[]).map((item) => Object.keys(item).join()))
      return send()
    })
    const change = (k: number) => [{ kind: 'update', row: [k, null], set: [] } as const, { kind: 'put', row: [9, 'x'] } as const]
    expect(await table.write(change(2), { atomic: 'a' })).toEqual([{ kind: 'missing' }, { kind: 'unprocessed' }])
    expect(await table.write(change(1), { atomic: 'b' })).toEqual([{ kind: 'applied' }, { kind: 'applied' }])
    expect(sent).toEqual(['ConditionCheck', 'Put', 'ConditionCheck', 'Put'])
    expect(await table.store.get([[1], [9]], strong)).toEqual([
      [1, 'old'],
      [9, 'x'],
    ])
  })

  test('ADAPTER-11: conditions that fail say why, each by its own row', async () => {
    const table = await openTable(server.adapter(server.client()), Rows)
    await table.put([2, 'old', 'v1'], [4, 'old', 'v0'])
    const outcomes = await table.write(batch, { atomic: 'token' })
    expect(outcomes).toEqual([
      { kind: 'unprocessed' },
      { kind: 'conflict', current: [2, 'old', 'v1'] },
      { kind: 'missing' },
      { kind: 'conflict', current: [4, 'old', 'v0'] },
    ])
    expect(await table.store.get([[1]], strong)).toEqual([undefined])
  })

  test.each([
    ['TransactionInProgressException', 400, 'unknown'],
    ['InternalServerError', 500, 'unknown'],
    ['ThrottlingException', 400, 'unprocessed'],
    ['IdempotentParameterMismatchException', 400, 'failed'],
  ])('WRITE-8: a transaction that meets %s is %3$s', async (name, status, kind) => {
    const client = server.client({ maxAttempts: 1 })
    const table = await openTable(server.adapter(client), Rows)
    intercept(client, ({ operation, send }) => (operation === 'TransactWriteItems' ? Promise.reject(serviceError(name, status)) : send()))
    const outcomes = await table.write(batch, { atomic: 'token' })
    expect(outcomes.map((outcome) => outcome.kind)).toEqual([kind, kind, kind, kind])
  })

  test('ADAPTER-11: what cannot be sent is refused alone, and nothing is sent', async () => {
    const Long = defineTable('long', { columns: { a: text(), n: nullable(int32()) }, key: ['a'], writes: 'plain' })
    const client = server.client()
    const table = await openTable(server.adapter(client), Long)
    const outcomes = await table.write(
      ['x', 'x'.repeat(1100)].map((a) => ({ kind: 'put', row: [a, 1] })),
      { atomic: 'token' },
    )
    expect(outcomes).toMatchObject([{ kind: 'unprocessed' }, { kind: 'failed', cause: { code: 'LIMIT_EXCEEDED' } }])
    expect(await table.store.get([['x']], strong)).toEqual([undefined])
  })
})

onServer('dynalite', (server) => {
  test('ADAPTER-10: a condition that failed, with a server that tells no more and then has no time, is unprocessed', async () => {
    const Versioned = defineTable('versioned', { columns: { k: int32(), a: nullable(text()) }, key: ['k'], version: 'rev' })
    const client = server.client({ maxAttempts: 1 })
    const table = await openTable(server.adapter(client), Versioned)
    await table.put([1, 'x', 'v1'])
    let isBusy = true
    intercept(client, ({ operation, send }) =>
      operation === 'GetItem' && isBusy ? Promise.reject(serviceError('ThrottlingException', 400)) : send(),
    )
    const update = [{ kind: 'update', row: [1, 'y', 'v3'], set: [1, 2], version: 'v2' }] as const
    expect(await table.write(update)).toEqual([{ kind: 'unprocessed' }])
    isBusy = false
    expect(await table.write(update)).toEqual([{ kind: 'conflict', current: [1, 'x', 'v1'] }])
    expect(await table.write([{ ...update[0], row: [2, 'y', 'v3'] }])).toEqual([{ kind: 'missing' }])
  })

  test('WRITE-15: without transactions an atomic batch is refused and nothing is sent, one write is not', async () => {
    const client = server.client()
    const table = await openTable(server.adapter(client), Plain)
    const outcomes = await table.write(
      [1, 2].map((k) => ({ kind: 'put', row: [k, 'x'] })),
      { atomic: 'token' },
    )
    expect(outcomes).toMatchObject([1, 2].map(() => ({ kind: 'failed', cause: { code: 'ATOMIC_SCOPE' } })))
    expect(await table.store.get([[1], [2]], strong)).toEqual([undefined, undefined])
    expect(await table.write([{ kind: 'put', row: [1, 'x'] }], { atomic: 'token' })).toEqual([{ kind: 'applied' }])
  })
  test('WRITE-15: a server that has no transactions is said to have none, with the option that helps; nothing is written', async () => {
    const client = server.client()
    const { schema, store } = await openTable(server.adapter(client), Plain)
    const adapter = dynamodb(client, { nativeTtl: false })
    const catalog = await adapter.describeTable(schema.name)
    adapter.table(schema, catalog as TableCatalog)
    const batch = [1, 2].map((k) => ({ kind: 'put' as const, schema, row: [k, 'x'] }))
    const outcomes = await adapter.write(batch, { now: Date.now(), atomic: 'token' })
    expect(outcomes.map((outcome) => (outcome.kind === 'failed' ? String(outcome.cause) : outcome.kind))).toEqual(
      batch.map(
        () =>
          `RowkeyError: NOT_SUPPORTED: the server of '${schema.name}' has no transactions. Call dynamodb(client, { transactions: false }): ` +
          'then atomic writes of several rows are refused before anything is sent. Nothing was written.',
      ),
    )
    expect(await store.get([[1], [2]], strong)).toEqual([undefined, undefined])
  })
})
