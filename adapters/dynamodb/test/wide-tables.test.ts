import { scaled } from '@rowkey/servers/scale'
import {
  createMapper,
  decimal,
  defineTable,
  float64,
  int32,
  int64,
  isRowkeyError,
  memory,
  nullable,
  text,
  type ColumnType,
  type Mapper,
  type TableSchema,
} from 'rowkey'
import { afterAll, describe, expect, test } from 'vitest'
import { inspect } from 'node:util'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { codeOf } from '../../../test/kit/refusal.js'
import { intercept } from './middleware.js'
import { limited, operatorsIn, type Largest } from './service-limits.js'
import { named, onServer, openTable } from './servers.js'

const seed = Number(process.env['ROWKEY_SEED'] ?? 20_261_201)

/** The most columns that a model may have, version and expiry included. */
const most = 247
const names = Array.from({ length: most - 1 }, (_, i) => `column_${i}`)

const wide = (name: string, more: object): TableSchema =>
  defineTable(name, {
    columns: { id: text(), ...Object.fromEntries(names.map((column): [string, ColumnType] => [column, nullable(int32())])) },
    key: ['id'],
    ...more,
  })
const models = [wide('unversioned', {}), wide('versioned', { version: 'rev', ttl: '30d' }), wide('plain', { writes: 'plain' })] as const

const all = (value: unknown, of = names): Record<string, unknown> => Object.fromEntries(of.map((name) => [name, value]))
const key = { id: 'a' }

test('the limits are those of the service', async () => {
  expect(operatorsIn('ConditionExpression', 'a<b OR (a<b OR (a<b))')).toBe(5)
  expect(operatorsIn('UpdateExpression', 'SET #a = if_not_exists(#a, :b) + :c REMOVE #d')).toBe(3)
  expect(operatorsIn('ConditionExpression', 'attribute_exists(#p) AND NOT #a IN (:a,:b)')).toBe(4)
})

onServer('dynalite', (server) => {
  test.each([
    ['too long', { ConditionExpression: `#p = :p${' '.repeat(4096)}` }, /maximum allowed size/],
    ['of 301 operators', { ConditionExpression: `#p = :p${' OR #p = :p'.repeat(150)}` }, /operator count: 301/],
    ['with 101 operands', { ConditionExpression: `#p IN (${Array(101).fill(':p').join()})` }, /operands: 101/],
    ['with redundant parentheses', { ConditionExpression: '((#p = :p))' }, /redundant/],
    [
      'an item that is too large',
      { Item: { rk_p: { B: Uint8Array.of(1) }, rk_s: { B: Uint8Array.of(1) }, x: { S: 'x'.repeat(409_600) } } },
      /Item size/,
    ],
    ['a key that is too long', { Key: { rk_p: { B: Uint8Array.of(1) }, rk_s: { B: new Uint8Array(1025) } } }, /Size of key/],
  ])('a client with the limits of the service refuses what is %s', async (_, input, message) => {
    const client = limited(server.client())
    const { UpdateItemCommand } = await import('@aws-sdk/client-dynamodb')
    await expect(client.send(new UpdateItemCommand({ TableName: 'xxx', ...input } as never))).rejects.toThrow(message)
  })
})

