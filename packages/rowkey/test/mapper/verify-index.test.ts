import { createMapper, defineTable, memory, nullable, text, uint32, type Adapter, type Mapper } from 'rowkey'
import type { Mutation } from 'rowkey/adapter'
import { expect, test } from 'vitest'
import { delegate } from '../../src/conformance/delegate.js'

const columns = { id: uint32(), tag: nullable(text()), note: text() }
const Plain = defineTable('items', { columns, key: ['id'] })
const Items = defineTable('items', { columns, key: ['id'], indexes: { byTag: { key: ['tag'] } } })
const hour = 3_600_000

async function opened(run: (db: Mapper, later: (ms: number) => void) => Promise<void>): Promise<void> {
  let now = Date.parse('2026-03-01')
  const db = createMapper(memory(), { clock: () => now })
  await run(db, (ms) => (now += ms))
}
const row = (id: number, tag: string | null = `t${id % 5}`) => ({ id, tag, note: 'x' })

test('an index of a table that has rows is built before it is read, and older models cannot write any more', async () => {
  await opened(async (db) => {
    await db.ensureTables([Plain])
    const plain = db.repository(Plain)
    await plain.putMany(Array.from({ length: 3000 }, (_, id) => row(id)))
    await expect(db.repository(Items).put(row(1))).rejects.toThrow(/SCHEMA_MISMATCH: .*the model has index 'byTag', the table has none/s)
    await expect(db.repository(Items).scan({ tag: 't1' }, { index: 'byTag' }).toArray()).rejects.toThrow(
      /INDEX_NOT_READABLE: .*ensureTables/,
    )
    await expect(db.buildIndex(Items, 'byTag')).rejects.toThrow(/INDEX_NOT_READABLE: .*ensureTables/)
    await db.ensureTables([Items])
    const items = db.repository(Items)
    await items.put(row(5000))
    await expect(items.scan({ tag: 't1' }, { index: 'byTag' }).toArray()).rejects.toThrow(/INDEX_NOT_READABLE: .*buildIndex/)
    const other = createMapper(db.adapter).repository(defineTable('items', { columns, key: ['id'] }))
    await expect(other.put(row(1))).rejects.toThrow(/SCHEMA_MISMATCH: .*the table has index 'byTag', the model has none/s)
    expect(await other.get({ id: 1 })).toMatchObject({ id: 1 })
    const told: number[] = []
    expect(await db.buildIndex(Items, 'byTag', { onProgress: ({ rows }) => told.push(rows) })).toBe(3001)
    expect(told.at(-1)).toBe(3001)
    expect(await items.scan({ tag: 't1' }, { index: 'byTag' }).count()).toBe(600)
    expect(await db.verifyIndex(Items, 'byTag')).toEqual({ entries: 3001, rows: 3001, stale: 0, removed: 0, missing: 0, added: 0 })
  })
})

test('a build goes on from its checkpoints, several parts at a time, while rows change', async () => {
  await opened(async (db) => {
    await db.ensureTables([Plain])
    await db.repository(Plain).putMany(Array.from({ length: 4000 }, (_, id) => row(id)))
    await db.ensureTables([Items])
    const items = db.repository(Items)
    const stop = new AbortController()
    const checkpoints: string[] = []
    const first = db.buildIndex(Items, 'byTag', {
      signal: stop.signal,
      onProgress: ({ checkpoint }) => {
        checkpoints.push(checkpoint)
        stop.abort()
      },
    })
    await expect(first).rejects.toThrow(/abort/i)
    await expect(items.scan({ tag: 't1' }, { index: 'byTag' }).toArray()).rejects.toThrow(/INDEX_NOT_READABLE/)
    await items.update({ id: 3999 }, { tag: 'changed' })
    await items.delete({ id: 3998 })
    const left = await db.buildIndex(Items, 'byTag', { checkpoint: checkpoints.at(-1) as string, parallel: 4 })
    expect(left).toBeLessThan(4000)
    expect(await db.verifyIndex(Items, 'byTag')).toMatchObject({ rows: 3999, missing: 0 })
    await expect(db.buildIndex(Items, 'byTag', { checkpoint: 'x' })).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
  })
})

