import type { Adapter, Outcome } from '#store/adapter'
import { bucket, bytes, int32, nullable, text } from '#codec'
import { createMapper } from '#mapper'
import { createPausing } from '#mapper/internal'
import { memory } from '#memory'
import { Column, defineTable, KeyColumn, Table } from '#model'
import { describe, expect, test } from 'vitest'
import { codeOf, refusalOf } from '../../../../test/kit/refusal.js'
import { always, wrapped, type Overrides } from '../../../../test/kit/wrapped.js'

const Things = defineTable('things', {
  columns: { host: text(), id: bytes(), a: nullable(int32()), b: nullable(int32()), level: text({ default: 'info' }), must: int32() },
  key: ['host', 'id'],
  salt: bucket({ of: 'host', count: 4 }),
})
const Plain = defineTable('plain', { columns: { k: text(), v: nullable(text()) }, key: ['k'], writes: 'plain' })
const key = { host: 'web', id: new Uint8Array([1]) }
const row = { ...key, a: 1, b: 2, must: 3 }

async function open(overrides: Overrides = {}, attempts = 1) {
  const store = memory()
  const db = createMapper(store)
  await db.ensureTables([Things, Plain])
  const other = createMapper(wrapped(store, overrides), { retry: { attempts } })
  return {
    things: other.repository(Things),
    plain: other.repository(Plain),
  }
}

test('WRITE-1: of two inserts at once one fails; the row is that of the other', async () => {
  const { things } = await open()
  const results = await Promise.allSettled([things.insert({ ...row, a: 1 }), things.insert({ ...row, a: 2 })])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const winner = results[0].status === 'fulfilled' ? 1 : 2
  expect((await things.get(key))?.a).toBe(winner)
  const error = await refusalOf(() => things.insert({ ...row, a: 3 }))
  expect([error.code, error.details]).toEqual(['ROW_EXISTS', { table: 'things', key }])
  expect((await things.get(key))?.a).toBe(winner)
})

test('WRITE-2: put replaces the whole row', async () => {
  const { things } = await open()
  await things.put({ ...row, level: 'warn' })
  await things.put({ ...key, must: 9 })
  expect(await things.get(key)).toEqual({ ...key, a: null, b: null, level: 'info', must: 9 })
})

describe('WRITE-3: update', () => {
  test('WRITE-3: only the patched columns, of a row that is there', async () => {
    const { things } = await open()
    expect(await codeOf(() => things.update(key, { a: 5 }))).toBe('ROW_NOT_FOUND')
    expect(await codeOf(() => things.update(key, {}))).toBe('ROW_NOT_FOUND')
    expect(await things.get(key)).toBeUndefined()
    await things.put({ ...row, level: 'warn' })
    await things.update(key, { a: null })
    await things.update(key, {})
    expect(await things.get(key)).toEqual({ ...row, a: null, level: 'warn' })
  })

  test('WRITE-3: refused before the store is asked', async () => {
    let writes = 0
    const { things } = await open({ write: (_, inner) => (writes++, inner()) })
    const wrong: [patch: unknown, code: string][] = [
      [{ must: null }, 'INVALID_VALUE'],
      [{ a: 'x' }, 'INVALID_VALUE'],
      [{ host: 'db' }, 'KEY_IMMUTABLE'],
      [{ host: 'web' }, 'KEY_IMMUTABLE'],
      [{ a: 1, nope: 1 }, 'UNKNOWN_COLUMN'],
      [{ nope: undefined }, 'UNKNOWN_COLUMN'],
      [undefined, 'INVALID_VALUE'],
      [null, 'INVALID_VALUE'],
      ['a', 'INVALID_VALUE'],
    ]
    for (const [patch, code] of wrong) expect(await codeOf(() => things.update(key, patch as never)), JSON.stringify(patch)).toBe(code)
    expect(await codeOf(() => things.update({ host: 'web' } as never, { a: 1 }))).toBe('INVALID_VALUE')
    expect(await codeOf(() => things.update({ ...key, a: 1 } as never, { a: 1 }))).toBe('UNKNOWN_COLUMN')
    expect(writes).toBe(0)
  })

  test('WRITE-3: 2 × 200 interleaved updates of two columns lose none', async () => {
    const { things } = await open({ write: async (_, inner) => (await Promise.resolve(), inner()) })
    await things.put(row)
    const updates = Array.from({ length: 200 }, (_, i) => [things.update(key, { a: i }), things.update(key, { b: -i })])
    await Promise.all(updates.flat())
    expect(await things.get(key)).toEqual({ ...row, a: 199, b: -199, level: 'info' })
  })
})

test('WRITE-4: delete of an absent row succeeds', async () => {
  const { things } = await open()
  await things.delete(key)
  await things.put(row)
  await things.delete(key)
  await things.delete(key)
  expect(await things.exists(key)).toBe(false)
  await things.deleteMany([key, key])
})

