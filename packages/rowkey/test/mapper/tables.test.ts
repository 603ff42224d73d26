import {
  bucket,
  bytes,
  desc,
  dictionary,
  hashPrefix,
  int32,
  int64,
  nullable,
  RowkeyError,
  text,
  timestamp,
  type Columns,
  type Salt,
} from '#codec'
import { createMapper } from '#mapper'
import type { Outcome } from '#store/adapter'
import { memory } from '#memory'
import { defineTable, renameTable, type TableSchema } from '#model'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

interface Definition {
  columns?: Columns
  partition?: string[]
  key?: string[]
  salt?: Salt | Salt[]
  writes?: 'plain' | 'conditional'
  retired?: string[]
}

const columns = { host: text(), at: timestamp('ms'), n: int32(), note: nullable(text()) }

/** A table of the same name with something changed. */
const define = (changed: Definition = {}, removed: string[] = []): TableSchema => {
  const all = Object.entries({ ...columns, ...changed.columns }).filter(([name]) => !removed.includes(name))
  return defineTable('things', { key: ['host', 'at'], ...changed, columns: Object.fromEntries(all) } as never)
}

/** The lines that say how a model differs from the table of another one. */
async function differences(table: TableSchema, model: TableSchema): Promise<unknown> {
  const store = memory()
  await createMapper(store).ensureTables([table])
  const db = createMapper(store)
  const used = await refusalOf(() => db.repository(model).putMany([]))
  const ensured = await refusalOf(() => db.ensureTables([model]))
  for (const error of [used, ensured]) {
    expect(error.code).toBe('SCHEMA_MISMATCH')
    for (const line of error.details['differences'] as string[]) expect(error.message).toContain(`  - ${line}\n`)
    expect(error.message).toContain('create a new table and copy the rows')
  }
  expect(ensured.details).toEqual(used.details)
  expect(used.details['table']).toBe('things')
  return used.details['differences']
}

describe('TABLE-1: tables that are not there', () => {
  test('TABLE-1: every call is TABLE_NOT_FOUND until ensureTables; a failed open is tried again', async () => {
    const db = createMapper(memory())
    const things = db.repository(define())
    const key = { host: 'a', at: new Date(0) }
    const row = { ...key, n: 1 }
    const calls: [string, () => unknown][] = [
      ['get', () => things.get(key)],
      ['getMany', () => things.getMany([key])],
      ['exists', () => things.exists(key)],
      ['insert', () => things.insert(row)],
      ['put', () => things.put(row)],
      ['putMany', () => things.putMany([row])],
      ['update', () => things.update(key, { n: 2 })],
      ['delete', () => things.delete(key)],
      ['deleteMany', () => things.deleteMany([key])],
      ['page', () => things.scan({ host: 'a' }).page()],
      ['toArray', () => things.scan({ host: 'a' }).toArray()],
      ['count', () => things.scan({ host: 'a' }).count()],
    ]
    for (const [name, call] of calls) {
      const error = await refusalOf(call)
      expect([name, error.code, error.details]).toEqual([name, 'TABLE_NOT_FOUND', { table: 'things' }])
    }
    expect(things.scan({ host: 'a' }).explain().kind).toBe('SCAN') // needs no table
    await db.ensureTables([define()])
    await things.put(row)
    expect(await things.get(key)).toEqual({ ...row, note: null })
  })

  test('TABLE-1: dropTable takes the rows along, and a table made anew is used at once', async () => {
    const db = createMapper(memory())
    const [model, other] = [define(), defineTable('others', { columns: { k: text() }, key: ['k'] })]
    await db.ensureTables([model, other])
    const [things, others] = [db.repository(model), db.repository(other)]
    const row = { host: 'a', at: new Date(0), n: 1, note: null }
    await things.put(row)
    await others.put({ k: 'x' })
    await db.dropTables([model])
    expect(await codeOf(() => things.get({ host: 'a', at: row.at }))).toBe('TABLE_NOT_FOUND')
    expect(await others.exists({ k: 'x' })).toBe(true)
    await db.dropTables([model]) // twice is fine
    await db.ensureTables([model])
    expect(await things.get({ host: 'a', at: row.at })).toBeUndefined()
    await things.put(row)
    expect(await things.get({ host: 'a', at: row.at })).toEqual(row)
    await db.close()
    expect(await codeOf(() => things.get({ host: 'a', at: row.at }))).toBe('CLOSED')
  })

  test('TABLE-1: the catalog is read once, however many first calls there are; a failure is not remembered', async () => {
    const store = memory()
    await createMapper(store).ensureTables([define()])
    let reads = 0
    let failures = 1
    const db = createMapper(
      wrapped(store, {
        describeTable: async (_, inner) => {
          reads++
          if (failures-- > 0) throw new Error('no route to host')
          return inner()
        },
      }),
    )
    const things = db.repository(define())
    const calls = () => Promise.allSettled(Array.from({ length: 20 }, (_, i) => things.put({ host: 'a', at: new Date(i), n: i })))
    const failed = await calls()
    expect(failed.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'rejected'))
    expect(reads).toBe(1)
    await calls()
    await calls()
    expect(reads).toBe(2)
    expect(await things.scan({ host: 'a' }).count()).toBe(20)
  })
})

