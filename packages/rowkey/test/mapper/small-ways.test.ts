import { int32, isRowkeyError, nullable, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, schemaFromJSON } from '#model'
import { expect, test } from 'vitest'

const Notes = defineTable('notes', { columns: { id: text(), n: int32({ default: 0 }), m: int32({ default: 0 }) }, key: ['id'] })

async function open(rows: number) {
  const db = createMapper(memory())
  await db.ensureTables([Notes])
  const notes = db.repository(Notes)
  await notes.putMany(Array.from({ length: rows }, (_, n) => ({ id: `id-${n}`, n })))
  return notes
}

test('SCAN-8: toArray() of a full scan has every row once, with its select, filter and parts', async () => {
  const notes = await open(3000)
  const all = await notes.readAll().toArray()
  expect(new Set(all.map(({ id }) => id)).size).toBe(3000)
  expect(all).toHaveLength(3000)
  const few = await notes.readAll({ select: ['n'], filter: ({ n }) => n % 1000 === 7, parallel: 4 }).toArray()
  expect(few.map(({ n }) => n).sort((a, b) => a - b)).toEqual([7, 1007, 2007])
  expect(Object.keys(few[0] as object)).toEqual(['n'])
  const page = (await notes.readAll().pages().next()).value
  expect(await notes.readAll({ checkpoint: page?.checkpoint }).toArray()).toHaveLength(3000 - (page?.rows.length ?? 0))
  await expect(notes.readAll({ deadline: 1 }).toArray()).rejects.toThrow(/^DEADLINE/)
  await expect(notes.readAll({ select: ['nope'] as never }).toArray()).rejects.toThrow(/'nope'/)
})

test('a promise in place of a cursor or a checkpoint is told to be awaited', async () => {
  const notes = await open(3)
  const cursor = notes.scan({}, { unbounded: true }).cursorOf({ id: 'id-1' })
  await expect(
    notes
      .scan({}, { unbounded: true })
      .page({ cursor: cursor as never })
      .then(({ rows }) => rows),
  ).rejects.toThrow('CURSOR_INVALID: the cursor cannot be read: it is a promise, not text. Await it.')
  await expect(notes.readAll({ checkpoint: cursor as never }).toArray()).rejects.toThrow('it is a promise, not text. Await it.')
  expect((await notes.scan({}, { unbounded: true }).page({ cursor: await cursor })).rows.length).toBe(1)
})

const Places = defineTable('places', {
  columns: { room: text(), n: int32(), note: nullable(text()), body: text({ default: '' }) },
  partition: ['room'],
  key: ['n'],
})

test('a promise in place of a key, row, patch, value, predicate or model is told to be awaited', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Places])
  const places = db.repository(Places)
  const key = { room: 'a', n: 1 }
  const later = Promise.resolve(key) as never
  const calls: Readonly<Record<string, () => unknown>> = {
    get: () => places.get(places.get(key) as never),
    getOrThrow: () => places.getOrThrow(later),
    exists: () => places.exists(later),
    getMany: () => places.getMany([key, later]),
    'getMany of a promise': () => places.getMany(later),
    put: () => places.put(later),
    'put of a value': () => places.put({ ...key, note: later }),
    insert: () => places.insert(later),
    upsert: () => places.upsert(later),
    putMany: () => places.putMany([later]),
    'putMany of a stream': () => places.putMany([later].values()),
    'putMany of a promise': () => places.putMany(later),
    update: () => places.update(later, { note: 'x' }),
    'update by a promise': () => places.update(key, Promise.resolve({ note: 'x' }) as never),
    'update if': () => places.update(key, { note: 'x' }, { if: Promise.resolve({}) as never }),
    increment: () => db.repository(Notes).increment({ id: 'id' }, Promise.resolve({ n: 1 }) as never),
    delete: () => places.delete(later),
    deleteMany: () => places.deleteMany([later]),
    scan: () => places.scan(later).toArray(),
    'scan of a value': () => places.scan({ room: Promise.resolve('a') as never }).toArray(),
    after: () => places.scan({ room: 'a' }, { after: later }).toArray(),
    limit: () => places.scan({ room: 'a' }, { limit: Promise.resolve(1) as never }).toArray(),
    cursorOf: () => places.scan({ room: 'a' }).cursorOf(later),
    keyOf: () => places.keyOf(later),
    encodeKey: () => places.encodeKey(later),
    'ops.put': () => db.write([places.ops.put(later)]),
    write: () => db.write(later),
    repository: () => db.repository(later),
    ensureTables: () => db.ensureTables(later),
    createMapper: () => createMapper(later),
  }
  for (const [call, run] of Object.entries(calls)) {
    const error: unknown = await (async () => run())().catch((reason: unknown) => reason)
    expect(isRowkeyError(error), call).toBe(true)
    expect(String(error), call).toContain('promise (await it)')
  }
  expect(await places.readAll().count()).toBe(0)
})