onServer('dynalite', (server) => {
  describe.each(models)('a table of hundreds of columns, $name', (model) => {
    const largest: Largest = { bytes: 0, operators: 0 }
    const db = createMapper(server.adapter(limited(server.client(), largest)), { prefix: `wide${process.pid}_${server.name}_` })
    const rows = db.repository(model) as never as Any
    afterAll(() => db.dropTables([model]))

    test('every sort of write', async () => {
      await db.ensureTables([model])
      await rows.put({ ...key, ...all(1) })
      await rows.putMany([
        { id: 'b', ...all(1) },
        { id: 'c', ...all(1) },
      ])
      if (model.writes === 'plain') {
        await rows.deleteMany([{ id: 'b' }, { id: 'c' }])
        expect(await rows.scan({ id: { gte: '' }, ...all(1) }).toArray()).toEqual([{ ...key, ...all(1) }])
        return
      }
      expect(await codeOf(() => rows.insert({ ...key, ...all(2) }))).toBe('ROW_EXISTS')
      await rows.update(key, all(2))
      await rows.update(key, all(3), { if: all(2) })
      expect(await codeOf(() => rows.update(key, all(4), { if: { ...all(3), column_245: 2 } }))).toBe('CONDITION_FAILED')
      await rows.increment(key, all(1))
      await rows.increment(key, all(1), { if: all(4) })
      expect(await codeOf(() => rows.increment(key, all(2 ** 31 - 1)))).toBe('OUT_OF_RANGE')
      await rows.increment({ id: 'new' }, all(7), { create: true })
      await rows.put({ ...key, ...all(6) }, { if: all(5) })
      await rows.upsert({ ...key, ...all(8) })
      await rows.upsert({ id: 'upserted', ...all(8) })
      await rows.update(key, { column_0: 9 }, { if: { ...all(8), column_0: { in: Array.from({ length: 500 }, (_, i) => i) } } })
      await rows.update(key, all(null), { if: { ...all(8), column_0: 9 } })
      await rows.update(key, all(1), { if: all({ isNull: true }) })
      expect(await rows.scan({ id: { in: ['a', 'new'] } }, { select: names }).toArray()).toMatchObject([all(1), all(7)])
      await rows.delete(key, { if: all(1) })
      expect(await rows.scan({ id: { gte: '' }, ...all(7) }).toArray()).toMatchObject([all(7)])
      expect(await rows.scan({ id: { gte: '' } }, { select: ['id'] }).toArray()).toEqual(
        ['b', 'c', 'new', 'upserted'].map((id) => ({ id })),
      )
    })

    test('what is sent is weighed', () => {
      expect(largest.operators).toBeGreaterThan(0)
      expect(largest.operators).toBeLessThanOrEqual(300)
      expect(largest.bytes).toBeLessThanOrEqual(4096)
    })
  })
})

onServer('moto', (server) => {
  // moto reads expressions recursively, and runs out of stack in one that sets more columns. Those without a version need a mark.
  const some = names.slice(0, 100)

  test.each(models.slice(0, 2))('transactions of a table of a hundred columns, $name', async (model) => {
    const db = createMapper(server.adapter(server.client()), { prefix: `atomic${process.pid}_` })
    await db.ensureTables([model])
    const rows = db.repository(model) as never as Any
    const one = all(1, some)
    await rows.putMany(['x', 'y', 'z'].map((id) => ({ id, ...one })))
    const { ops } = rows
    const write = (ifZ: object): Promise<unknown> => {
      const changes = [
        ops.update({ id: 'x' }, all(2, some), { if: one }),
        ops.increment({ id: 'y' }, all(2, some)),
        ops.delete({ id: 'z' }, { if: ifZ }),
      ]
      return db.write(changes as never, { atomic: true })
    }
    expect(await codeOf(() => write({ ...one, column_3: 2 }))).toBe('CONDITION_FAILED')
    await write(one)
    expect(await rows.scan({ id: { gte: 'x', lt: 'zz' } }).toArray()).toMatchObject([
      { id: 'x', ...all(2, some) },
      { id: 'y', ...all(3, some) },
    ])
    await db.dropTables([model])
  })
})

type Any = Record<
  'put' | 'putMany' | 'insert' | 'update' | 'increment' | 'upsert' | 'delete' | 'deleteMany' | 'getMany' | 'locate',
  (...given: unknown[]) => Promise<unknown>
> & {
  scan(...given: unknown[]): { toArray(): Promise<unknown[]> }
  readonly ops: Record<'update' | 'increment' | 'delete', (...given: unknown[]) => unknown>
}

/** A table of up to 240 columns of all sorts of numbers and texts, and columns whose names are as long as models allow. */
function randomTable(
  random: Random,
  number: number,
): { readonly model: TableSchema; readonly pools: ReadonlyMap<string, readonly unknown[]> } {
  const kinds: readonly (readonly [() => ColumnType, readonly unknown[]])[] = [
    [int32, [0, 1, -1, 7]],
    [int64, [0n, 1n, 2n ** 53n + 1n]],
    [() => decimal(38, 2), ['0.00', '1.00', `${'9'.repeat(36)}.99`]],
    [text, ['', 'a', '\0', '\u{1f600}']],
    [float64, [-0, 0, NaN, 1e300]],
  ]
  const count = 20 + random.below(220)
  const name = (i: number): string => (random.chance(0.5) ? `c${i}` : `c${i}_`.padEnd(60, 'x'))
  const columns = Array.from({ length: count }, (_, i) => [name(i), random.pick(kinds)] as const)
  const model = defineTable(`random${number}`, {
    columns: { id: text(), ...Object.fromEntries(columns.map(([column, [type]]) => [column, nullable(type())] as const)) },
    key: ['id'],
    ...(random.chance(0.5) ? { version: 'rev' } : {}),
    ...(random.chance(0.5) ? { ttl: '30d' } : {}),
  })
  return { model, pools: new Map(columns.map(([column, [, pool]]) => [column, pool])) }
}

