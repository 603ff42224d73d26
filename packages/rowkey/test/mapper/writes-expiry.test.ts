import { nullable, text } from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, schemaFromJSON } from '#model'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../test/kit/refusal.js'
import { wrapped, type Overrides } from '../../../../test/kit/wrapped.js'

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
    expect(await codeOf(() => sessions.put({ id: 'a' }, { if: { rev: version } }))).toBe('ROW_NOT_FOUND')
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
    await sessions.insert({ id: 'short' }, { expires: '1ms' })
    await sessions.insert({ id: 'never' }, { expires: null })
    await sessions.put({ id: 'long' }, { expires: new Date(time.now + 2 * hour) })
    await sessions.put({ id: 'past' }, { expires: new Date(0) })
    await sessions.putMany([{ id: 'many' }], { expires: '2h' })
    await sessions.putMany([{ id: 'loaded' }].values(), { expires: '2h' })
    await db.write([sessions.ops.insert({ id: 'op' }, { expires: '2h' })])
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
    for (const options of [{ expires: '1h' }, { expires: new Date() }, { expires: null }] as const) {
      expect(await codeOf(() => forever.put({ id: 'a' }, options))).toBe('TTL_UNDECLARED')
      expect(await codeOf(() => forever.insert({ id: 'a' }, options))).toBe('TTL_UNDECLARED')
      expect(await codeOf(() => forever.putMany([{ id: 'a' }], options))).toBe('TTL_UNDECLARED')
    }
    for (const options of [{ ttl: '1h' }, { expiresAt: null }, { expires: '1 hour' }, { expires: 5 }, { expires: new Date(NaN) }]) {
      expect(await codeOf(() => sessions.put({ id: 'a' }, options as never))).toBe('INVALID_OPTION')
    }
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
    await sessions.put({ id: 'b' }, { expires: '1h' })
    expect((await sessions.get({ id: 'b' }))?.note).toBeNull()
    expect(await db.repository(Old).get({ id: 'a' })).toEqual({ id: 'a', note: 'old' })
  })
})

describe('EXPIRY-4: only rows that ask for it expire, if ttl is never', () => {
  const Orders = defineTable('orders', { columns, key: ['id'], ttl: 'never', version: 'rev' })

  test('EXPIRY-4: a row that a call has kept for ever survives every other write', async () => {
    const time = { now: 0 }
    const db = createMapper(memory(), { clock: () => time.now })
    await db.ensureTables([Orders])
    const orders = db.repository(Orders)
    const ids = ['put', 'putMany', 'load', 'write', 'modify', 'upsert', 'update']
    for (const id of ids) await orders.put({ id, note: '1' })
    await orders.put({ id: 'put', note: '2' })
    await orders.putMany([{ id: 'putMany', note: '2' }])
    await orders.putMany([{ id: 'load', note: '2' }].values())
    await db.write([orders.ops.put({ id: 'write', note: '2' })])
    await orders.modify({ id: 'modify' }, () => ({ note: '2' }))
    await orders.upsert({ id: 'upsert', note: '2' })
    await orders.update({ id: 'update' }, { note: '2' })
    await orders.put({ id: 'draft' }, { expires: '1h' })
    time.now = 40 * 365 * 24 * hour
    expect((await orders.readAll().toArray()).map(({ id, note }) => [id, note]).sort()).toEqual(ids.map((id) => [id, '2']).sort())
  })

  test('EXPIRY-4: such a table is the same as one with a duration', async () => {
    const { store } = await open()
    const Never = defineTable('sessions', { columns, key: ['id'], ttl: 'never', version: 'rev' })
    await createMapper(store).ensureTables([Never])
    expect(schemaFromJSON(JSON.stringify(Never))).toMatchObject({ ttl: undefined, expiryIndex: Never.expiryIndex })
    expect(Never.fingerprints).toEqual(Sessions.fingerprints)
  })
})