describe('TABLE-2: models that do not fit', () => {
  const cases: [what: string, table: Definition, model: Definition, lines: string[], removed?: string[]][] = [
    ['key type', {}, { columns: { host: bytes() } }, ["key column 1: the model has 'host' bytes, the table 'host' text"]],
    [
      'direction',
      {},
      { columns: { at: desc(timestamp('ms')) } },
      ["key column 2: the model has 'at' desc(timestamp('ms')), the table 'at' timestamp('ms')"],
    ],
    [
      'unit',
      {},
      { columns: { at: timestamp('us') } },
      ["key column 2: the model has 'at' timestamp('us'), the table 'at' timestamp('ms')"],
    ],
    [
      'nulls',
      { columns: { at: nullable(timestamp('ms')) } },
      { columns: { at: nullable(timestamp('ms'), { nulls: 'last' }) } },
      ["key column 2: the model has 'at' nullable(timestamp('ms'), { nulls: 'last' }), the table 'at' nullable(timestamp('ms'))"],
    ],
    [
      'key order',
      {},
      { key: ['at', 'host'] },
      [
        "key column 1: the model has 'at' timestamp('ms'), the table 'host' text",
        "key column 2: the model has 'host' text, the table 'at' timestamp('ms')",
      ],
    ],
    [
      'key length',
      { key: ['host', 'at', 'n'] },
      {},
      ["key column 3: the model has none, the table 'n' int32", "column 'n': the model has int32, the table has none"],
    ],
    ['partition', {}, { partition: ['host'], key: ['at'] }, ["key column 1: the model has partition 'host' text, the table 'host' text"]],
    ['codes', { columns: { host: dictionary({ a: '1', b: '2' }) } }, { columns: { host: dictionary({ a: '2', b: '1' }) } }, ['dictionary']],
    [
      'name in the store',
      {},
      { columns: { host: text({ name: 'server' }) } },
      ["key column 1: the model has 'server' text, the table 'host' text"],
    ],
    [
      'bucket count',
      { salt: bucket({ of: 'host', count: 16 }) },
      { salt: bucket({ of: 'host', count: 32 }) },
      ['salt: the model has bucket(host; count 32), the table bucket(host; count 16); rows would be looked up in the wrong buckets'],
    ],
    [
      'seed',
      { salt: bucket({ of: 'host', count: 16 }) },
      { salt: bucket({ of: 'host', count: 16, seed: 7 }) },
      ['bucket(host; count 16, seed 7), the table bucket(host; count 16)'],
    ],
    [
      'kind of salt',
      { salt: bucket({ of: 'at', count: 16 }) },
      { salt: bucket({ of: 'at', modulo: 16 }) },
      ['bucket(at; modulo 16), the table bucket(at; count 16)'],
    ],
    ['no salt', { salt: hashPrefix({ of: 'host', digits: 2 }) }, {}, ['the model has none, the table hashPrefix(host; digits 2)']],
    [
      'salt levels',
      { salt: [bucket({ of: 'host', count: 4 }), bucket({ of: 'at', count: 4 })] },
      { salt: bucket({ of: 'host', count: 4 }) },
      ['the table bucket(host; count 4) + bucket(at; count 4)'],
    ],
    [
      'writes',
      {},
      { writes: 'plain' },
      ['writes: the model is plain, the table conditional; mixing both loses acknowledged writes on some stores'],
    ],
    ['type of a value', {}, { columns: { n: int64() } }, ["column 'n': the model has int64, the table int32"]],
    ['a new required column', {}, { columns: { more: text() } }, ["column 'more': the model has text, the table has none"]],
    [
      'a column that is now by default',
      {},
      { columns: { more: timestamp('ms', { default: 'now' }) } },
      ["column 'more': the model has timestamp('ms'), the table has none"],
    ],
    ['a required column that is gone', {}, {}, ["column 'n': the table has int32, which is required, the model has none"], ['n']],
  ]
  test.each(cases)('TABLE-2: %s', async (_, table, model, lines, removed) => {
    const found = (await differences(define(table), define(model, removed))) as string[]
    expect(found).toHaveLength(lines.length)
    lines.forEach((line, i) => expect(found[i]).toContain(line))
  })

  test('TABLE-2 TABLE-7: what ensureTables would widen is refused until it has, and the line says so', async () => {
    const store = memory()
    await createMapper(store).ensureTables([define()])
    const wide = define({ columns: { n: nullable(int32()) } })
    const db = createMapper(store)
    const error = await refusalOf(() => db.repository(wide).putMany([]))
    expect(error.details['differences']).toEqual(["column 'n': the model has nullable(int32), the table int32; ensureTables() widens it"])
    await db.ensureTables([wide])
    await db.repository(wide).putMany([])
  })

  test('TABLE-2: several differences are all there, each on a line', async () => {
    const model = define({ columns: { host: bytes(), n: int64(), more: text() }, salt: bucket({ of: 'host', count: 4 }), writes: 'plain' })
    const found = (await differences(define(), model)) as string[]
    expect(found.map((line) => line.slice(0, line.indexOf(':')))).toEqual(['key column 1', 'salt', "column 'more'", "column 'n'", 'writes'])
  })

  test('TABLE-2: fine are more columns that are nullable or have a constant default, other defaults, other looks', async () => {
    const store = memory()
    const wide = define({
      columns: {
        a: nullable(text()),
        b: text({ default: 'x' }),
        at: timestamp('ms', { as: 'number' }),
        note: nullable(text({ default: 'x' })),
      },
    })
    await createMapper(store).ensureTables([wide])
    const things = createMapper(store).repository(define())
    await things.put({ host: 'a', at: new Date(5), n: 1 })
    expect(await things.get({ host: 'a', at: new Date(5) })).toEqual({ host: 'a', at: new Date(5), n: 1, note: null })
    const newer = createMapper(store).repository(wide)
    expect(await newer.get({ host: 'a', at: 5 })).toEqual({ host: 'a', at: 5, n: 1, note: null, a: null, b: 'x' })
    // An older model updates a row without touching what it does not know.
    await newer.put({ host: 'a', at: 5, n: 1, a: 'kept', b: 'kept' })
    await things.update({ host: 'a', at: new Date(5) }, { n: 2 })
    expect(await newer.get({ host: 'a', at: 5 })).toMatchObject({ n: 2, a: 'kept', b: 'kept' })
  })
})