test('a key that is not whole is told what a key is, not what else a row has', async () => {
  const db = createMapper(memory())
  await db.ensureTables([Places])
  const places = db.repository(Places)
  const lacking = "INVALID_VALUE: column 'n' of 'places' is missing or undefined. A key of 'places' needs all of (room, n)."
  const partial = [{ room: 'a' }, { room: 'a', note: 'x' }, { note: 'x', room: 'a', body: 'y' }, { room: 'a', n: undefined, body: 'y' }]
  for (const given of partial as never[]) {
    await expect(places.get(given)).rejects.toThrow(lacking)
    await expect(places.update(given, { note: 'x' })).rejects.toThrow(lacking)
    await expect(places.delete(given)).rejects.toThrow(lacking)
    expect(() => places.encodeKey(given)).toThrow(lacking)
    await expect(places.scan({ room: 'a' }).cursorOf(given)).rejects.toThrow(lacking)
  }
  await expect(places.get({ room: 'a', m: 1 } as never)).rejects.toThrow(
    "UNKNOWN_COLUMN: 'places' has no column 'm'. A key needs (room, n).",
  )
  await expect(places.get({ room: 'a', n: 1, note: 'x' } as never)).rejects.toThrow(
    "'note' is not a key column of 'places'. Give its key (room, n), or a whole row as a read returned it.",
  )
})

test('who gives a write the ttl of a table is told which option says when a row expires, and it does', async () => {
  const Kept = defineTable('kept', { columns: { id: text(), n: int32() }, key: ['id'], ttl: '1h', version: 'rev' })
  let now = 0
  const db = createMapper(memory(), { clock: () => now })
  await db.ensureTables([Kept])
  const kept = db.repository(Kept)
  await kept.putMany([{ id: 'a', n: 1 }, { id: 'b', n: 1 }, { id: 'c', n: 1 }]) // prettier-ignore
  await expect(kept.update({ id: 'a' }, { n: 2 }, { ttl: '1d' } as never)).rejects.toThrow('To say when the row expires, use expires.')
  await expect(kept.put({ id: 'a', n: 2 }, { ttl: '1d' } as never)).rejects.toThrow('use expires.')
  await expect(kept.delete({ id: 'a' }, { ttl: '1d' } as never)).rejects.not.toThrow('expires')
  await kept.update({ id: 'a' }, { n: 2 }, { expires: '1d' })
  const row = await kept.getOrThrow({ id: 'b' })
  await kept.put(row, { expires: null, if: { rev: row.rev } })
  await expect(kept.put({ id: 'gone', n: 1 }, { expires: '1d', if: { n: 1 } })).rejects.toThrow('ROW_NOT_FOUND')
  now = 2 * 3_600_000
  expect((await kept.scan({}, { unbounded: true }).toArray()).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('an increment of a row that is missing says how it is created', async () => {
  const notes = await open(0)
  await expect(notes.increment({ id: 'x' }, { n: 1 })).rejects.toThrow('Give increment() { create: true }')
  await expect(notes.update({ id: 'x' }, { n: 1 })).rejects.toThrow('Use insert() or put() to create it.')
  await notes.increment({ id: 'x' }, { n: 1 }, { create: true })
  expect(await notes.get({ id: 'x' })).toEqual({ id: 'x', n: 1, m: 0 })
})

test('schemaFromJSON() takes the text too, and refuses what is no JSON', () => {
  const copy = schemaFromJSON(JSON.stringify(Notes))
  expect(JSON.stringify(copy)).toBe(JSON.stringify(Notes))
  expect(() => schemaFromJSON('{"format":1')).toThrow(/^INVALID_SCHEMA: .*it is no JSON/s)
  expect(() => schemaFromJSON('')).toThrow(/^INVALID_SCHEMA/)
  expect(() => schemaFromJSON('"text"')).toThrow(/^INVALID_SCHEMA/)
  expect(() => schemaFromJSON(' '.repeat(16_777_217))).toThrow('has 16777217 characters, and the maximum is 16777216')
})
