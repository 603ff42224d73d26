// Tested by wrong.test.ts.
import { defineTable, type SchemaJSON } from '#model'
import { bucket, decimal, dictionary, int32, isRowkeyError, nullable, text, uuid, type ColumnType } from '#codec'
import { check, refused, same, thrown } from '../check.js'
import { ensureTable, openTable } from '#store/engine'
import { bucketSlice, rowsOf, strong } from '../suite/reading.js'
import type { OpenTable } from '../suite/world.js'
import { rule, type Rule } from '../suite/rule.js'
import { Numbers } from '../suite/tables.js'

const kept = (values: readonly string[]) =>
  defineTable('kept', {
    columns: { k: int32(), ...Object.fromEntries(values.map((name) => [name, nullable(text())])) },
    key: ['k'],
  })
const salted = (count: number) =>
  defineTable('salted', { columns: { k: int32(), v: nullable(text()) }, key: ['k'], salt: bucket({ of: 'k', count }) })

/** A key column and a value column with two nearly equal types. */
const nearly: readonly (readonly [of: string, one: ColumnType, other: ColumnType])[] = [
  ['decimals of another scale', decimal(9, 2), decimal(9, 3)],
  ['UUIDs in another order', uuid(), uuid({ order: 'time' })],
  ['dictionaries of other codes', dictionary({ a: "b', c: 'd" }), dictionary({ a: 'b', c: 'd' })],
]
const long = 'x'.repeat(60)

/** A table with more columns, of which one has a default. */
const grown = (initial: string | undefined) =>
  defineTable('grown', {
    columns: { k: int32(), ...(initial === undefined ? {} : { v: text({ default: initial }) }) },
    key: ['k'],
    writes: 'plain',
  })