test('stale entries go when nobody has put them for long enough, and missing ones are put', async () => {
  await opened(async (db, later) => {
    await db.ensureTables([Items])
    const items = db.repository(Items)
    await items.putMany(Array.from({ length: 100 }, (_, id) => row(id)))
    await items.putMany(Array.from({ length: 50 }, (_, id) => row(id, 'new')))
    await items.put(row(99, null))
    await items.delete({ id: 98 })
    later(hour)
    await items.put(row(0)) // its entry is live, and put again
    await items.put(row(0, 'new'))
    expect(await db.verifyIndex(Items, 'byTag')).toMatchObject({ entries: 150, rows: 99, stale: 52, removed: 0, missing: 0 })
    expect(await db.verifyIndex(Items, 'byTag', { repair: true })).toMatchObject({ stale: 52, removed: 0 })
    later(24 * hour - 1)
    expect(await db.verifyIndex(Items, 'byTag', { repair: true })).toMatchObject({ stale: 52, removed: 51 })
    later(hour)
    expect(await db.verifyIndex(Items, 'byTag', { repair: true, olderThan: '2h' })).toMatchObject({ stale: 1, removed: 1 })
    expect(await db.verifyIndex(Items, 'byTag')).toEqual({ entries: 98, rows: 99, stale: 0, removed: 0, missing: 0, added: 0 })
    // As if another program had written a row without its entry.
    const { adapter } = db
    const bare = defineTable('items', { columns, key: ['id'] })
    const catalog = await adapter.describeTable('items')
    adapter.table(bare, catalog as never)
    await adapter.write([{ kind: 'put', schema: bare, row: [1000, 'x', 't9'] }], { now: 0 })
    expect(await items.scan({ tag: 't9' }, { index: 'byTag' }).count()).toBe(0)
    expect(await db.verifyIndex(Items, 'byTag', { repair: true })).toMatchObject({ missing: 1, added: 1 })
    expect(await items.scan({ tag: 't9' }, { index: 'byTag' }).count()).toBe(1)
    await expect(db.verifyIndex(Items, 'byTag', { repair: true, olderThan: '1m' })).rejects.toThrow(/INVALID_OPTION: .*at least '1h'/)
  })
})

test('entries of a load that goes on for days are as old as their own puts: a repair in between removes none that a row still needs', async () => {
  let now = Date.parse('2026-03-01')
  const store = memory()
  let repaired = 0
  const write: Adapter['write'] = async (batch, options) => {
    const outcomes = await store.write(batch, options)
    if (batch[0]?.schema.name === 'items') now += 48 * hour
    if (batch[0]?.schema.name !== 'items_byTag') return outcomes
    const { stale, removed } = await createMapper(store, { clock: () => now }).verifyIndex(Items, 'byTag', { repair: true })
    expect({ stale, removed }).toEqual({ stale: batch.length, removed: 0 }) // their rows come after them
    repaired++
    return outcomes
  }
  const db = createMapper(Object.assign(Object.create(store) as Adapter, { write }), { clock: () => now })
  await db.ensureTables([Items])
  async function* source() {
    for (let id = 0; id < 3; id++) yield row(id)
  }
  await db.repository(Items).putMany(source(), { window: 1 })
  expect(repaired).toBe(3)
  expect(await db.verifyIndex(Items, 'byTag')).toMatchObject({ rows: 3, entries: 3, missing: 0 })
})

test('a repair takes the time before it reads: an entry does not get old while it waits for an answer', async () => {
  let now = Date.parse('2026-03-01')
  const store = memory()
  const writing = createMapper(store, { clock: () => now })
  await writing.ensureTables([Items])
  const late = Object.assign(Object.create(store) as Adapter, {
    table: (schema, catalog) => {
      const table = store.table(schema, catalog)
      return Object.assign(Object.create(table) as typeof table, {
        get: async (keys, options) => {
          const rows = await table.get(keys, options)
          if (schema.name !== 'items') return rows
          await store.write([{ kind: 'put', schema, row: put.row }], { now }) // the write whose entry is there ends
          now += 48 * hour
          return rows
        },
      } satisfies Partial<typeof table>)
    },
  } satisfies Partial<Adapter>)
  const { put } = await entryFirst(writing)
  const report = await createMapper(late, { clock: () => now }).verifyIndex(Items, 'byTag', { repair: true })
  expect(report).toMatchObject({ stale: 1, removed: 0 })
  expect(await writing.verifyIndex(Items, 'byTag')).toMatchObject({ stale: 0, missing: 0, entries: 1 })
})

/** A put that has written its entry, and not its row. */
async function entryFirst({ adapter }: Mapper): Promise<{ readonly put: Mutation }> {
  let put: Mutation | undefined
  const write: Adapter['write'] = (batch, options) => {
    if (batch[0]?.schema.name !== 'items') return adapter.write(batch, options)
    put = batch[0]
    return batch.map(() => ({ kind: 'applied' as const }))
  }
  const dying = createMapper(Object.assign(Object.create(adapter) as Adapter, { write }), { clock: () => Date.parse('2026-03-01') })
  await dying.repository(Items).put(row(1))
  return { put: put as Mutation }
}

test('a dropped index is not kept any more, by who knows of it and by who does not', async () => {
  await opened(async (db) => {
    await db.ensureTables([Items])
    const items = db.repository(Items)
    await items.put(row(1))
    await createMapper(db.adapter).dropIndex(Items, 'byTag')
    await items.put(row(2))
    await items.putMany([row(3), row(4)])
    await db.repository(Plain).put(row(5))
    expect(await items.readAll().count()).toBe(5)
    await expect(items.scan({ tag: 't1' }, { index: 'byTag' }).count()).rejects.toThrow(/INDEX_NOT_READABLE: .*was dropped/)
    await db.dropTables([Items])
    await db.ensureTables([Items])
    await items.put(row(1))
    expect(await items.scan({ tag: 't1' }, { index: 'byTag' }).count()).toBe(1)
    await db.dropTables([Items])
    expect(await db.adapter.describeTable('items_byTag')).toBeUndefined()
  })
})

