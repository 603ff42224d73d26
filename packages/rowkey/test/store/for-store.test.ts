import { bytes, int32, json, text } from '#codec'
import { memory } from '#memory'
import { copyTable, createMapper } from '#mapper'
import { defineTable, type TableSchema } from '#model'
import { ensureTable, openTable } from '#store/engine'
import { hintsOf, type Adapter, type Hints } from '#store/adapter'
import { expect, test } from 'vitest'

const hinted = (stores: Readonly<Record<string, unknown>>): TableSchema =>
  defineTable('hinted', { columns: { k: int32() }, key: ['k'], stores })

const hints: Hints = {
  level: { fits: (given) => given === 1 || given === 2, wants: '1 or 2' },
  fast: { fits: () => true, wants: 'anything' },
  rooms: { fits: (given) => given === true, wants: (given) => `true instead of ${typeof given}` },
}
const store = { name: 'shelf', hints }

test('TABLE-5: hints that fit are given to the adapter, as data', () => {
  expect(hintsOf(store, hinted({ shelf: { level: 2 } }))).toEqual({ level: 2 })
  expect(hintsOf(store, hinted({}))).toEqual({})
  expect(hintsOf(store, hinted({ other: { level: 9 } }))).toEqual({})
})

test.each<[string, unknown, string]>([
  [
    'an unknown hint',
    { levle: 1 },
    "in the model of 'hinted', stores.shelf.levle cannot be 1. shelf only knows 'level' and 'fast' and 'rooms'.",
  ],
  ['a hint that says what is wrong', { rooms: 7 }, 'stores.shelf.rooms cannot be 7. Give true instead of number.'],
  ['a part of a hint', { rooms: { a: 1 } }, 'stores.shelf.rooms has a part that does not fit. Give true instead of object.'],
  ['a hint of another form', { level: 3 }, "in the model of 'hinted', stores.shelf.level cannot be 3. Give 1 or 2."],
  ['a name that every object has', { constructor: 1 }, 'stores.shelf.constructor cannot be 1'],
  ['a text', 'level', 'in the model of \'hinted\', stores.shelf cannot be "level". Give an object.'],
  ['a list', [1], 'stores.shelf cannot be a list of 1. Give an object.'],
])('TABLE-5: %s is refused', (_, given, message) => {
  expect(() => hintsOf(store, hinted({ shelf: given }))).toThrow(message)
  expect(() => hintsOf(store, hinted({ shelf: given }))).toThrow('INVALID_OPTION')
})

test('TABLE-5: an adapter that says nothing of hints has none', async () => {
  const adapter = memory()
  const wrong = hinted({ memory: { size: 1 } })
  const refused = { code: 'INVALID_OPTION', details: { option: 'stores.memory.size', value: '1' } }
  const told = { ...refused, message: expect.stringContaining('memory has no hints. Leave it out.') as string }
  await expect(createMapper(adapter).ensureTables([wrong])).rejects.toMatchObject(told)
  await expect(ensureTable(adapter, wrong)).rejects.toMatchObject(refused)
  expect(await adapter.describeTable('hinted')).toBe(undefined)
  await ensureTable(adapter, hinted({}))
  await expect(openTable(adapter, wrong)).rejects.toMatchObject(refused)
})

test('TABLE-5: a table without a hint that the store needs of it is refused, before the store sees it', async () => {
  const needing: Hints = {
    ...hints,
    days: { fits: (given) => given === 30, wants: '30', lacking: ({ ttl }) => (ttl === undefined ? undefined : 'Give it 30 days.') },
  }
  const adapter: Adapter = Object.assign(memory(), { name: 'shelf', hints: needing })
  const model = (stores: object, ttl?: '30d') =>
    defineTable('hinted', { columns: { k: int32() }, key: ['k'], stores, ...(ttl === undefined ? {} : { ttl }) } as never)
  const refused = {
    code: 'NOT_SUPPORTED',
    message: 'NOT_SUPPORTED: Give it 30 days.',
    details: { table: 'hinted', capability: 'tables without stores.shelf.days', adapter: 'shelf' },
  }
  for (const given of [model({}, '30d'), model({ shelf: { level: 1 } }, '30d')]) {
    await expect(ensureTable(adapter, given)).rejects.toMatchObject(refused)
    await expect(openTable(adapter, given)).rejects.toMatchObject(refused)
    expect(() => createMapper(adapter).repository(given)).toThrow('Give it 30 days.')
  }
  for (const given of [model({}), model({ shelf: { days: 30 } }, '30d')]) await ensureTable(adapter, given)
})

const named = (name: string, physical: string): TableSchema =>
  defineTable(name, { columns: { k: int32(), v: int32({ name: physical }) }, key: ['k'], ttl: '1d' })