describe('TABLE-2: a model that does not know of versions or expiry', () => {
  const plain = { columns: { id: text(), n: nullable(int32()) }, key: ['id'] as const }
  const old = defineTable('things', plain as never)
  test.each([
    ['version', { version: 'rev' }, "column 'rk_version': rows of the table have versions"],
    ['expiry', { ttl: '1d' }, "column 'rk_expires': rows of the table expire"],
  ])('TABLE-2: %s: old programs go on until they restart', async (_, more, line) => {
    const store = memory()
    const db = createMapper(store)
    await db.ensureTables([old])
    const things = db.repository(old) as unknown as { exists(key: object): Promise<boolean> }
    expect(await things.exists({ id: 'a' })).toBe(false)
    await createMapper(store).ensureTables([defineTable('things', { ...plain, ...more } as never)])
    expect(await things.exists({ id: 'a' })).toBe(false)
    const found = (await differences(defineTable('things', { ...plain, ...more } as never), old)) as string[]
    expect(found).toEqual([expect.stringContaining(line)])
    expect(await codeOf(() => createMapper(store).repository(old).scan({}, { unbounded: true }).count())).toBe('SCHEMA_MISMATCH')
  })

  test('TABLE-2: a plain table cannot grow to one with versions', async () => {
    const found = (await differences(
      defineTable('things', { ...plain, writes: 'plain' } as never),
      defineTable('things', { ...plain, version: 'rev' }),
    )) as string[]
    expect(found.map((each) => each.slice(0, each.indexOf(':')))).toEqual(["column 'rk_version'", 'writes'])
  })
})