test('an index that was dropped stays so when a program starts that still has it: others may know it as readable, and its rows would be missing', async () => {
  await opened(async (db) => {
    await db.ensureTables([Items])
    await db.repository(Items).put(row(1))
    const other = createMapper(db.adapter)
    await other.dropIndex(Items, 'byTag')
    await other.ensureTables([Items])
    expect(await db.adapter.describeTable('items_byTag')).toBeUndefined()
    const count = (program: Mapper): Promise<number> => program.repository(Items).scan({ tag: 't1' }, { index: 'byTag' }).count()
    await expect(count(db)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND', details: { table: 'items_byTag' } })
    for (const program of [db, other]) {
      await expect(count(program)).rejects.toThrow(/INDEX_NOT_READABLE: .*its name is not used again/)
      await expect(program.buildIndex(Items, 'byTag')).rejects.toThrow(/INDEX_NOT_READABLE: .*its name is not used again/)
    }
    const Renamed = defineTable('items', { columns, key: ['id'], indexes: { byTag2: { key: ['tag'] } } })
    await other.ensureTables([Renamed])
    await other.buildIndex(Renamed, 'byTag2')
    expect(await other.repository(Renamed).scan({ tag: 't1' }, { index: 'byTag2' }).count()).toBe(1)
  })
})

test('a program that knows that an index was dropped keeps it again when another one has created the table again', async () => {
  await opened(async (db) => {
    await db.ensureTables([Items])
    const other = createMapper(db.adapter)
    await other.dropIndex(Items, 'byTag')
    await db.repository(Items).put(row(1)) // now it knows
    await other.dropTables([Items])
    await other.ensureTables([Items])
    await db.repository(Items).put(row(2))
    expect(await other.verifyIndex(Items, 'byTag')).toMatchObject({ rows: 1, entries: 1, missing: 0 })
  })
})

test('a repair writes before it reads: what a program has committed when it died can be hidden from reads until somebody writes', async () => {
  await opened(async (db, later) => {
    await db.ensureTables([Items])
    await db.repository(Items).put(row(1, 'old'))
    const hidden: (() => unknown)[] = []
    const reveal = async (): Promise<void> => {
      for (const write of hidden.splice(0)) await write()
    }
    const { adapter } = db
    const dying = delegate(adapter, {
      write: (batch, options) => {
        if (batch[0]?.schema.name !== 'items') return adapter.write(batch, options)
        hidden.push(() => adapter.write(batch, options))
        return new Promise(() => undefined)
      },
    })
    void createMapper(dying, { clock: () => Date.parse('2026-03-01') })
      .repository(Items)
      .put(row(1, 'new'))
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(hidden).toHaveLength(1)
    later(48 * hour)
    const revealing = delegate(adapter, {
      write: (batch, options) => reveal().then(() => adapter.write(batch, options)),
      ensureTable: (schema, options) => reveal().then(() => adapter.ensureTable(schema, options)),
    })
    const repairing = createMapper(revealing, { clock: () => Date.parse('2026-03-03') })
    expect(await repairing.verifyIndex(Items, 'byTag', { repair: true })).toMatchObject({ stale: 1, removed: 1, missing: 0 })
    expect(await db.repository(Items).scan({ tag: 'new' }, { index: 'byTag' }).count()).toBe(1)
    expect(await repairing.verifyIndex(Items, 'byTag')).toMatchObject({ entries: 1, rows: 1, stale: 0, missing: 0 })
  })
})

test.each([
  ['entries before their rows', {}],
  ['row and entries together', { include: ['note'] }],
] as const)('rows that are older than a column of the index are found by its default: %s', async (_, more) => {
  await opened(async (db) => {
    await db.ensureTables([Plain])
    await db.repository(Plain).putMany([row(1), row(2)])
    const Newer = defineTable('items', {
      columns: { ...columns, status: text({ default: 'new' }) },
      key: ['id'],
      indexes: { byStatus: { key: ['status', 'tag'], ...more } },
    })
    await db.ensureTables([Newer])
    expect(await db.buildIndex(Newer, 'byStatus')).toBe(2)
    const items = db.repository(Newer)
    await items.update({ id: 1 }, { tag: 'other' })
    const found = await items.scan({ status: 'new' }, { index: 'byStatus' }).toArray()
    expect(found.map(({ id, tag, status }) => [id, tag, status])).toEqual([
      [1, 'other', 'new'],
      [2, 't2', 'new'],
    ])
    await items.update({ id: 2 }, { status: 'old' })
    expect(await items.scan({ status: 'new' }, { index: 'byStatus' }).count()).toBe(1)
  })
})
