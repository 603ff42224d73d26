import type { Row } from '#store/adapter'
import { bytes, date, fixedBytes, int32, int64, json, nullable, random, reversed, text, timestamp, uint32 } from '#codec'
import { createMapper, type Mapper } from '#mapper'
import { memory } from '#memory'
import { defineTable } from '#model'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const columns = {
  id: int32(),
  level: text({ default: 'info' }),
  mark: fixedBytes(2, { default: new Uint8Array([1, 2]) }),
  tags: json({ default: ['new'] }),
  since: timestamp('ms', { default: new Date(0) }),
  ms: timestamp('ms', { default: 'now' }),
  msNumber: timestamp('ms', { as: 'number', default: 'now' }),
  msBigint: timestamp('ms', { as: 'bigint', default: 'now' }),
  us: timestamp('us', { default: 'now' }),
  ns: timestamp('ns', { default: 'now' }),
  usText: timestamp('us', { as: 'text', default: 'now' }),
  day: date({ default: 'now' }),
  die: uint32({ default: random(6) }),
  big: int64({ default: random(3) }),
  back: reversed(int32({ default: random(4) })),
  maybe: nullable(text({ default: 'set' })),
}
const Things = defineTable('things', { columns, key: ['id'] })

async function open(clock: () => number = () => now) {
  const store = memory()
  const db: Mapper = createMapper(store, { clock })
  await db.ensureTables([Things])
  return db.repository(Things)
}

describe('ROW-3: defaults', () => {
  test('ROW-3: constant, now in every unit, random; on insert, put and putMany', async () => {
    const things = await open()
    await things.insert({ id: 1 })
    await things.put({ id: 2 })
    await things.putMany([{ id: 3 }])
    for (const id of [1, 2, 3]) {
      const { die, big, back, ...found } = await things.getOrThrow({ id })
      expect(found).toEqual({
        id,
        level: 'info',
        mark: new Uint8Array([1, 2]),
        tags: ['new'],
        since: new Date(0),
        ms: new Date(now),
        msNumber: now,
        msBigint: BigInt(now),
        us: BigInt(now) * 1000n,
        ns: BigInt(now) * 1_000_000n,
        usText: `${now}000`,
        day: new Date(Date.UTC(2026, 0, 2)),
        maybe: 'set',
      })
      expect([die < 6, big < 3n, back < 4]).toEqual([true, true, true])
    }
  })

  test('ROW-3: before 1970 a day is the day that has begun', async () => {
    const things = await open(() => -1)
    await things.put({ id: 1 })
    expect(await things.get({ id: 1 })).toMatchObject({ day: new Date(-86_400_000), ms: new Date(-1), ns: -1_000_000n })
  })

  test('ROW-3: random covers its range and nothing else', async () => {
    const things = await open()
    await things.putMany(Array.from({ length: 300 }, (_, id) => ({ id })))
    const rows = await things.scan({ id: { gte: 0 } }).toArray()
    expect(new Set(rows.map(({ die }) => die))).toEqual(new Set([0, 1, 2, 3, 4, 5]))
    expect(new Set(rows.map(({ big }) => big))).toEqual(new Set([0n, 1n, 2n]))
    expect(new Set(rows.map(({ back }) => back))).toEqual(new Set([0, 1, 2, 3]))
  })

  test('ROW-3: undefined takes the default, null does not; never on update', async () => {
    const things = await open()
    await things.put({ id: 1, level: undefined as never, maybe: null })
    expect(await things.get({ id: 1 })).toMatchObject({ level: 'info', maybe: null })
    expect(await codeOf(() => things.put({ id: 1, level: null as never }))).toBe('INVALID_VALUE')
    await things.put({ id: 1, level: 'warn', die: 5, ms: new Date(7), maybe: 'x' })
    await things.update({ id: 1 }, { maybe: null })
    expect(await things.get({ id: 1 })).toMatchObject({ level: 'warn', die: 5, ms: new Date(7), maybe: null })
  })

  test('ROW-3: a default in the key is filled before the key is encoded, and put tells it', async () => {
    const Events = defineTable('events', {
      columns: { host: text(), at: timestamp('ms', { default: 'now' }), suffix: uint32({ default: random(100) }), v: nullable(text()) },
      key: ['host', 'at', 'suffix'],
    })
    const db = createMapper(memory(), { clock: () => now })
    await db.ensureTables([Events])
    const events = db.repository(Events)
    const { key } = await events.insert({ host: 'a', v: 'x' })
    expect(key).toEqual({ host: 'a', at: new Date(now), suffix: expect.any(Number) as number })
    expect(await events.get(key)).toEqual({ ...key, v: 'x' })
    expect(await codeOf(() => events.get({ host: 'a' } as never))).toBe('INVALID_VALUE')
  })

  test('ROW-3: a clock of higher resolution is floored, another one refused', async () => {
    const things = await open(() => now + 0.75)
    await things.put({ id: 1 })
    expect(await things.get({ id: 1 })).toMatchObject({ ms: new Date(now), us: BigInt(now) * 1000n })
    for (const wrong of [NaN, Infinity, 'today', '5', undefined, null, true, 5n, new Date()]) {
      const broken = await open(() => wrong as unknown as number)
      const error = await refusalOf(() => broken.put({ id: 1 }))
      expect([error.code, error.details['option']]).toEqual(['INVALID_OPTION', 'clock'])
    }
  })

  test('ROW-2: what a default gives is nobody else’s: neither stored rows nor the type change', async () => {
    const things = await open()
    await things.put({ id: 1 })
    const first = await things.getOrThrow({ id: 1 })
    first.mark.fill(9)
    ;(first.tags as string[]).push('changed')
    first.since.setTime(5)
    await things.put({ id: 2 })
    for (const id of [1, 2]) {
      expect(await things.get({ id })).toMatchObject({ mark: new Uint8Array([1, 2]), tags: ['new'], since: new Date(0) })
    }
  })

  test('ROW-3: without a default a column is null, or the write is refused; what is no column too', async () => {
    const Bare = defineTable('bare', { columns: { id: int32(), must: text(), may: nullable(text()) }, key: ['id'] })
    const db = createMapper(memory())
    await db.ensureTables([Bare])
    const bare = db.repository(Bare)
    await bare.put({ id: 1, must: 'x' })
    expect(await bare.get({ id: 1 })).toEqual({ id: 1, must: 'x', may: null })
    for (const given of [{ id: 1 }, { id: 1, must: undefined }, { must: 'x' }]) {
      expect(await codeOf(() => bare.put(given as never))).toBe('INVALID_VALUE')
      expect(await codeOf(() => bare.insert(given as never))).toBe('INVALID_VALUE')
      expect(await codeOf(() => bare.putMany([given as never]))).toBe('INVALID_VALUE')
    }
    const error = await refusalOf(() => bare.put({ id: 1, must: 'x', mush: 'x' } as never))
    expect([error.code, error.details]).toEqual(['UNKNOWN_COLUMN', { table: 'bare', column: 'mush' }])
  })
})