describe('WRITE-5: many', () => {
  const many = [1, 2, 1, 3, 1].map((id, a) => ({ ...row, id: new Uint8Array([id]), a }))

  test('WRITE-5: of several for one row the last counts, and the adapter sees each row once', async () => {
    const batches: number[] = []
    const { things } = await open({ write: (batch, inner) => (batches.push(batch.length), inner()) })
    await things.putMany(many)
    expect((await things.scan({ host: 'web' }).toArray()).map(({ id, a }) => [id[0], a])).toEqual([
      [1, 4],
      [2, 1],
      [3, 3],
    ])
    await things.deleteMany(many.map(({ host, id }) => ({ host, id })))
    expect(await things.scan({ host: 'web' }).count()).toBe(0)
    await things.putMany([])
    await things.deleteMany([])
    expect(batches).toEqual([3, 3])
    const stopped = { signal: AbortSignal.abort('stopped') }
    await expect(things.putMany([], stopped)).rejects.toBe('stopped')
    await expect(things.deleteMany([], stopped)).rejects.toBe('stopped')
  })

  test('WRITE-5: WRITE_INCOMPLETE says what became of every input, those that were folded included', async () => {
    const cause = new Error('disk full')
    const outcomes: Outcome[] = [{ kind: 'unknown', cause }, { kind: 'applied' }, { kind: 'failed', cause: 'too hot' }]
    const { things } = await open({ write: () => outcomes })
    const error = await refusalOf(() => things.putMany(many))
    expect(error.code).toBe('WRITE_INCOMPLETE')
    expect(error.details).toEqual({
      table: 'things',
      outcomes: [
        { index: 0, kind: 'unknown', cause },
        { index: 2, kind: 'unknown', cause },
        { index: 3, kind: 'failed', cause: 'too hot' },
        { index: 4, kind: 'unknown', cause },
      ],
    })
    expect(error.cause).toBe(cause)
    expect(error.message).toContain('4 of 5 writes')
  })

  test('WRITE-5: an adapter that answers too little or too much is not believed', async () => {
    for (const outcomes of [[], [{ kind: 'applied' }], Array.from({ length: 9 }, () => ({ kind: 'applied' }))] as Outcome[][]) {
      const { things } = await open({ write: () => outcomes })
      const { code, details } = await refusalOf(() => things.deleteMany(many.map(({ host, id }) => ({ host, id }))))
      expect(code).toBe('WRITE_INCOMPLETE')
      expect((details['outcomes'] as { kind: string }[]).map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'unknown'))
    }
  })

  test('WRITE-5: one bad row, and nothing is written', async () => {
    const { things } = await open()
    expect(await codeOf(() => things.putMany([...many, { ...row, must: 'x' as never }]))).toBe('INVALID_VALUE')
    expect(await things.scan({ host: 'web' }).count()).toBe(0)
  })
})

test('WRITE-6: insert and put resolve to the whole key, which is not the stored one', async () => {
  const { things } = await open()
  const written = await things.insert(row)
  expect(written).toEqual({ key })
  written.key.id[0] = 99
  expect((await things.put({ ...row, id: new Uint8Array([2]) })).key).toEqual({ host: 'web', id: new Uint8Array([2]) })
  expect(await things.exists(key)).toBe(true)
})

test('WRITE-7: plain tables have put and delete only', async () => {
  const { plain } = await open()
  const all = plain as unknown as { insert(row: object): Promise<unknown>; update(key: object, patch: object): Promise<unknown> }
  for (const [method, run] of [
    ['insert', () => all.insert({ k: 'x' })],
    ['update', () => all.update({ k: 'x' }, { v: 'y' })],
  ] as const) {
    const error = await refusalOf(run)
    expect([error.code, error.details]).toEqual(['PLAIN_WRITES_ONLY', { table: 'plain', method }])
  }
  await plain.put({ k: 'x', v: 'y' })
  await plain.putMany([{ k: 'z' }])
  await plain.delete({ k: 'x' })
  await plain.deleteMany([{ k: 'z' }])
})

