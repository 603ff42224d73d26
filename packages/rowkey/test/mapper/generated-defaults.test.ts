import { schemaFromJSON } from '#model'
import { createMapper, decimal, defineTable, memory, nullable, text, timestamp, uint32, uuid } from 'rowkey'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../test/kit/refusal.js'

const definitionOf = () => ({
  columns: {
    page: text(),
    hits: uint32({ default: 0 }),
    note: nullable(text()),
    madeAt: timestamp('ms', { default: 'now' }),
    changedAt: timestamp('ms', { default: 'updatedAt' }),
    changedNs: nullable(timestamp('ns', { default: 'updatedAt' })),
  },
  key: ['page'] as const,
  version: 'version' as const,
})

async function open(checks = {}) {
  const clock = { now: 1_000 }
  const db = createMapper(memory(), { clock: () => clock.now })
  const model = defineTable('visits', { ...definitionOf(), ...checks })
  await db.ensureTables([model])
  const visits = db.repository(model)
  const times = async (page = 'a') => {
    const { madeAt, changedAt, changedNs } = await visits.getOrThrow({ page })
    expect(changedNs).toBe(BigInt(changedAt.getTime()) * 1_000_000n)
    return [madeAt.getTime(), changedAt.getTime()]
  }
  return { db, clock, visits, times }
}

describe("the default 'updatedAt'", () => {
  const changes: readonly (readonly [name: string, change: (opened: Awaited<ReturnType<typeof open>>) => Promise<unknown>])[] = [
    ['update', ({ visits }) => visits.update({ page: 'a' }, { note: 'x' })],
    ['an update that leaves everything', ({ visits }) => visits.update({ page: 'a' }, { note: undefined, changedAt: undefined })],
    ['upsert', ({ visits }) => visits.upsert({ page: 'a', note: 'x' })],
    ['increment', ({ visits }) => visits.increment({ page: 'a' }, { hits: 1 })],
    ['modify', ({ visits }) => visits.modify({ page: 'a' }, () => ({ note: 'x' }))],
    ['update in a batch', ({ db, visits }) => db.write([visits.ops.update({ page: 'a' }, { note: 'x' })])],
    ['upsert in an atomic batch', ({ db, visits }) => db.write([visits.ops.upsert({ page: 'a', hits: 2 })], { atomic: true })],
    ['increment in a batch', ({ db, visits }) => db.write([visits.ops.increment({ page: 'a' }, { hits: 1 })])],
  ]
  const isHit = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } }

  test.each(changes)('%s sets it to the time of the change, and leaves that of the first write', async (_, change) => {
    const opened = await open()
    await opened.visits.insert({ page: 'a' })
    opened.clock.now = 2_000
    await change(opened)
    expect(await opened.times()).toEqual([1_000, 2_000])
  })

  test.each(changes.filter(([name]) => !name.includes('batch')))('%s does so where rows have checks', async (_, change) => {
    const opened = await open({ checks: { hits: isHit } })
    await opened.visits.insert({ page: 'a' })
    opened.clock.now = 2_000
    await change(opened)
    expect(await opened.times()).toEqual([1_000, 2_000])
  })

  test('a value that is given is kept, in rows and in patches', async () => {
    const { clock, visits, times } = await open()
    const old = { changedAt: new Date(7), changedNs: 7_000_000n }
    await visits.insert({ page: 'a', ...old })
    expect(await times()).toEqual([1_000, 7])
    clock.now = 3_000
    await visits.update({ page: 'a' }, { changedAt: new Date(8), changedNs: 8_000_000n })
    expect(await times()).toEqual([1_000, 8])
    await visits.upsert({ page: 'a', ...old })
    expect(await times()).toEqual([1_000, 7])
    await visits.put({ ...(await visits.getOrThrow({ page: 'a' })), note: 'x' })
    expect(await times()).toEqual([1_000, 7])
    await visits.put({ page: 'a' })
    expect(await times()).toEqual([3_000, 3_000])
  })

  test('an upsert and an increment that create a row set it too', async () => {
    const { clock, visits, times } = await open()
    clock.now = 5_000
    await visits.upsert({ page: 'b', hits: 1 })
    await visits.increment({ page: 'c' }, { hits: 1 }, { create: true })
    expect([await times('b'), await times('c')]).toEqual([
      [5_000, 5_000],
      [5_000, 5_000],
    ])
  })

  test('not in a key, and only for instants and days', async () => {
    const key = () => defineTable('t', { columns: { at: timestamp('ms', { default: 'updatedAt' }) }, key: ['at'] })
    expect(key).toThrow("key column 'at' cannot have the default 'updatedAt', because the key of a row never changes. Use 'now'.")
    // @ts-expect-error: a number has no time
    expect(await codeOf(() => uint32({ default: 'updatedAt' }))).toBe('INVALID_COLUMN_TYPE')
    expect(await codeOf(() => decimal(4, 1, { default: 'updatedAt' }))).toBe('INVALID_COLUMN_TYPE')
    expect(text({ default: 'updatedAt' }).default).toEqual({ kind: 'constant', value: 'updatedAt' })
  })
})

describe("the default 'uuid'", () => {
  const Notes = defineTable('notes', {
    columns: { id: uuid({ default: 'uuid' }), timed: uuid({ order: 'time', default: 'uuid' }), n: uint32() },
    key: ['timed', 'id'],
  })

  test('is random, of version 4; with order time it is of version 7, and ascends within a millisecond', async () => {
    const clock = { now: 1_700_000_000_000 }
    const db = createMapper(memory(), { clock: () => clock.now })
    await db.ensureTables([Notes])
    const notes = db.repository(Notes)
    for (let n = 0; n < 300; n++) {
      clock.now += n % 3 === 0 ? 1 : 0
      await notes.insert({ n })
    }
    const rows = await notes.scan({}, { unbounded: true }).toArray()
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 300 }, (_, n) => n))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(300)
    for (const { id, timed, n } of rows) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(timed).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(parseInt(timed.replaceAll('-', '').slice(0, 12), 16)).toBe(1_700_000_000_001 + Math.floor(n / 3))
    }
  })

  test('is a part of the JSON of a schema', () => {
    for (const schema of [Notes, defineTable('visits', definitionOf())])
      expect(schemaFromJSON(schema.toJSON()).toJSON()).toEqual(schema.toJSON())
  })
})
