import { nullable, text } from '@rowkey/codec'
import { createMapper } from '@rowkey/mapper'
import { memory } from '@rowkey/memory'
import { defineTable } from '@rowkey/model'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../test/kit/refusal.js'
import { wrapped, type Overrides } from '../../../test/kit/wrapped.js'

const columns = { id: text(), note: nullable(text()) }
const Sessions = defineTable('sessions', { columns, key: ['id'], ttl: '1h', version: 'rev' })
const Forever = defineTable('forever', { columns, key: ['id'] })
const hour = 3_600_000

async function open(overrides: Overrides = {}) {
  const time = { now: 1_000_000 }
  const store = memory()
  const db = createMapper(wrapped(store, overrides), { clock: () => time.now })
  await db.ensureTables([Sessions, Forever])
  return { time, store, db, sessions: db.repository(Sessions), forever: db.repository(Forever) }
}

describe('EXPIRY-1: expired rows are not there', () => {
  test('EXPIRY-1: for no read, from their very instant', async () => {
    const { time, sessions } = await open()
    await sessions.insert({ id: 'a' })
    time.now += hour - 1
    expect(Object.keys((await sessions.get({ id: 'a' })) ?? {})).toEqual(['id', 'note', 'rev'])
    time.now++
    expect(await sessions.get({ id: 'a' })).toBeUndefined()
    expect(await sessions.exists({ id: 'a' })).toBe(false)
    expect(await sessions.getMany([{ id: 'a' }, { id: 'a' }])).toEqual([undefined, undefined])
    expect(await codeOf(() => sessions.getOrThrow({ id: 'a' }))).toBe('ROW_NOT_FOUND')
    let asked = 0
    expect(await codeOf(() => sessions.modify({ id: 'a' }, () => (asked++, {})))).toBe('ROW_NOT_FOUND')
    expect(asked).toBe(0)
  })

  test('EXPIRY-1: nor for a condition: insert succeeds, update does not', async () => {
    const { time, sessions } = await open()
    const { version = '' } = await sessions.insert({ id: 'a', note: 'old' })
    time.now += hour
    expect(await codeOf(() => sessions.update({ id: 'a' }, { note: 'x' }))).toBe('ROW_NOT_FOUND')
    expect(await codeOf(() => sessions.put({ id: 'a' }, { ifVersion: version }))).toBe('ROW_NOT_FOUND')
    await sessions.insert({ id: 'a' })
    expect((await sessions.get({ id: 'a' }))?.note).toBeNull()
  })

  test('EXPIRY-1: reads ask the store for the expiry', async () => {
    const asked: unknown[] = []
    const { sessions, forever } = await open({ get: (keys, inner, options) => (asked.push(options.columns), inner(keys, options)) })
    await sessions.exists({ id: 'a' })
    await forever.exists({ id: 'a' })
    expect(asked).toEqual([[2], []])
  })
})