describe('WRITE-8: what became of a write', () => {
  const cause = new Error('socket closed.')
  const cases: [outcome: Outcome, code: string, details: object][] = [
    [{ kind: 'unknown', cause }, 'OUTCOME_UNKNOWN', {}],
    [{ kind: 'failed', cause }, 'WRITE_FAILED', { repeatable: false }],
    [{ kind: 'failed', cause: undefined }, 'WRITE_FAILED', { repeatable: false }],
    [{ kind: 'unprocessed' }, 'WRITE_FAILED', { repeatable: true }],
  ]
  test.each(cases)('WRITE-8: %j is %s', async (outcome, code, details) => {
    const { things } = await open({ write: always(outcome) })
    const calls = {
      put: () => things.put(row),
      insert: () => things.insert(row),
      update: () => things.update(key, { a: 1 }),
      delete: () => things.delete(key),
    }
    for (const [method, call] of Object.entries(calls)) {
      const error = await refusalOf(call)
      expect(error.code).toBe(code)
      expect(error.details).toEqual({ table: 'things', key, ...details })
      expect(error.message).toContain(`${method} of the row with key (host "web", id 0x01) of 'things'`)
      expect(error.cause).toBe('cause' in outcome ? outcome.cause : undefined)
    }
  })

  test('WRITE-8: no answer at all is OUTCOME_UNKNOWN, not a failure that may be repeated', async () => {
    const { things } = await open({ write: () => [] })
    expect(await codeOf(() => things.put(row))).toBe('OUTCOME_UNKNOWN')
  })

  test('WRITE-8: an error of rowkey comes as it is', async () => {
    const { things } = await open()
    await things.put(row)
    const store = memory()
    const db = createMapper(store)
    await db.ensureTables([Things])
    const there = db.repository(Things)
    await there.put(row)
    await store.dropTable('things')
    for (const call of [() => there.put(row), () => there.get(key), () => there.scan({ host: 'web' }).page()]) {
      expect(await codeOf(call)).toBe('TABLE_NOT_FOUND')
    }
  })

  test('WRITE-8: what the adapter throws is the cause of an outcome that is not known', async () => {
    const { things } = await open({ write: () => Promise.reject(cause) })
    const once = { attempts: 1 }
    const { code, cause: thrown } = await refusalOf(() => things.put(row, once))
    expect([code, thrown]).toEqual(['OUTCOME_UNKNOWN', cause])
    const { details } = await refusalOf(() => things.putMany([row], once))
    expect(details['outcomes']).toEqual([{ index: 0, kind: 'unknown', cause }])
  })
})

@Table('readings')
class Reading {
  @KeyColumn(1, text()) id!: string
  @Column(nullable(text())) note!: string | null
  cached: number | undefined
  get label(): string {
    return `reading ${this.id}`
  }
}

describe('ROW-3: instances', () => {
  test('ROW-3: fields and getters of a class that are no columns stay outside the table', async () => {
    const db = createMapper(memory())
    await db.ensureTables([Reading])
    const readings = db.repository(Reading)
    const reading = Object.assign(new Reading(), { id: 'a' })
    expect(Object.keys(reading)).toContain('cached')
    await readings.insert(reading)
    const found = await readings.getOrThrow({ id: 'a' })
    expect(found).toBeInstanceOf(Reading)
    expect(found.label).toBe('reading a')
    expect(found.note).toBeNull()
    await readings.put(found)
    await readings.put(Object.assign(reading, { cached: 1 }))
    expect((await readings.getOrThrow({ id: 'a' })).cached).toBeUndefined()
    expect(await codeOf(() => readings.put({ id: 'a', cashed: 1 } as never))).toBe('UNKNOWN_COLUMN')
    await readings.update({ id: 'a' }, { note: 'x' })
    expect((await readings.scan({ id: 'a' }).toArray())[0]).toBeInstanceOf(Reading)
    expect((await readings.scan({ id: 'a' }, { select: ['id'] }).toArray())[0]).not.toBeInstanceOf(Reading)
  })
})

test('WRITE-13 WRITE-11: an operation that is written twice is two writes, not a repetition of one', async () => {
  // A store that recognises a repetition knows it by the mutation object.
  const store = memory()
  const seen: unknown[] = []
  const db = createPausing(
    wrapped(store, {
      write: (batch, inner) => {
        seen.push(...batch)
        return seen.length <= 2 ? batch.map((): Outcome => ({ kind: 'unknown', cause: undefined, repeatable: true })) : inner()
      },
    }),
    { retry: { attempts: 2 } },
    { sleep: () => Promise.resolve() },
  )
  await db.ensureTables([Plain])
  for (const operation of [db.repository(Plain).ops.put({ k: 'a', v: 'x' }), db.repository(Plain).ops.delete({ k: 'a' })]) {
    seen.length = 0
    expect(await codeOf(() => db.write([operation]))).toBe('WRITE_INCOMPLETE')
    await db.write([operation])
    expect(seen.length).toBe(3)
    expect(seen[1]).toBe(seen[0])
    expect(seen[2]).not.toBe(seen[0])
  }
})

test('WRITE-14: an atomic batch whose answer is lost is not taken as applied because a row that it would create exists', async () => {
  const base = memory()
  const Keys = defineTable('keys', { columns: { id: text(), n: nullable(int32()) }, key: ['id'] })
  await createMapper(base).ensureTables([Keys])
  await createMapper(base).repository(Keys).put({ id: 'a', n: 1 })
  const lost: Adapter = wrapped(base, { write: always({ kind: 'unknown', cause: undefined }) })
  const db = createMapper(lost, { retry: { attempts: 1 } })
  const keys = db.repository(Keys)
  expect(await codeOf(() => db.write([keys.ops.upsert({ id: 'a' }), keys.ops.put({ id: 'b', n: 2 })], { atomic: true }))).toBe(
    'OUTCOME_UNKNOWN',
  )
  expect(await codeOf(() => db.write([keys.ops.upsert({ id: 'a' }), keys.ops.upsert({ id: 'b' })], { atomic: true }))).toBe(
    'OUTCOME_UNKNOWN',
  )
  await db.write([keys.ops.upsert({ id: 'a' })], { atomic: true })
})