/** What becomes of the same random changes on a store. */
async function answersOf(db: Mapper, tableSeed: number, number: number): Promise<readonly string[]> {
  const random = new Random(tableSeed)
  const { model, pools } = randomTable(random, number)
  await db.ensureTables([model])
  const rows = db.repository(model) as never as Any
  const some = (part: number, of: (pool: readonly unknown[]) => unknown): Record<string, unknown> =>
    Object.fromEntries([...pools].filter(() => random.chance(part)).map(([column, pool]) => [column, of(pool)]))
  const value = (pool: readonly unknown[]): unknown => (random.chance(0.3) ? null : random.pick(pool))
  const answers: string[] = []
  let held: Record<string, unknown> = {}
  for (let step = 0; step < 25; step++) {
    const part = random.pick([0.1, 0.5, 1])
    const change = some(random.pick([0.05, 0.5, 1]), value)
    // Conditions that hold, mostly, because those that do not are refused before anything is sent.
    const conditions = Object.fromEntries(
      [...pools]
        .filter(() => random.chance(part))
        .map(([column, pool]) => {
          const is = held[column] ?? null
          if (is === null) return [column, random.chance(0.5) ? null : { isNull: true }]
          return [column, random.pick([is, { in: [is, ...pool] }, { isNull: false }])]
        }),
    )
    if (random.chance(0.2)) Object.assign(conditions, some(0.1, value))
    const options = Object.keys(conditions).length > 0 && random.chance(0.7) ? [{ if: conditions }] : []
    const amounts = Object.fromEntries(
      [...pools]
        .filter(([, [zero]]) => zero === 0 || zero === 0n || zero === '0.00')
        .filter(([column]) => !Object.is(held[column], -0) && random.chance(part))
        .map(([column, [zero]]) => [column, typeof zero === 'bigint' ? 1n : zero === 0 ? 1 : '1.00']),
    )
    const isAddable = [...pools].filter(([column]) => column in amounts).every(([, pool]) => !pool.includes(NaN))
    const run = random.pick([
      () => rows.put({ ...key, ...change }, ...options),
      () => rows.update(key, change, ...options),
      () => rows.upsert({ ...key, ...change }),
      () => (isAddable && Object.keys(amounts).length > 0 ? rows.increment(key, amounts, ...options) : rows.update(key, change)),
      () => rows.scan({ id: { gte: '' }, ...conditions }).toArray(),
      () => (random.chance(0.3) ? rows.delete(key, ...options) : rows.put({ ...key, ...change })),
    ])
    const answer = await run().then(
      (given: unknown) => (Array.isArray(given) ? `${given.length} rows` : 'done'),
      (error: unknown) => {
        if (isRowkeyError(error)) return error.code
        throw error
      },
    )
    held = ((await (rows as never as { get(key: object): Promise<object | undefined> }).get(key)) ?? {}) as Record<string, unknown>
    answers.push(`${answer} ${inspect({ ...held, rev: undefined }, { maxArrayLength: null })}`)
  }
  await db.dropTables([model])
  return answers
}