export const tables: readonly Rule[] = [
  rule('TABLE-1: a missing table is TABLE_NOT_FOUND; ensureTables creates it, and a second call changes nothing', async (world) => {
    const table = world.db.repository(Numbers)
    await refused('a get from no table', () => table.get({ n: 1 }), 'TABLE_NOT_FOUND')
    await refused('a put into no table', () => table.put({ n: 1, v: null }), 'TABLE_NOT_FOUND')
    await world.repository(Numbers)
    await table.put({ n: 1, v: 'x' })
    await world.repository(Numbers)
    same(await table.get({ n: 1 }), { n: 1, v: 'x' }, 'the row after a second ensureTables')
  }),

  rule('TABLE-2 ADAPTER-7: every client reads the catalog that ensureTable has written, until the table is dropped', async (world) => {
    const schema = world.named(kept(['b', 'm']))
    const { adapter } = world
    same(await adapter.describeTable(schema.name), undefined, 'the catalog of a table that is not there')
    const made = await adapter.ensureTable(schema)
    const found = await adapter.describeTable(schema.name)
    same(found, made, 'describeTable() after ensureTable()')
    same(found?.schema, JSON.parse(JSON.stringify(schema)), 'the schema in the catalog')
    same(found?.valueColumns, ['b', 'm'], 'value columns in the order of stored records')
    await adapter.dropTable(schema.name)
    same(await adapter.describeTable(schema.name), undefined, 'the catalog after dropTable()')
    await adapter.dropTable(schema.name) // that is not an error
  }),

  rule('ADAPTER-7: two concurrent calls that add different columns to a table both succeed', async (world) => {
    const { adapter } = world
    for (let round = 0; round < 3; round++) {
      await adapter.ensureTable(world.named(kept([])))
      const models = [['b'], ['m'], ['b', 'z']].map((names) => world.named(kept(names)))
      await Promise.all(models.map((model) => adapter.ensureTable(model)))
      const { name } = models[0] as (typeof models)[number]
      same((await adapter.describeTable(name))?.valueColumns.toSorted(), ['b', 'm', 'z'], 'value columns in the catalog')
      await adapter.dropTable(name)
    }
  }),

  rule(
    'TABLE-2: a model with another bucket count, key or type is a SCHEMA_MISMATCH, and the table does not change',
    async (world) => {
      const table = await world.repository(salted(4))
      await table.put({ k: 1, v: 'x' })
      const others = [
        { other: salted(8), k: 1 },
        { other: defineTable('salted', { columns: { k: int32(), v: nullable(text()) }, key: ['k'] }), k: 1 },
        {
          other: defineTable('salted', { columns: { k: text(), v: nullable(text()) }, key: ['k'], salt: bucket({ of: 'k', count: 4 }) }),
          k: 'x',
        },
        {
          other: defineTable('salted', { columns: { k: int32(), v: nullable(int32()) }, key: ['k'], salt: bucket({ of: 'k', count: 4 }) }),
          k: 1,
        },
      ]
      for (const { other, k } of others) {
        await refused('ensureTables() with another model', () => world.db.ensureTables([other]), 'SCHEMA_MISMATCH')
        await refused('a read with another model', () => world.db.repository(other).get({ k } as never), 'SCHEMA_MISMATCH')
      }
      same(await table.get({ k: 1 }), { k: 1, v: 'x' }, 'the row, by the model of the table')
    },
    'conditions',
  ),

  rule('TABLE-2: types that differ in one option, in the key or in a value, are SCHEMA_MISMATCH', async (world) => {
    for (const [of, one, other] of nearly) {
      for (const keyed of [true, false]) {
        const made = (type: ColumnType) =>
          defineTable('nearly', { columns: { a: int32(), b: type }, key: keyed ? ['a', 'b'] : ['a'], writes: 'plain' })
        await world.repository(made(one))
        await refused(of, () => world.db.ensureTables([made(other)]), 'SCHEMA_MISMATCH')
        await refused(of, () => world.db.repository(made(other)).scan({ a: 1 }).count(), 'SCHEMA_MISMATCH')
        await world.db.dropTables([made(one)])
      }
    }
  }),

  rule('TABLE-2 ROW-4: the whole default of a column is part of the table, however long it is', async (world) => {
    const old = await world.repository(grown(undefined))
    await old.put({ k: 1 })
    const table = await world.repository(grown(`${long}A`))
    same(await table.get({ k: 1 }), { k: 1, v: `${long}A` }, 'a row from before the column')
    await refused('ensureTables() with another default', () => world.db.ensureTables([grown(`${long}B`)]), 'SCHEMA_MISMATCH')
    await refused('a get with another default', () => world.db.repository(grown(`${long}B`)).get({ k: 1 }), 'SCHEMA_MISMATCH')
  }),

  rule(
    'TABLE-5: hints that the adapter does not know are INVALID_OPTION, and nothing is created; hints for other adapters are ignored',
    async (world) => {
      const { db, adapter } = world
      const hinted = (stores: Readonly<Record<string, unknown>>) =>
        defineTable('hinted', { columns: { k: int32() }, key: ['k'], writes: 'plain', stores })
      for (const hints of [{ noHintOfAnyStore: 1 }, 'x', [1]]) {
        const model = hinted({ [adapter.name]: hints })
        await refused('ensureTables() with hints that are none', () => db.ensureTables([model]), 'INVALID_OPTION')
        same(await adapter.describeTable(world.named(model).name), undefined, 'the catalog of a table with hints that are none')
      }
      const table = await world.repository(hinted({ [`not_${adapter.name}`]: { anything: [1, { a: null }] } }))
      await table.put({ k: 1 })
      same(await table.get({ k: 1 }), { k: 1 }, 'a row of a table with hints for others')
      const wrong = hinted({ [adapter.name]: { noHintOfAnyStore: 1 } })
      await refused('a repository with hints that are none', async () => db.repository(wrong), 'INVALID_OPTION')
      await refused('a table with hints that are none', () => openTable(adapter, world.named(wrong)), 'INVALID_OPTION')
    },
  ),

  rule(
    'TABLE-3 ADAPTER-7: value columns are added, the catalog only grows, for any order of models and callers',
    async (world) => {
      const { adapter } = world
      await adapter.ensureTable(world.named(kept(['b', 'm'])))
      await adapter.ensureTable(world.named(kept(['a', 'b', 'm'])))
      const last = await adapter.ensureTable(world.named(kept(['b', 'm', 'z'])))
      same(last.valueColumns, ['b', 'm', 'a', 'z'], 'value columns in the order of stored records')
      same(
        (last.schema as SchemaJSON).columns.map(({ physical }) => physical),
        ['k', 'a', 'b', 'm', 'z'],
        'columns of the schema',
      )
      same((await adapter.ensureTable(world.named(kept(['m'])))).valueColumns, last.valueColumns, 'an old model changes nothing')
      const schema = world.named(defineTable('raced', { columns: { k: int32(), v: nullable(text()) }, key: ['k'] }))
      await Promise.all([1, 2, 3, 4].map(() => adapter.ensureTable(schema)))
      same((await adapter.describeTable(schema.name))?.valueColumns, ['v'], 'a table that four made at once')
    },
    'conditions',
  ),

  rule(
    'TABLE-3 ROW-4: models with more and with fewer value columns read and write the same rows',
    async (world) => {
      for (const [before, more] of [
        [
          ['b', 'm'],
          ['b', 'm', 'z'],
        ],
        [
          ['b', 'm'],
          ['a', 'b', 'm'],
        ],
        [
          ['b', 'm'],
          ['b', 'g', 'm'],
        ],
        [[], ['v']],
      ] as const) {
        const old = await world.open(kept(before))
        await old.put([1, ...before.map((name) => `old ${name}`)])
        const grown = await world.open(kept(more))
        await old.put([2, ...before.map((name) => `old ${name}`)])
        await grown.put([3, ...more.map((name) => `new ${name}`)])
        const known = (name: string): string | null => ((before as readonly string[]).includes(name) ? `old ${name}` : null)
        same(
          await rowsOf(grown.store.scan(bucketSlice(0), strong)),
          [
            [1, ...more.map(known)],
            [2, ...more.map(known)],
            [3, ...more.map((name) => `new ${name}`)],
          ],
          `rows by the model with ${more.join(', ')}`,
        )
        same(await old.store.get([[3]], strong), [[3, ...before.map((name) => `new ${name}`)]], 'a new row by the old model')
        await world.adapter.dropTable(old.schema.name)
      }
    },
    'conditions',
  ),

  rule(
    'WRITE-3 TABLE-3: an update by an old model keeps the columns it does not know, a put clears them',
    async (world) => {
      const old = await world.open(kept(['b']))
      const grown = await world.open(kept(['a', 'b', 'c']))
      await grown.put([1, 'a', 'b', 'c'], [2, 'a', 'b', 'c'])
      await old.write([{ kind: 'update', row: [1, 'changed'], set: [1] }])
      await old.put([2, 'changed'])
      same(
        await grown.store.get([[1], [2]], strong),
        [
          [1, 'a', 'changed', 'c'],
          [2, null, 'changed', null],
        ],
        'rows by the new model',
      )
      await old.put([3, 'b'])
      await grown.write([{ kind: 'update', row: [3, null, null, 'c'], set: [3] }])
      same(await grown.store.get([[3]], strong), [[3, null, 'b', 'c']], 'an old row after an update by the new model')
    },
    'conditions',
  ),

  rule('TABLE-1: a table that was dropped and created again is empty, also for a store that was opened before', async (world) => {
    const table = await world.open(Numbers)
    await table.put([1, 'x'], [2, 'y'])
    await world.adapter.dropTable(table.schema.name)
    const left = await (async () => table.store.get([[1]], strong))().catch((error: unknown) => {
      check(isRowkeyError(error, 'TABLE_NOT_FOUND'), `a get from a table that was dropped is ${thrown(error)}`)
      return [undefined]
    })
    same(left, [undefined], 'a row of a table that was dropped')
    const again = await world.open(Numbers)
    same(await rowsOf(again.store.scan(bucketSlice(0), strong)), [], 'rows of the new table')
  }),

  rule('TABLE-4: mappers with different prefixes have different tables', async (world) => {
    const table = await world.open(Numbers)
    const other = await world.open(
      defineTable(`x_${Numbers.name}`, { columns: { n: int32(), v: nullable(text()) }, key: ['n'], writes: 'plain' }),
    )
    await table.put([1, 'x'])
    same(await other.store.get([[1]], strong), [undefined], 'a row of the other table')
    await world.adapter.dropTable(other.schema.name)
    same(await table.store.get([[1]], strong), [[1, 'x']], 'the row after the other table was dropped')
  }),

  rule('TABLE-9: tables and columns have all names that the store accepts; others are refused before there is a table', async (world) => {
    const { adapter, db } = world
    const columnNames = ['p', 's', 'rk_x', 'user-agent', 'cf:q', 'a.b', '1', '__proto__']
    const called = (name: string, columns: readonly string[]) => {
      const values = columns.map((physical, i) => [`v${i}`, nullable(text({ name: physical }))] as const)
      return defineTable(name, { columns: { n: int32(), ...Object.fromEntries(values) }, key: ['n'], writes: 'plain' })
    }
    const fits = (physical: string): boolean => adapter.names?.column?.fits(physical) !== false
    const accepted = columnNames.filter(fits)
    const opened: OpenTable[] = []
    for (const name of ['a_b', 'a-b', 'a.b', 'a:b', '1', '_', 'A_B']) {
      const schema = called(world.prefix + name, accepted)
      if (adapter.names?.table?.fits(schema.name) === false) {
        await refused(name, () => ensureTable(adapter, schema), 'NOT_SUPPORTED')
        await refused(name, () => db.dropTables([called(name, accepted)]), 'NOT_SUPPORTED')
      } else opened.push(await world.open(called(name, accepted)))
    }
    const rowOf = (of: string) => [1, ...accepted.map((physical) => `${physical} of ${of}`)]
    for (const { put, schema } of opened) await put(rowOf(schema.name))
    for (const { store, schema } of opened) same(await store.get([[1]], strong), [rowOf(schema.name)], `the row of ${schema.name}`)
    for (const physical of columnNames.filter((each) => !fits(each))) {
      const schema = world.named(called('refused', [physical]))
      await refused(physical, () => ensureTable(adapter, schema), 'NOT_SUPPORTED')
      await refused(physical, async () => db.repository(called('refused', [physical])), 'NOT_SUPPORTED')
      same(await adapter.describeTable(schema.name), undefined, `a table with the column ${physical}`)
    }
  }),
]