describe('EXPIRY-5: expires says when a row expires, also of a change alone', () => {
  test('EXPIRY-5: keep leaves the expiry of a row as it is, in every write that replaces rows', async () => {
    const { time, sessions, db } = await open()
    const at = new Date(time.now + 9 * hour)
    const writes: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      put: (id) => sessions.put({ id, note: '2' }, { expires: 'keep' }),
      putMany: (id) => sessions.putMany([{ id, note: '2' }], { expires: 'keep' }),
      stream: (id) => sessions.putMany([{ id, note: '2' }].values(), { expires: 'keep' }),
      write: (id) => db.write([sessions.ops.put({ id, note: '2' }, { expires: 'keep' })]),
      atomic: (id) => db.write([sessions.ops.put({ id, note: '2' }, { expires: 'keep' })], { atomic: true }),
      modify: (id) => sessions.modify({ id }, () => ({ note: '2' })),
      update: (id) => sessions.update({ id }, { note: '2' }),
      upsert: (id) => sessions.upsert({ id, note: '2' }),
      read: async (id) => sessions.put({ ...(await sessions.getOrThrow({ id }, { withExpiry: true })), note: '2' }),
    }
    for (const [name, write] of Object.entries(writes)) {
      for (const expires of [at, null]) {
        const { version } = await sessions.put({ id: name, note: '1' }, { expires })
        await write(name)
        const row = await sessions.getOrThrow({ id: name }, { withExpiry: true })
        expect(row, name).toEqual({ id: name, note: '2', rev: expect.any(String) as string, $expires: expires })
        expect(row.rev, name).not.toBe(version)
      }
    }
  })

  test('EXPIRY-5: a row that keep creates expires by the ttl; with a condition it must exist; columns left out become null', async () => {
    const { time, sessions } = await open()
    await sessions.put({ id: 'new' }, { expires: 'keep' })
    expect((await sessions.getOrThrow({ id: 'new' }, { withExpiry: true })).$expires).toEqual(new Date(time.now + hour))
    expect(await codeOf(() => sessions.put({ id: 'no' }, { expires: 'keep', if: { note: 'x' } }))).toBe('ROW_NOT_FOUND')
    const { version = '' } = await sessions.put({ id: 'a', note: 'x' }, { expires: null })
    expect(await codeOf(() => sessions.put({ id: 'a' }, { expires: 'keep', if: { note: 'y' } }))).toBe('CONDITION_FAILED')
    await sessions.put({ id: 'a' }, { expires: 'keep', if: { rev: version } })
    expect(await sessions.get({ id: 'a' }, { withExpiry: true })).toMatchObject({ note: null, $expires: null })
    await sessions.put({ id: 'a', note: 'dead' }, { expires: '1ms' })
    time.now += 1
    await sessions.put({ id: 'a', note: 'again' }, { expires: 'keep' })
    expect((await sessions.get({ id: 'a' }, { withExpiry: true }))?.$expires).toEqual(new Date(time.now + hour))
  })

  test('EXPIRY-5: update, modify and upsert change it alone', async () => {
    const { time, sessions, db } = await open()
    const expiry = async () => (await sessions.getOrThrow({ id: 'a' }, { withExpiry: true })).$expires
    const { version } = await sessions.put({ id: 'a', note: 'x' })
    const changed = await sessions.update({ id: 'a' }, {}, { expires: '2h' })
    expect([await expiry(), changed.version !== version]).toEqual([new Date(time.now + 2 * hour), true])
    await sessions.modify({ id: 'a' }, () => ({}), { expires: null })
    expect(await expiry()).toBeNull()
    await sessions.upsert({ id: 'a' }, { expires: new Date(time.now + 5) })
    expect(await expiry()).toEqual(new Date(time.now + 5))
    await db.write([sessions.ops.update({ id: 'a' }, {}, { expires: '3h' })])
    expect(await expiry()).toEqual(new Date(time.now + 3 * hour))
    expect((await sessions.getOrThrow({ id: 'a' })).note).toBe('x')
  })

  test('EXPIRY-5: refused: a table that does not expire or has plain writes, what is no expiry', async () => {
    const { sessions, forever, db } = await open()
    const Plain = defineTable('plain', { columns, key: ['id'], ttl: '1h', writes: 'plain' })
    await db.ensureTables([Plain])
    const row = { id: 'a' }
    const codes: Readonly<Record<string, () => Promise<unknown>>> = {
      TTL_UNDECLARED: () => forever.put(row, { expires: 'keep' }),
      PLAIN_WRITES_ONLY: () => db.repository(Plain).putMany([row], { expires: 'keep' }),
      INVALID_VALUE: () => sessions.put({ id: 'a', $expires: '2030-01-01' } as never),
      UNKNOWN_COLUMN: () => sessions.update(row, { $expires: null } as never),
    }
    for (const [code, write] of Object.entries(codes)) expect(await codeOf(write), code).toBe(code)
    for (const expires of ['soon', 5, 'keep', new Date(NaN)]) {
      expect(await codeOf(() => sessions.update(row, {}, { expires: expires as never })), String(expires)).toBe('INVALID_OPTION')
    }
    expect(await codeOf(() => forever.update(row, {}, { expires: null }))).toBe('TTL_UNDECLARED')
    expect(await codeOf(() => forever.put({ id: 'a', $expires: null } as never))).toBe('UNKNOWN_COLUMN')
    expect(await sessions.exists(row)).toBe(false)
  })

  test('EXPIRY-5: checks of a model see the whole row that keep writes', async () => {
    const check = (row: unknown) => ((row as { note: unknown }).note === 'bad' ? { issues: [{ message: 'bad note' }] } : { value: row })
    const standard = { '~standard': { version: 1, vendor: 'test', validate: check } } as const
    const Checked = defineTable('checked', { columns, key: ['id'], ttl: '1h', version: 'rev', check: standard })
    const db = createMapper(memory())
    await db.ensureTables([Checked])
    const checked = db.repository(Checked)
    const { version = '' } = await checked.put({ id: 'a', note: 'good' })
    for (const options of [{ expires: 'keep' }, { expires: 'keep', if: { rev: version } }] as const) {
      expect(await codeOf(() => checked.put({ id: 'a', note: 'bad' }, options))).toBe('VALIDATION_FAILED')
    }
  })
})

