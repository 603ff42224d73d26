import { KuduClient, type Partitioning } from '@rowkey/kudu-client'
import { bucket, createMapper, date, defineTable, desc, int32, kuduHash, memory, nullable, text, type Mapper } from 'rowkey'
import type { Bound, Row, Slice, TableSchema } from 'rowkey/adapter'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { seeded, type Random } from '../../../test/kit/seeded.js'
import { withServer } from '../../../test/setup/with-server.js'
import { boundsOf, fixedIn, keyAfter, rangeIn, sharedLength } from '../src/tablets/bounds.js'
import { bucketsOf, lanesOf } from '../src/tablets/lanes.js'
import { contextOf, createByHand } from './by-hand.js'
import { connect, type Connected } from './connected.js'

const columns = { host: text(), n: int32(), at: desc(int32()), v: nullable(int32()) }
const key = ['host', 'n', 'at'] as const
const hostSalt = kuduHash({ of: 'host', count: 3 })

/** Cut by the ends of ranges of one column. */
const rangesOf = (column: string, ...ends: readonly (number | string)[]): Pick<Partitioning, 'range' | 'ranges'> => ({
  range: [column],
  ranges: [undefined, ...ends].map((from, i) => ({
    from: from === undefined ? undefined : { [column]: from },
    to: ends[i] === undefined ? undefined : { [column]: ends[i] },
  })),
})
const byHost = { hash: [{ columns: ['host'], buckets: 3 }] }

const tables: Readonly<Record<string, readonly [TableSchema, Partitioning]>> = {
  'ranges of the first column': [defineTable('first', { columns, key }), rangesOf('host', 'h3', 'h6')],
  'ranges of the second column': [defineTable('second', { columns, key }), rangesOf('n', 0, 20)],
  'ranges of the last column, which is turned': [defineTable('last', { columns, key }), rangesOf('at', -30, -10)],
  'hash partitions and ranges after them': [defineTable('both', { columns, key, salt: hostSalt }), { ...byHost, ...rangesOf('n', 0, 20) }],
  'hash partitions and ranges of another column': [
    defineTable('other', { columns, key, salt: hostSalt }),
    { ...byHost, ...rangesOf('at', -30, -10) },
  ],
  'hash partitions of an unsalted table': [
    defineTable('unsalted', { columns, key }),
    { hash: [{ columns: ['n'], buckets: 3 }], ...rangesOf('host', 'h5') },
  ],
  'two hash levels': [
    defineTable('levels', { columns, key, salt: [hostSalt, kuduHash({ of: 'n', count: 2, seed: 5 })] }),
    { hash: [...byHost.hash, { columns: ['n'], buckets: 2, seed: 5 }] },
  ],
  'ranges of two columns': [
    defineTable('two', { columns, key }),
    {
      range: ['host', 'n'],
      ranges: [{ to: { host: 'h4', n: 10 } }, { from: { host: 'h4', n: 10 }, to: { host: 'h4', n: 20 } }, { from: { host: 'h4', n: 20 } }],
    },
  ],
  'buckets in a column': [defineTable('column', { columns, key, salt: bucket({ of: 'host', count: 4 }) }), rangesOf('rk_bucket', 1, 3)],
}