/** The ways to an adapter. */
const calls: Readonly<Record<string, (adapter: Adapter, schema: TableSchema) => unknown>> = {
  'ensureTable()': ensureTable,
  'openTable()': openTable,
  'ensureTables()': (adapter, schema) => createMapper(adapter).ensureTables([schema]),
  'repository()': (adapter, schema) => createMapper(adapter).repository(schema).get({ k: 1 }),
  'purgeExpired()': (adapter, schema) => createMapper(adapter).purgeExpired(schema),
  'copyTable()': (adapter, schema) => {
    const db = createMapper(adapter)
    return copyTable(db.repository(schema), createMapper(adapter, { prefix: 'x' }).repository(schema))
  },
  'dropTable()': (adapter, schema) => createMapper(adapter).dropTables([schema]),
}

test.each(Object.entries(calls))(
  'TABLE-5 TABLE-9: an adapter needs not check models: %s asks it only for those that it accepts',
  async (_, call) => {
    const asked: string[] = []
    const names = {
      table: { fits: (name: string) => name !== 'odd', wants: 'no odd name' },
      column: { fits: (name: string) => name !== 'odd', wants: 'no odd name' },
    }
    const shelf = new Proxy<Adapter>(
      { ...delegate(memory()), name: 'shelf', hints, names },
      {
        get(target, member) {
          const value: unknown = Reflect.get(target, member)
          if (typeof value !== 'function') return value
          return (...given: readonly unknown[]): unknown => {
            asked.push(String(member))
            return Reflect.apply(value, target, given)
          }
        },
      },
    )
    for (const [schema, code] of [
      [hinted({ shelf: { level: 3 } }), 'INVALID_OPTION'],
      [hinted({ shelf: { size: 1 } }), 'INVALID_OPTION'],
      [named('odd', 'v'), 'NOT_SUPPORTED'],
      [named('even', 'odd'), 'NOT_SUPPORTED'],
    ] as const) {
      await expect((async () => call(shelf, schema))()).rejects.toMatchObject({ code })
    }
    expect(asked).toEqual([])
    await (async () => call(shelf, named('even', 'v')))().catch(() => undefined) // there is no table
    expect(asked).not.toEqual([])
  },
)

test('TABLE-5: a table whose catalog has hints that nobody knows stays readable', async () => {
  const adapter = memory()
  const catalog = await adapter.ensureTable(hinted({ shelf: { level: 9 } }))
  const old = { ...catalog, schema: { ...catalog.schema, stores: { memory: { size: 1 } } } }
  await openTable({ ...delegate(adapter), describeTable: async () => old }, hinted({}))
})

const delegate = (adapter: ReturnType<typeof memory>) => ({
  name: adapter.name,
  capabilities: adapter.capabilities,
  table: adapter.table.bind(adapter),
  write: adapter.write.bind(adapter),
  ensureTable: adapter.ensureTable.bind(adapter),
  describeTable: adapter.describeTable.bind(adapter),
  dropTable: adapter.dropTable.bind(adapter),
  close: adapter.close.bind(adapter),
})

test('LIMIT-1: a default that no row can have is refused when the table is opened or created, and nothing is written', async () => {
  const long = 'ä'.repeat(32_768)
  const keyed = defineTable('long', { columns: { k: text({ default: 'x'.repeat(1001) }), v: int32() }, key: ['k'] })
  const models = [
    [text({ default: long }), 65_536],
    [text({ default: 'x'.repeat(16_000_000) }), 16_000_000],
    [json({ default: long }), 65_538],
    [bytes({ default: new Uint8Array(65_536) }), 65_536],
  ] as const
  const refused = (limit: string, size: number, max: number) => ({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringMatching(/^LIMIT_EXCEEDED: the default of column '[kv]' of 'long' takes \d+ bytes, more than \d+/) as string,
    details: { table: 'long', limit, bytes: size, max },
  })
  const adapter = memory()
  for (const [type, size] of models) {
    const model = defineTable('long', { columns: { k: int32(), v: type }, key: ['k'] })
    await expect(ensureTable(adapter, model)).rejects.toMatchObject(refused('column', size, 65_535))
    await expect(openTable(adapter, model)).rejects.toMatchObject(refused('column', size, 65_535))
    await expect(createMapper(adapter).ensureTables([model])).rejects.toMatchObject(refused('column', size, 65_535))
  }
  await expect(ensureTable(adapter, keyed)).rejects.toMatchObject(refused('rowkey', 1001, 1000))
  const narrow = {
    ...adapter,
    name: 'shelf',
    capabilities: { ...adapter.capabilities, limits: { ...adapter.capabilities.limits, valueBytes: 10 } },
  }
  const eleven = defineTable('long', { columns: { k: int32(), v: text({ default: 'x'.repeat(11) }) }, key: ['k'] })
  await expect(ensureTable(narrow as Adapter, eleven)).rejects.toMatchObject(refused('column', 11, 10))
  expect(await adapter.describeTable('long')).toBeUndefined()
  const fits = defineTable('long', { columns: { k: int32(), v: text({ default: 'x'.repeat(65_535) }) }, key: ['k'] })
  await ensureTable(adapter, fits)
})