onServer('dynalite', (server) => {
  test(`random changes of random wide tables are what memory makes of them, seed ${seed}`, async () => {
    const largest: Largest = { bytes: 0, operators: 0 }
    const client = limited(server.client(), largest)
    let marks = 0
    intercept(client, ({ input, send }) => {
      if (String(input['UpdateExpression']).startsWith('SET #m')) marks++
      return send()
    })
    const db = createMapper(server.adapter(client), { prefix: `random${process.pid}_` })
    const done: string[] = []
    const tables = Math.max(12, scaled(12)) // fewer meet too little
    for (let table = 0; table < tables; table++) {
      const wanted = await answersOf(createMapper(memory()), seed + table, table)
      const given = await answersOf(db, seed + table, table)
      given.forEach((answer, i) => expect(answer, `table ${table}, step ${i}`).toBe(wanted[i]))
      done.push(...wanted.map((answer) => answer.split(' ')[0] as string))
    }
    const count = (answer: string): number => done.filter((each) => each === answer).length
    expect(count('done')).toBeGreaterThan(tables * 5)
    expect(count('CONDITION_FAILED')).toBeGreaterThan(tables / 2)
    // It came near to the limits, and needed marks.
    expect(largest.operators).toBeGreaterThan(140)
    expect(largest.bytes).toBeGreaterThan(2000)
    expect(marks).toBeGreaterThan(tables)
  })

  test('a write between a mark and its change is seen', async () => {
    const client = server.client()
    const db = createMapper(server.adapter(client), { prefix: `marked${process.pid}_`, retry: { attempts: 1 } })
    const [model] = models
    await db.ensureTables([model])
    const rows = db.repository(model) as never as Any
    const other = createMapper(server.adapter(server.client()), { prefix: `marked${process.pid}_` }).repository(model) as never as Any
    const between: readonly (() => Promise<unknown>)[] = [
      () => other.update(key, { column_0: 5 }), // of the part that was checked before
      () => other.increment(key, { column_0: 1 }),
      () => other.put({ ...key, ...all(1), column_0: 5 }),
      async () => {
        await other.delete(key)
        await other.put({ ...key, ...all(1), column_0: 5 })
      },
    ]
    let write: (() => Promise<unknown>) | undefined
    intercept(client, async ({ input, send }) => {
      const answer = await send()
      if (write !== undefined && String(input['UpdateExpression']).startsWith('SET #m')) {
        const now = write
        write = undefined
        await now()
      }
      return answer
    })
    for (const each of between) {
      await rows.put({ ...key, ...all(1) })
      write = each
      expect(await codeOf(() => rows.update(key, { column_1: 9 }, { if: all(1) }))).toBe('CONDITION_FAILED')
      expect(write).toBeUndefined()
      expect(await rows.scan(key, { select: ['column_1'] }).toArray()).toEqual([{ column_1: 1 }])
    }
    await rows.put({ ...key, ...all(1) })
    await rows.update(key, { column_1: 9 }, { if: all(1) })
    expect(await rows.scan(key, { select: ['column_1'] }).toArray()).toEqual([{ column_1: 9 }])
    await db.dropTables([model])
  })
})