withServer('kudu', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
    await Promise.all(Object.values(tables).map(([model, partitioning]) => createByHand(server, model, partitioning)))
  })
  afterAll(() => server.dispose())

  const rows = Array.from({ length: 400 }, (_, i) => ({
    host: `h${i % 9}`,
    n: Math.floor(i / 9) - 10,
    at: (i * 7) % 45,
    v: i % 4 === 0 ? null : i % 50,
  }))

  describe.each(Object.entries(tables))('%s', (_, [model]) => {
    test('scans return what they return in memory, whole and in pages, also with conditions that the server checks', async () => {
      const [db, reference] = [createMapper(server.adapter), createMapper(memory())]
      for (const each of [db, reference]) {
        await each.ensureTables([model])
        await each.repository(model).putMany(rows as never)
      }
      const random = seeded()
      for (let round = 0; round < 60; round++) {
        const where = randomWhere(random)
        const options = { unbounded: true as const, ...(random.below(3) === 0 ? { limit: 1 + random.below(30) } : {}) }
        const wanted = await answer(reference, model, where, options)
        expect({ where, options, rows: await answer(db, model, where, options) }).toEqual({ where, options, rows: wanted })
        if ('limit' in options) continue
        expect({ where, rows: await inPages(db, model, where, 1 + random.below(40)) }).toEqual({ where, rows: wanted })
      }
    })
  })

  test('a range that others have dropped and added again while tablets are remembered is read as it is', async () => {
    const { database } = server
    const model = defineTable('rotated', { columns, key })
    const native = await createByHand(server, model, rangesOf('n', 0, 20))
    const db = createMapper(server.adapter)
    await db.ensureTables([model])
    const repository = db.repository(model)
    await repository.putMany(rows)
    const where = { host: 'h4' }
    const before = await repository.scan(where).toArray()
    const other = new KuduClient({ masters: [...connection.masters] })
    const range = { from: { n: 0 }, to: { n: 20 } }
    await other.alterTable(native, [{ dropRange: range }, { addRange: range }])
    const left = before.filter(({ n }) => n < 0 || n >= 20)
    // The server goes on with a tablet until the master has told it, which takes long on a busy machine.
    await vi.waitFor(async () => expect(await repository.scan(where).toArray()).toEqual(left), 60_000)
    const added = { host: 'h4', n: 3, at: 1, v: 9 }
    await other.insert(await other.openTable(`${database}.rotated`), { ...added, at: -2 })
    await other.close()
    const wanted = [...left, added].toSorted((a, b) => a.n - b.n || b.at - a.at)
    expect(await repository.scan(where).toArray()).toEqual(wanted)
  })

  test('days that a DATE cannot hold are in conditions what they are: before the first day, or after the last', async () => {
    const day = date({ as: 'number' })
    for (const key of [
      ['d', 'n'],
      ['n', 'd'],
    ] as const) {
      const model = defineTable(`days_${key.join('')}`, { columns: { d: day, n: int32(), v: nullable(day) }, key })
      const [db, reference] = [createMapper(server.adapter), createMapper(memory())]
      const dated = [-719_162, -1, 0, 20_000, 2_932_896].flatMap((d) => [1, 2].map((n) => ({ d, n, v: n === 1 ? null : d })))
      for (const each of [db, reference]) {
        await each.ensureTables([model])
        await each.repository(model).putMany(dated)
      }
      for (const outside of [-719_163, 2_932_897, -1e8, 1e8]) {
        const conditions = [
          outside,
          { gte: outside },
          { lt: outside },
          { gt: outside, lte: 0 },
          { gte: 0, lte: outside },
          { in: [outside, 0] },
        ]
        for (const condition of conditions) {
          for (const where of [{ d: condition }, { n: 1, d: condition }, { v: condition }, { d: condition, v: condition }]) {
            const wanted = await answer(reference, model, where, { unbounded: true })
            expect({ where, rows: await answer(db, model, where, { unbounded: true }) }).toEqual({ where, rows: wanted })
          }
        }
        expect(await db.repository(model).get({ d: outside, n: 1 })).toBeUndefined()
        await expect(db.repository(model).put({ d: outside, n: 1, v: null })).rejects.toMatchObject({ code: 'INVALID_VALUE' })
        await expect(db.repository(model).update({ d: 0, n: 1 }, { v: outside })).rejects.toMatchObject({ code: 'INVALID_VALUE' })
        await expect(db.repository(model).delete({ d: outside, n: 1 })).rejects.toMatchObject({ code: 'INVALID_VALUE' })
      }
    }
  })

  const start: Bound = { prefix: [], edge: 'before' }
  const end: Bound = { prefix: [], edge: 'after' }
  const sliceOf = (from: Bound, to: Bound, number = 0): Slice => ({ bucket: number, from, to, reverse: false })
  const all = (...prefix: Row): Slice => sliceOf({ prefix, edge: 'before' }, { prefix, edge: 'after' })

  test.each([
    ['ranges of the first column', sliceOf(start, end), ['3']],
    ['ranges of the first column', all('h4'), ['1']],
    ['ranges of the first column', sliceOf({ prefix: ['h2'], edge: 'after' }, { prefix: ['h3'], edge: 'before' }), ['1']],
    ['ranges of the first column', sliceOf({ prefix: ['h2'], edge: 'after' }, { prefix: ['h3'], edge: 'after' }), ['2']],
    // Rows of three ranges of n follow each other only among those of one host.
    ['ranges of the second column', sliceOf(start, end), ['1', '1', '1']],
    ['ranges of the second column', all('h4'), ['3']],
    ['ranges of the second column', all('h4', 7), ['1']],
    ['ranges of the last column, which is turned', all('h4'), ['1', '1', '1']],
    ['ranges of the last column, which is turned', all('h4', 7), ['3']],
    ['ranges of the last column, which is turned', all('h4', 7, 20), ['1']],
    ['hash partitions and ranges after them', sliceOf(start, end, 2), ['1', '1', '1']],
    ['hash partitions and ranges of another column', sliceOf(start, end, 1), ['1', '1', '1']],
    ['hash partitions of an unsalted table', sliceOf(start, end), ['2', '2', '2']],
    ['hash partitions of an unsalted table', all('h4'), ['1', '1', '1']],
    ['hash partitions of an unsalted table', all('h4', 7), ['1']],
    ['two hash levels', sliceOf(start, end, 5), ['1']],
    ['ranges of two columns', sliceOf(start, end), ['3']],
    ['ranges of two columns', all('h4'), ['3']],
    ['ranges of two columns', all('h4', 12), ['1']],
    ['buckets in a column', sliceOf(start, end, 2), ['1']],
  ] as const)('%s: %o opens lanes of so many tablets: %o', async (name, slice, lengths) => {
    const [schema] = tables[name] as readonly [TableSchema, Partitioning]
    const catalog = await server.adapter.ensureTable(schema)
    const table = contextOf(server, schema, catalog)
    const lanes = await lanesOf(table, await table.opened(), slice, boundsOf(table, slice) as never, false)
    expect([...lanes.values()].map(({ length }) => String(length))).toEqual(lengths)
  })

  test('the bucket of a row is that of each hash level', () => {
    const [{ layout, ...schema }] = tables['two hash levels'] as readonly [TableSchema, Partitioning]
    expect(Array.from({ length: layout.buckets }, (_, number) => bucketsOf({ layout, ...schema }, number))).toEqual([
      ...[0, 1, 2].flatMap((first) => [0, 1].map((second) => [first, second])),
    ])
  })

  test('bounds are keys of Kudu, and the end of a bucket in a column is the next bucket', async () => {
    const [salted] = tables['buckets in a column'] as readonly [TableSchema, Partitioning]
    const table = contextOf(server, salted, await server.adapter.ensureTable(salted))
    expect(boundsOf(table, sliceOf(start, end, 3))).toEqual({ start: [3], stop: [4] })
    expect(boundsOf(table, sliceOf({ prefix: ['a'], edge: 'after' }, { prefix: ['b', 7], edge: 'after' }, 3))).toEqual({
      start: [3, 'a\0'],
      stop: [3, 'b', 8],
    })
    // After the last number comes the next text, and nothing after the last of all.
    expect(keyAfter(table, ['a', 2 ** 31 - 1, -(2 ** 31)])?.slice(1)).toEqual(['a\0'])
    const numbers = defineTable('numbers', { columns: { a: int32(), b: int32() }, key: ['a', 'b'] })
    const plain = contextOf(server, numbers, await server.adapter.ensureTable(numbers))
    expect(boundsOf(plain, sliceOf({ prefix: [2 ** 31 - 1], edge: 'after' }, end))).toBeUndefined()
    expect(boundsOf(plain, sliceOf(start, end))).toEqual({ start: undefined, stop: undefined })
    expect(keyAfter(plain, [2 ** 31 - 1, 2 ** 31 - 1])).toBeUndefined()
    const whole = all(1)
    expect([sharedLength(plain, whole), fixedIn(plain, whole, 1), rangeIn(plain, whole, 1)]).toEqual([1, [{ column: 'a', equals: 1 }], []])
  })
})

