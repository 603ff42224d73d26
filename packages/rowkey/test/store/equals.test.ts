import {
  bool,
  bytes,
  date,
  decimal,
  dictionary,
  fixedBytes,
  float64,
  int32,
  int64,
  json,
  nullable,
  paddedText,
  reversed,
  separatedText,
  text,
  timestamp,
  uint64,
  ulid,
  uuid,
} from '#codec'
import { createMapper } from '#mapper'
import { memory } from '#memory'
import { defineTable, equals } from '#model'
import { compileQuery } from '#store'
import { describe, expect, test } from 'vitest'
import { shapeOf } from '../../src/store/predicate/shape.js'
import { refusalOf } from '../../../../test/kit/refusal.js'
import { wrapped } from '../../../../test/kit/wrapped.js'

const types = {
  text: nullable(text()),
  paddedText: nullable(paddedText(6, { pad: '_' })),
  separatedText: nullable(separatedText('|')),
  reversed: nullable(reversed(text())),
  dictionary: nullable(dictionary({ one: 'o', two: 't' })),
  bytes: nullable(bytes()),
  fixedBytes: nullable(fixedBytes(4)),
  int32: nullable(int32()),
  int64: nullable(int64()),
  int64AsNumber: nullable(int64({ as: 'number' })),
  uint64: nullable(uint64()),
  float64: nullable(float64()),
  bool: nullable(bool()),
  uuid: nullable(uuid()),
  ulid: nullable(ulid()),
  decimal: nullable(decimal(9, 2)),
  timestamp: nullable(timestamp('ms')),
  timestampAsNumber: nullable(timestamp('ms', { as: 'number' })),
  date: nullable(date()),
  json: nullable(json()),
}
const Things = defineTable('things', { columns: { user: text(), n: int32(), ...types }, key: ['user', 'n'] })
const Shared = defineTable('shared', { columns: { tenant: text(), n: int32() }, partition: ['tenant'], key: ['n'] })

async function open() {
  let asked = 0
  const store = wrapped(memory(), {
    scan: (_, inner) => (asked++, inner()),
    get: (keys, inner, options) => (asked++, inner(keys, options)),
  })
  const db = createMapper(store)
  await db.ensureTables([Things, Shared])
  const [things, shared] = [db.repository(Things), db.repository(Shared)]
  for (const user of ['ann', 'bob']) for (let n = 0; n < 3; n++) await things.put({ user, n, text: `note ${n}`, int32: n, bool: n === 1 })
  for (const tenant of ['ann', 'bob']) await shared.put({ tenant, n: 1 })
  return { things, shared, asked: () => asked }
}

/** What parsed JSON may hold in the place of a value, and is the value of no column. */
const fromJson = [
  '{}', '[]', '{"gte":""}', '{"in":["ann","bob"]}', '{"isNull":false}', '{"isNull":true}', '{"startsWith":""}', '{"gt":null}', '["ann"]', '[["ann"]]', 'null',
  '{"type":"Buffer","data":[1,2,3,4]}', '{"0":1,"length":1}', '{"=":"ann"}', '{"value":"ann"}', '{"Symbol(rowkey.equals)":"ann"}', '{"rowkey.equals":"ann"}',
  '{"__proto__":{"gte":""}}', '{"toString":"ann"}', '{"$gt":""}',
] // prettier-ignore