onServer('dynalite', (server) => {
  test.each(models.slice(0, 2))('of many who change a row of $name at once under a wide condition, each one does', async (model) => {
    const clients = Array.from({ length: 16 }, () => server.client())
    const prefix = `crowd${process.pid}_`
    const tables = clients.map((client) => createMapper(server.adapter(client), { prefix }).repository(model) as never as Any)
    const db = createMapper(server.adapter(server.client()), { prefix })
    await db.ensureTables([model])
    const rows = db.repository(model) as never as Any
    const column = 'column_239'
    const conditions = all({ isNull: false }, names.slice(0, 240))
    await rows.put({ ...key, ...all(0) })
    await Promise.all(tables.map((table, i) => table.increment(key, { [column]: 2 ** i }, { if: conditions })))
    expect(await rows.scan(key, { select: [column] }).toArray()).toEqual([{ [column]: 2 ** 16 - 1 }])
    // A row that is not there, or one that is other than wanted, is told as always.
    expect(await codeOf(() => rows.increment({ id: 'none' }, { [column]: 1 }, { if: conditions }))).toBe('ROW_NOT_FOUND')
    expect(await codeOf(() => rows.increment(key, { [column]: 1 }, { if: { ...conditions, [column]: 1 } }))).toBe('CONDITION_FAILED')
    await db.dropTables([model])
  })

  test.each([true, false])(
    'a write between a read and its change is seen in a table of versions, the row has one: %s',
    async (hasVersion) => {
      const { UpdateItemCommand } = await import('@aws-sdk/client-dynamodb')
      const client = server.client()
      const prefix = `between${process.pid}_`
      const db = createMapper(server.adapter(client), { prefix, retry: { attempts: 1 } })
      const model = models[1]
      await db.ensureTables([model])
      const rows = db.repository(model) as never as Any
      const { TableName, Key } = (await rows.locate(key)) as { readonly TableName: string; readonly Key: never }
      const byHand = (UpdateExpression: string): Promise<unknown> =>
        server.client().send(new UpdateItemCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues: { ':x': { N: '5' } } }))
      let write: (() => Promise<unknown>) | undefined
      let marks = 0
      intercept(client, async ({ operation, input, send }) => {
        const isMark = String(input['UpdateExpression']).startsWith('SET #m')
        const given = await send()
        if (isMark) marks++
        if (write !== undefined && (isMark || (hasVersion && operation === 'GetItem'))) {
          const now = write
          write = undefined
          await now()
        }
        return given
      })
      await rows.put({ ...key, ...all(1) })
      if (!hasVersion) await byHand('SET column_0 = :x REMOVE rk_version')
      const before = hasVersion ? all(1) : { ...all(1), column_0: 5 }
      const other = createMapper(server.adapter(server.client()), { prefix }).repository(model) as never as Any
      write = () => (hasVersion ? other.update(key, { column_1: 5 }) : byHand('SET column_1 = :x REMOVE rk_mark'))
      expect(await codeOf(() => rows.update(key, { column_2: 9 }, { if: before }))).toBe('CONDITION_FAILED')
      expect(write).toBeUndefined()
      await rows.update(key, { column_2: 9 }, { if: { ...before, column_1: 5 } })
      expect(await rows.scan(key, { select: ['column_1', 'column_2'] }).toArray()).toEqual([{ column_1: 5, column_2: 9 }])
      expect(marks > 0).toBe(!hasVersion)
      await db.dropTables([model])
    },
  )

  test('all who want to change a row share its mark: one who only looks stops nobody', async () => {
    const client = server.client()
    const prefix = `shared${process.pid}_`
    const db = createMapper(server.adapter(client), { prefix })
    const [model] = models
    await db.ensureTables([model])
    const rows = db.repository(model) as never as Any
    const other = createMapper(server.adapter(server.client()), { prefix }).repository(model) as never as Any
    await rows.put({ ...key, ...all(1) })
    let marks = 0
    intercept(client, async ({ input, send }) => {
      const given = await send()
      if (String(input['UpdateExpression']).startsWith('SET #m') && ++marks < 5)
        expect(await codeOf(() => other.update(key, { column_1: 5 }, { if: all(2) }))).toBe('CONDITION_FAILED')
      return given
    })
    await rows.update(key, { column_1: 9 }, { if: all(1) })
    expect(marks).toBe(1)
    await db.dropTables([model])
  })

  test('what is not the item with its mark is no answer to a mark', async () => {
    const client = server.client()
    const db = createMapper(server.adapter(client), { prefix: `unmarked${process.pid}_`, retry: { attempts: 1 } })
    const [model] = models
    await db.ensureTables([model])
    const rows = db.repository(model) as never as Any
    await rows.put({ ...key, ...all(1) })
    let change: ((item: Record<string, unknown>) => unknown) | undefined
    intercept(client, async ({ input, send }) => {
      const given = (await send()) as { readonly output: Record<string, unknown> }
      if (change === undefined || !String(input['UpdateExpression']).startsWith('SET #m')) return given
      return { ...given, output: { ...given.output, Attributes: change(given.output['Attributes'] as Record<string, unknown>) } }
    })
    for (const each of [
      () => undefined,
      (item: Record<string, unknown>) => ({ ...item, rk_mark: undefined }),
      (item: Record<string, unknown>) => ({ ...item, rk_mark: { N: '1' } }),
      (item: Record<string, unknown>) => ({ ...item, rk_s: { B: Uint8Array.of(1, 2) } }),
    ]) {
      change = each
      expect(await codeOf(() => rows.update(key, { column_1: 9 }, { if: all(1) }))).toBe('ADAPTER_FAULT')
    }
    change = undefined
    expect(await rows.scan(key, { select: ['column_1'] }).toArray()).toEqual([{ column_1: 1 }])
    await db.dropTables([model])
  })
})

onServer('moto', (server) => {
  test('a transaction of more than 4 MB is refused before anything is sent', async () => {
    const client = server.client()
    const Large = defineTable('large', {
      columns: { id: text(), ...Object.fromEntries(names.slice(0, 5).map((name) => [name, nullable(text())])) },
      key: ['id'],
    })
    const table = await openTable(server.adapter(client), named(Large))
    let sent = 0
    intercept(client, ({ operation, send }) => {
      if (operation === 'TransactWriteItems') sent++
      return send()
    })
    const rows = Array.from({ length: 14 }, (_, i) => [`${i}`, ...names.slice(0, 5).map(() => 'x'.repeat(65_000))])
    const outcomes = await table.write(
      rows.map((row) => ({ kind: 'put', row })),
      { atomic: 'token' },
    )
    expect(outcomes[0]).toMatchObject({ kind: 'failed', cause: { code: 'ATOMIC_SCOPE' } })
    expect(sent).toBe(0)
    expect(
      await table.write(
        rows.slice(0, 12).map((row) => ({ kind: 'put', row })),
        { atomic: 'other' },
      ),
    ).toHaveLength(12)
    expect(sent).toBe(1)
  })
})