describe('EXPIRY-2: when rows expire', () => {
  test('EXPIRY-2: put sets it anew, update keeps it', async () => {
    const { time, sessions } = await open()
    await sessions.put({ id: 'a' })
    await sessions.put({ id: 'b' })
    time.now += hour - 1
    await sessions.put({ id: 'a' })
    await sessions.update({ id: 'b' }, { note: 'x' })
    await sessions.modify({ id: 'b' }, () => ({ note: 'y' }))
    time.now += 1
    expect([await sessions.exists({ id: 'a' }), await sessions.exists({ id: 'b' })]).toEqual([true, false])
  })

  test('EXPIRY-2: by the row', async () => {
    const { time, sessions, db } = await open()
    await sessions.insert({ id: 'short' }, { ttl: '1ms' })
    await sessions.insert({ id: 'never' }, { expiresAt: null })
    await sessions.put({ id: 'long' }, { expiresAt: new Date(time.now + 2 * hour) })
    await sessions.put({ id: 'past' }, { expiresAt: new Date(0) })
    await sessions.putMany([{ id: 'many' }], { ttl: '2h' })
    await sessions.load([{ id: 'loaded' }], { ttl: '2h' })
    await db.write([sessions.op.insert({ id: 'op' }, { ttl: '2h' })])
    const there = async () => {
      const ids = ['short', 'never', 'long', 'past', 'many', 'loaded', 'op']
      const found = await sessions.getMany(ids.map((id) => ({ id })))
      return ids.filter((_, i) => found[i] !== undefined)
    }
    expect(await there()).toEqual(['short', 'never', 'long', 'many', 'loaded', 'op'])
    time.now += hour
    expect(await there()).toEqual(['never', 'long', 'many', 'loaded', 'op'])
    time.now += hour
    expect(await there()).toEqual(['never'])
  })

  test('EXPIRY-2: refused', async () => {
    const { sessions, forever, db } = await open()
    for (const options of [{ ttl: '1h' }, { expiresAt: new Date() }, { expiresAt: null }] as const) {
      expect(await codeOf(() => forever.put({ id: 'a' }, options))).toBe('TTL_UNDECLARED')
      expect(await codeOf(() => forever.insert({ id: 'a' }, options))).toBe('TTL_UNDECLARED')
      expect(await codeOf(() => forever.putMany([{ id: 'a' }], options))).toBe('TTL_UNDECLARED')
    }
    for (const options of [{ ttl: '1 hour' }, { ttl: 5 }, { expiresAt: 'x' }, { expiresAt: new Date(NaN) }, { tll: '1h' }]) {
      expect(await codeOf(() => sessions.put({ id: 'a' }, options as never))).toBe('INVALID_OPTION')
    }
    expect(await codeOf(() => sessions.put({ id: 'a' }, { ttl: '1h', expiresAt: null }))).toBe('INVALID_OPTION')
    expect(await codeOf(() => db.purgeExpired(Forever))).toBe('TTL_UNDECLARED')
  })

  test('EXPIRY-2: another duration is no other table', async () => {
    const { store, sessions, time } = await open()
    await sessions.insert({ id: 'a' })
    const longer = createMapper(store, { clock: () => time.now })
    const Longer = defineTable('sessions', { columns, key: ['id'], ttl: '30d', version: 'rev' })
    await longer.ensureTables([Longer])
    time.now += hour
    expect(await longer.repository(Longer).exists({ id: 'a' })).toBe(false)
    await longer.repository(Longer).insert({ id: 'a' })
    time.now += hour
    expect(await sessions.exists({ id: 'a' })).toBe(true)
  })

  test('EXPIRY-2: a table that is there gets expiry and versions', async () => {
    const store = memory()
    const db = createMapper(store)
    const Old = defineTable('sessions', { columns, key: ['id'] })
    await db.ensureTables([Old])
    await db.repository(Old).insert({ id: 'a', note: 'old' })
    await db.ensureTables([Sessions])
    const sessions = createMapper(store).repository(Sessions)
    expect(await sessions.get({ id: 'a' })).toEqual({ id: 'a', note: 'old', rev: null })
    await sessions.put({ id: 'b' }, { ttl: '1h' })
    expect((await sessions.get({ id: 'b' }))?.note).toBeNull()
    expect(await db.repository(Old).get({ id: 'a' })).toEqual({ id: 'a', note: 'old' })
  })
})

test('EXPIRY-3: purgeExpired deletes expired rows, up to its limit', async () => {
  const { time, store, db, sessions } = await open()
  // The wrapper has no purge: then only the store itself can do it.
  expect(await codeOf(() => db.purgeExpired(Sessions))).toBe('NOT_SUPPORTED')
  const own = createMapper(store, { clock: () => time.now })
  await sessions.putMany(Array.from({ length: 10 }, (_, i) => ({ id: `${i}` })))
  await sessions.put({ id: 'never' }, { expiresAt: null })
  expect(await own.purgeExpired(Sessions)).toBe(0)
  time.now += hour
  expect(await own.purgeExpired(Sessions, { limit: 4 })).toBe(4)
  expect(await own.purgeExpired(Sessions)).toBe(6)
  expect(await own.purgeExpired(Sessions)).toBe(0)
  expect(await sessions.exists({ id: 'never' })).toBe(true)
  expect(await codeOf(() => own.purgeExpired(Sessions, { limit: 0 }))).toBe('INVALID_OPTION')
})