/** Conditions of all sorts. */
function randomWhere(random: Random): object {
  const host = `h${random.below(10)}`
  const bounds = { gte: random.below(30) - 10, lt: random.below(30) }
  const keys = [
    {},
    { host },
    { host, n: random.below(30) - 10 },
    { host, n: bounds },
    { host: { gte: host } },
    { host: { in: [host, 'h1', 'h7'] } },
    { n: bounds },
    { host, n: { gt: random.below(2) - 1, lte: 20 } },
    { host: { gt: 'h1', lte: 'h3' } },
    { at: { lt: random.below(45) } },
  ]
  const values = [{}, {}, { v: { gte: random.below(50) } }, { v: random.below(50) }, { v: null }, { v: { in: [1, 2, 3, 30] } }]
  return { ...keys[random.below(keys.length)], ...values[random.below(values.length)] }
}

const answer = (db: Mapper, model: TableSchema, where: object, options: object): Promise<readonly unknown[]> =>
  db
    .repository(model)
    .scan(where as never, options as never)
    .toArray()

async function inPages(db: Mapper, model: TableSchema, where: object, size: number): Promise<readonly unknown[]> {
  const rows: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await db
      .repository(model)
      .scan(where as never, { unbounded: true } as never)
      .page({ size, cursor })
    rows.push(...page.rows)
    ;({ cursor } = page)
  } while (cursor !== undefined)
  return rows
}