describe('ROW-4: a null in a required column', () => {
  const Old = defineTable('grown', { columns: { id: int32() }, key: ['id'] })
  const New = defineTable('grown', {
    columns: {
      id: int32(),
      level: text({ default: 'info' }),
      mark: bytes({ default: new Uint8Array([1, 2]) }),
      extra: nullable(text({ default: 'set' })),
    },
    key: ['id'],
  })

  async function grown() {
    const store = memory()
    await createMapper(store).ensureTables([Old])
    await createMapper(store)
      .repository(Old)
      .putMany([{ id: 1 }, { id: 2 }])
    const db = createMapper(store)
    await db.ensureTables([New])
    await db.repository(New).put({ id: 3, level: 'warn' })
    return db.repository(New)
  }

  test('ROW-4: becomes the constant default, in every way to read; a nullable column stays null', async () => {
    const things = await grown()
    const old = { id: 1, level: 'info', mark: new Uint8Array([1, 2]), extra: null }
    expect(await things.get({ id: 1 })).toEqual(old)
    expect((await things.getMany([{ id: 1 }]))[0]).toEqual(old)
    expect((await things.scan({ id: 1 }).toArray())[0]).toEqual(old)
    expect((await things.scan({ id: { lte: 1 } }, { select: ['level'] }).toArray())[0]).toEqual({ level: 'info' })
  })

  test('ROW-4: its bytes are nobody else’s', async () => {
    const things = await grown()
    const first = await things.getOrThrow({ id: 1 })
    first.mark.fill(9)
    expect((await things.getOrThrow({ id: 1 })).mark).toEqual(new Uint8Array([1, 2]))
    await things.put({ id: 9 })
    expect((await things.getOrThrow({ id: 9 })).mark).toEqual(new Uint8Array([1, 2]))
  })

  test('ROW-4: predicates find such rows by the default they are read with', async () => {
    const things = await grown()
    const ids = async (where: object): Promise<number[]> => (await things.scan({ id: { gte: 0 }, ...where }).toArray()).map(({ id }) => id)
    expect(await ids({ level: 'info' })).toEqual([1, 2])
    expect(await ids({ level: { gt: 'info' } })).toEqual([3])
    expect(await ids({ level: { startsWith: 'in' } })).toEqual([1, 2])
    expect(await ids({ mark: new Uint8Array([1, 2]) })).toEqual([1, 2, 3])
    expect(await ids({ extra: null })).toEqual([1, 2])
    expect(await ids({ extra: 'set' })).toEqual([3])
  })

  test('ROW-4: an adapter is not asked to check them, it knows stored values only', async () => {
    const store = memory()
    const filters: unknown[] = []
    const db = createMapper(wrapped(store, { scan: (slice, inner) => (filters.push(slice.filter), inner()) }))
    await db.ensureTables([New])
    const things = db.repository(New)
    await things.scan({ id: { gte: 0 }, level: 'info' }).toArray()
    await things.scan({ id: { gte: 0 }, level: 'info', extra: 'x' }).toArray()
    expect(filters).toEqual([undefined, [{ column: 1, in: ['x'] }]])
  })

  test('ROW-4: without a constant default it is UNREADABLE_ROW', async () => {
    const Strict = defineTable('strict', { columns: { id: int32(), must: text(), at: timestamp('ms', { default: 'now' }) }, key: ['id'] })
    const corrupt: [Row, string][] = [
      [[1, 5, null], 'must'], // value columns in the order of their names: at, must
      [[1, null, 'x'], 'at'],
    ]
    for (const [stored, column] of corrupt) {
      const store = wrapped(memory(), {
        get: () => [stored],
        scan: () => ({ next: () => ({ rows: [stored], examined: 1 }), close: () => undefined }),
      })
      const db = createMapper(store)
      await db.ensureTables([Strict])
      const strict = db.repository(Strict)
      for (const call of [
        () => strict.get({ id: 1 }),
        () => strict.scan({ id: { gte: 0 } }).page({ size: 1 }),
        () => strict.scan({ id: { gte: 0 } }, { limit: 1 }).toArray(),
      ]) {
        const error = await refusalOf(call)
        expect([error.code, error.details]).toEqual(['UNREADABLE_ROW', { table: 'strict', column }])
      }
      expect(await strict.exists({ id: 1 })).toBe(true)
    }
  })
})