describe('EXPIRY-6: reads return the expiry if they are asked', () => {
  test('EXPIRY-6: gets, scans, full scans, with and without select; never otherwise', async () => {
    const { time, sessions } = await open()
    await sessions.put({ id: 'a', note: 'x' })
    await sessions.put({ id: 'b' }, { expires: null })
    const at = new Date(time.now + hour)
    expect(await sessions.getMany([{ id: 'a' }, { id: 'b' }, { id: 'c' }], { withExpiry: true })).toMatchObject([
      { id: 'a', $expires: at },
      { id: 'b', $expires: null },
      undefined,
    ])
    const scanned = await sessions.scan({ id: { gte: 'a' } }, { withExpiry: true, select: ['id'] }).toArray()
    expect(scanned).toEqual([
      { id: 'a', $expires: at },
      { id: 'b', $expires: null },
    ])
    const { rows } = await sessions.scan({ id: { gte: 'a' } }, { withExpiry: true, filter: ({ note }) => note === 'x' }).page()
    expect(rows.map(({ $expires }) => $expires)).toEqual([at])
    expect((await sessions.readAll({ withExpiry: true }).toArray()).map(({ $expires }) => $expires)).toContainEqual(null)
    expect(Object.keys(await sessions.getOrThrow({ id: 'a' }))).toEqual(['id', 'note', 'rev'])
    const [row] = await sessions.scan({ id: 'a' }, { withExpiry: true }).toArray()
    expect(await sessions.exists(row as { id: string })).toBe(true)
    await sessions.delete(row as { id: string })
  })

  test('EXPIRY-6: refused for a table whose rows do not expire, and where a column has the name', async () => {
    const { forever, db } = await open()
    const Taken = defineTable('taken', { columns: { id: text(), $expires: nullable(text({ name: 'mine' })) }, key: ['id'], ttl: '1h' })
    await db.ensureTables([Taken])
    expect(await codeOf(() => forever.get({ id: 'a' }, { withExpiry: true }))).toBe('TTL_UNDECLARED')
    expect(await codeOf(() => forever.readAll({ withExpiry: true }).toArray())).toBe('TTL_UNDECLARED')
    expect(await codeOf(() => db.repository(Taken).scan({ id: 'a' }, { withExpiry: true }).page())).toBe('INVALID_OPTION')
    await db.repository(Taken).put({ id: 'a', $expires: 'mine' })
    expect(await db.repository(Taken).get({ id: 'a' })).toEqual({ id: 'a', $expires: 'mine' })
  })
})

describe('EXPIRY-3: purgeExpired', () => {
  test('EXPIRY-3: deletes all rows that have expired, in steps, and says how far it is', async () => {
    const { time, store, sessions } = await open()
    const limits: number[] = []
    const steps = Object.assign(wrapped(store, {}), {
      table: (...given: Parameters<typeof store.table>) => {
        const own = store.table(...given)
        const purge = own.purgeExpired?.bind(own)
        return Object.assign(Object.create(own) as typeof own, {
          purgeExpired: (...args: Parameters<NonNullable<typeof purge>>) => (limits.push(args[1]), purge?.(...args)),
        })
      },
    })
    await sessions.putMany(Array.from({ length: 5000 }, (_, i) => ({ id: `${i}` })))
    await sessions.put({ id: 'never' }, { expires: null })
    time.now += hour
    const told: number[] = []
    const purging = createMapper(steps, { clock: () => time.now })
    expect(await purging.purgeExpired(Sessions, { onProgress: ({ rows }) => told.push(rows) })).toBe(5000)
    expect([limits, told]).toEqual([
      [1000, 2000, 4000],
      [1000, 3000, 5000],
    ])
    expect(await sessions.exists({ id: 'never' })).toBe(true)
  })
})

test('EXPIRY-3: purgeExpired deletes expired rows, up to its limit', async () => {
  const { time, store, db, sessions } = await open()
  // The wrapper has no purge: then only the store itself can do it.
  expect(await codeOf(() => db.purgeExpired(Sessions))).toBe('NOT_SUPPORTED')
  const own = createMapper(store, { clock: () => time.now })
  await sessions.putMany(Array.from({ length: 10 }, (_, i) => ({ id: `${i}` })))
  await sessions.put({ id: 'never' }, { expires: null })
  expect(await own.purgeExpired(Sessions)).toBe(0)
  time.now += hour
  expect(await own.purgeExpired(Sessions, { limit: 4 })).toBe(4)
  expect(await own.purgeExpired(Sessions)).toBe(6)
  expect(await own.purgeExpired(Sessions)).toBe(0)
  expect(await sessions.exists({ id: 'never' })).toBe(true)
  expect(await codeOf(() => own.purgeExpired(Sessions, { limit: 0 }))).toBe('INVALID_OPTION')
})