describe('PRED-5: equals() means that a column has a value', () => {
  test('PRED-5: it finds what the value finds, by the same plan, shape and cursor', async () => {
    const { things } = await open()
    expect((await things.scan({ user: equals('ann') }).toArray()).map(({ n }) => n)).toEqual([0, 1, 2])
    expect(await things.scan({ user: equals('ann'), n: equals(1), text: equals('note 1'), bool: equals(true) }).count()).toBe(1)
    expect(await things.scan({ user: equals('ann'), n: { gt: 0 }, text: null }).count()).toBe(0)
    const explain = (where: object) => things.scan(where as never).explain()
    expect(explain({ user: equals('ann'), n: equals(1) })).toEqual(explain({ user: 'ann', n: 1 }))
    expect(explain({ user: equals('ann'), n: equals(1) }).kind).toBe('GET')
    expect(shapeOf(Things, { user: equals('ann') }).shape).toBe(shapeOf(Things, { user: 'bob' }).shape)
    const { cursor } = await things.scan({ user: equals('ann') }).page({ size: 1 })
    expect((await things.scan({ user: 'ann' }).page({ cursor })).rows.map(({ n }) => n)).toEqual([1, 2])
    expect(await things.scan({ user: equals('ann') }).deleteAll()).toBe(3)
    expect(await things.scan({ user: 'bob' }).count()).toBe(3)
  })

  test.each(Object.keys(types))(
    'PRED-5: of a %s column it refuses every object and list, by name and before anything is read',
    async (column) => {
      const { things, asked } = await open()
      for (const given of [...fromJson.map((text) => JSON.parse(text) as unknown), undefined, Symbol('ann'), () => 'ann', equals('ann')]) {
        const scan = () => things.scan({ user: 'ann', [column]: equals(given) })
        const uses = [
          () => scan().page(),
          () => scan().toArray(),
          () => scan().count(),
          () => scan().deleteAll(),
          () => scan()[Symbol.asyncIterator]().next(),
          async () => scan().explain(),
        ]
        for (const use of uses) {
          const { code, details, message } = await refusalOf(use)
          expect([code, details['column'], message.includes(`'${column}'`)], `${column} ${JSON.stringify(given)}`).toEqual([
            'INVALID_PREDICATE',
            column,
            true,
          ])
        }
      }
      expect(asked()).toBe(0)
    },
  )

  test('PRED-5: it names neither all users nor the partitions of others', async () => {
    const { things, shared, asked } = await open()
    const body = JSON.parse('{"user":{"gte":""},"tenant":{"in":["ann","bob"]}}') as { user: string; tenant: string }
    // What a value from outside does without it.
    expect(await things.scan({ user: body.user }).count()).toBe(6)
    expect(await shared.scan({ tenant: body.tenant }).count()).toBe(2)
    const before = asked()
    expect((await refusalOf(() => things.scan({ user: equals(body.user) }).count())).details).toEqual({ table: 'things', column: 'user' })
    expect((await refusalOf(() => shared.scan({ tenant: equals(body.tenant) }).count())).details).toEqual({
      table: 'shared',
      column: 'tenant',
    })
    expect((await refusalOf(() => shared.scan({ tenant: equals(undefined), n: 1 }).deleteAll())).code).toBe('INVALID_PREDICATE')
    expect(asked()).toBe(before)
    expect(await shared.scan({ tenant: equals('ann') }).count()).toBe(1)
  })

  test('PRED-5: null is refused, and does not change what a null or a value means elsewhere', async () => {
    const Fresh = defineTable('fresh', { columns: { k: text(), v: nullable(text()) }, key: ['k'] })
    const set = (v: unknown) => compileQuery(Fresh, { k: 'x', v }).predicate.sets.get(1)
    expect(() => set(equals(null))).toThrow("column 'v': = never matches null")
    expect(set('a')).toEqual({ kind: 'points', values: ['a'] })
    expect(set(null)).toEqual({ kind: 'points', values: [null] })
    expect(() => set(equals(null))).toThrow("column 'v': = never matches null")
    expect(set(equals('a'))).toEqual({ kind: 'points', values: ['a'] })
  })

  test('PRED-5: it is a condition, no operand and no value', async () => {
    const { things, asked } = await open()
    const inside = [{ gte: equals('a') }, { in: [equals('a')] }, { startsWith: equals('a') }, [equals('a')], Object.create(equals('a'))]
    for (const user of inside) expect((await refusalOf(() => things.scan({ user }).count())).code).toBe('INVALID_PREDICATE')
    expect((await refusalOf(() => things.get({ user: equals('ann'), n: 1 } as never))).code).toBe('INVALID_VALUE')
    expect((await refusalOf(() => things.put({ user: equals('ann'), n: 1 } as never))).code).toBe('INVALID_VALUE')
    expect(asked()).toBe(0)
    expect(Object.isFrozen(equals('ann'))).toBe(true)
  })

  test('PRED-5: a condition that another copy of the package made is one', async () => {
    const { things } = await open()
    const foreign = { [Symbol.for('rowkey.equals')]: 'ann' }
    expect(await things.scan({ user: foreign }).count()).toBe(3)
    expect((await refusalOf(() => things.scan({ user: { [Symbol.for('rowkey.equals')]: { gte: '' } } }).count())).code).toBe(
      'INVALID_PREDICATE',
    )
  })
})

describe('GET-4: keys and rows from outside', () => {
  const operators = ['{"gte":""}', '{"in":["ann","bob"]}', '["ann"]', '[]', '{}', 'null', '5'].map((text) => JSON.parse(text) as unknown)

  test.each([
    ['get', 'key'],
    ['getOrThrow', 'key'],
    ['exists', 'key'],
    ['delete', 'key'],
    ['update', 'key'],
    ['modify', 'key'],
    ['getMany', 'keys'],
    ['deleteMany', 'keys'],
    ['insert', 'key'],
    ['put', 'key'],
    ['putMany', 'keys'],
  ] as const)('GET-4: %s() refuses operators in the place of a value, before the store is asked', async (method, takes) => {
    const Versioned = defineTable('versioned', { columns: { user: text(), n: int32() }, key: ['user', 'n'], version: 'rev' })
    let asked = 0
    const store = wrapped(memory(), {
      get: (keys, inner, options) => (asked++, inner(keys, options)),
      write: (_, inner) => (asked++, inner()),
    })
    const db = createMapper(store)
    await db.ensureTables([Versioned])
    const table = db.repository(Versioned) as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
    for (const user of operators) {
      const key = { user, n: 1 }
      const { code, details } = await refusalOf(() =>
        table[method]?.(takes === 'keys' ? [key] : key, method === 'modify' ? () => ({}) : {}),
      )
      expect([code, details['column']], `${method} ${JSON.stringify(user)}`).toEqual(['INVALID_VALUE', 'user'])
    }
    expect(asked).toBe(0)
  })
})