describe('TABLE-3: ensureTables lets tables grow', () => {
  test('TABLE-3: by value columns that are nullable or have a constant default, and by nothing else', async () => {
    const store = memory()
    const db = createMapper(store)
    await db.ensureTables([define()])
    await db.repository(define()).put({ host: 'a', at: new Date(0), n: 1, note: 'old' })
    const grown = define({ columns: { extra: nullable(int32()), level: text({ default: 'info' }) } })
    expect(await codeOf(() => db.repository(grown).get({ host: 'a', at: new Date(0) }))).toBe('SCHEMA_MISMATCH')
    await db.ensureTables([grown])
    expect(await db.repository(grown).get({ host: 'a', at: new Date(0) })).toMatchObject({ n: 1, note: 'old', extra: null, level: 'info' })
    await db.ensureTables([grown]) // twice is fine
    await db.ensureTables([define()]) // an older deploy takes nothing away
    const catalog = await store.describeTable('things')
    expect(catalog?.valueColumns).toEqual(['n', 'note', 'extra', 'level'])
  })

  test('TABLE-3: one difference, and nothing is changed', async () => {
    const store = memory()
    const db = createMapper(store)
    await db.ensureTables([define()])
    const before = await store.describeTable('things')
    expect(await codeOf(() => db.ensureTables([define({ columns: { extra: nullable(int32()), n: int64() } })]))).toBe('SCHEMA_MISMATCH')
    expect(await store.describeTable('things')).toEqual(before)
  })

  test('TABLE-3: a property name may go over to another column; both deploys keep theirs', async () => {
    const store = memory()
    const [old, fresh] = [createMapper(store), createMapper(store)]
    await old.ensureTables([define()])
    const replaced = define({ columns: { note: nullable(int32({ name: 'note2' })) }, retired: ['note'] })
    await fresh.ensureTables([replaced])
    await old.ensureTables([define()])
    const key = { host: 'a', at: new Date(0) }
    await createMapper(store)
      .repository(define())
      .put({ ...key, n: 1, note: 'text' })
    await createMapper(store).repository(replaced).update(key, { note: 2 })
    expect((await old.repository(define()).get(key))?.['note']).toBe('text')
    expect((await fresh.repository(replaced).get(key))?.['note']).toBe(2)
  })

  test('TABLE-3: all models are compiled before the first table is made', async () => {
    const store = memory()
    class NoModel {}
    expect(await codeOf(() => createMapper(store).ensureTables([define(), NoModel]))).toBe('INVALID_SCHEMA')
    expect(await store.describeTable('things')).toBeUndefined()
  })

  test('TABLE-3: two at once make one table', async () => {
    const store = memory()
    const grown = define({ columns: { extra: nullable(int32()) } })
    await Promise.all([
      createMapper(store).ensureTables([define()]),
      createMapper(store).ensureTables([grown]),
      createMapper(store).ensureTables([define()]),
    ])
    await createMapper(store).ensureTables([grown])
    const things = createMapper(store).repository(grown)
    await things.put({ host: 'a', at: new Date(0), n: 1, extra: 2 })
    expect(await things.get({ host: 'a', at: new Date(0) })).toMatchObject({ extra: 2 })
  })
})

describe('TABLE-4: prefixes', () => {
  test('TABLE-4: keep tables of one store apart; cursors and fingerprints do not see them', async () => {
    const store = memory()
    const [dev, live] = [createMapper(store, { prefix: 'dev_' }), createMapper(store, { prefix: 'live_' })]
    const model = define()
    await dev.ensureTables([model])
    await live.ensureTables([model])
    const [inDev, inLive] = [dev.repository(model), live.repository(model)]
    expect([inDev.schema.name, inLive.schema.name]).toEqual(['dev_things', 'live_things'])
    expect(inDev.schema.fingerprints).toEqual(inLive.schema.fingerprints)
    for (let n = 0; n < 4; n++) await inDev.put({ host: 'a', at: new Date(n), n })
    expect(await inLive.scan({ host: 'a' }).count()).toBe(0)
    await inLive.put({ host: 'a', at: new Date(3), n: 33 })
    const { cursor = '' } = await inDev.scan({ host: 'a' }).page({ size: 2 })
    expect((await inLive.scan({ host: 'a' }).page({ cursor })).rows.map(({ n }) => n)).toEqual([33])
    await dev.dropTables([model])
    expect(await inLive.scan({ host: 'a' }).count()).toBe(1)
    expect(await codeOf(() => inDev.scan({ host: 'a' }).count())).toBe('TABLE_NOT_FOUND')
  })

  test('TABLE-4: a prefix that makes no name is refused when the repository is made', async () => {
    const error = await refusalOf(() => createMapper(memory(), { prefix: 'dev ' }).repository(define()))
    expect(error.code).toBe('INVALID_SCHEMA')
    expect(await codeOf(() => createMapper(memory(), { prefix: 'x'.repeat(250) }).repository(define()))).toBe('INVALID_SCHEMA')
  })
})

test('TABLE-1: a table that another mapper dropped and made anew is found again, after writes of many too', async () => {
  const store = memory()
  const Notes = defineTable('notes', { columns: { id: text() }, key: ['id'] })
  const [mine, other] = [createMapper(store), createMapper(store)]
  await mine.ensureTables([Notes])
  const notes = mine.repository(Notes)
  const renew = async (): Promise<void> => {
    await other.dropTables([Notes])
    await other.ensureTables([Notes])
  }
  const writes: (() => Promise<unknown>)[] = [
    () => notes.putMany([{ id: 'a' }]),
    () => notes.deleteMany([{ id: 'a' }]),
    () => notes.putMany([{ id: 'a' }].values()),
    () => mine.write([notes.ops.put({ id: 'a' })]),
    () => mine.write([notes.ops.put({ id: 'a' })], { atomic: true }),
    () => notes.put({ id: 'a' }),
  ]
  for (const [i, write] of writes.entries()) {
    await write()
    await renew()
    await write().catch(() => undefined) // hears of it
    await expect(write(), `write ${i}`).resolves.not.toThrow()
  }
})

test('a mapper that is disposed of is closed', async () => {
  const db = createMapper(memory())
  const Notes = defineTable('notes', { columns: { id: text() }, key: ['id'] })
  await db.ensureTables([Notes])
  await db[Symbol.asyncDispose]()
  expect(await codeOf(() => db.repository(Notes).get({ id: 'a' }))).toBe('CLOSED')
})

test('CANCEL-1: ensureTables reads the clock once, however many tables it makes', async () => {
  const [first, second] = [define(), renameTable(define(), 'two')]
  let now = 3_600_000
  const silent = wrapped(memory(), {
    describeTable: (name, inner) => {
      now = 0 // set back, so that the deadline is an hour away by it
      return name === 'two' ? new Promise(() => undefined) : inner()
    },
  })
  const db = createMapper(silent, { clock: () => now })
  const { code, details } = await refusalOf(() => db.ensureTables([first, second], { deadline: now + 50 }))
  expect([code, details]).toEqual(['DEADLINE', { table: 'things, two', deadline: 3_600_050 }])
})

test('TABLE-1: a batch that is late and hears that its table is gone opens it anew', async () => {
  const Notes = defineTable('notes', { columns: { id: text() }, key: ['id'] })
  const store = memory()
  await createMapper(store).ensureTables([Notes])
  let [opened, now] = [0, 0]
  const gone: Outcome = { kind: 'failed', cause: new RowkeyError('TABLE_NOT_FOUND', 'it is gone.', { table: 'notes' }) }
  const adapter = wrapped(store, {
    write: (batch) => {
      now = 1000 // too late for 'b'
      return batch.map(({ row }) => (row[0] === 'a' ? gone : { kind: 'unprocessed' }))
    },
    describeTable: (_, inner) => {
      opened++
      return inner()
    },
  })
  const notes = createMapper(adapter, { clock: () => now }).repository(Notes)
  expect(await codeOf(() => notes.putMany([{ id: 'a' }, { id: 'b' }], { deadline: 300 }))).toBe('DEADLINE')
  await notes.get({ id: 'a' })
  expect(opened).toBe(2)
})
