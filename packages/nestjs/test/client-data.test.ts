import { httpErrorOf } from '@rowkey/nestjs'
import { scaled } from '@rowkey/servers/scale'
import fc from 'fast-check'
import {
  createMapper,
  defineTable,
  equals,
  int64,
  isRowkeyError,
  json,
  memory,
  nullable,
  text,
  timestamp,
  uint32,
  uint8,
  type Repository,
  type TableSchema,
} from 'rowkey'
import { beforeAll, expect, test } from 'vitest'
import { hostile, parsed } from '../../../test/kit/hostile-json.js'

// Wherever an application passes on what a client has sent, the client is answered below 500, and no raw error leaves rowkey.

const Orders = defineTable('orders', {
  columns: { t: text(), n: uint32(), s: text(), c: uint8(), big: nullable(int64()), at: nullable(timestamp('ms')), data: nullable(json()) },
  key: ['t', 'n'],
  version: 'rev',
  ttl: '30d',
})
const db = createMapper(memory())
const orders = db.repository(Orders) as unknown as Repository<TableSchema>
const where = { t: 'ann' }
const key = { t: 'ann', n: 1 }
const row = { ...key, s: 'open', c: 200 }

beforeAll(() => db.ensureTables([Orders]))

type Given = never
const fromClients: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  'a key': (given) => orders.get(given),
  'a column of a key': (given) => orders.get({ t: given, n: 1 }),
  'a list of keys': (given) => orders.getMany(given),
  'a key of a list': (given) => orders.getMany([key, given]),
  'a row': (given) => orders.put(given),
  'columns of a row': (given) => orders.put({ ...row, ...(given as object) }),
  'a column of a row': (given) => orders.insert({ ...row, n: 7, s: given }),
  'a list of rows': (given) => orders.putMany(given),
  'a row of a list': (given) => orders.putMany([row, given]),
  'a row of a stream': (given) => orders.putMany([given].values()),
  'a patch': (given) => orders.update(key, given),
  'a column of a patch': (given) => orders.update(key, { at: given }),
  'an upserted column': (given) => orders.upsert({ ...row, big: given }),
  'JSON data': (given) => orders.update(key, { data: given }),
  amounts: (given) => orders.increment(key, given),
  'an amount': (given) => orders.increment(key, { c: given }),
  'the values of a new row': (given) => orders.increment({ t: 'new', n: 1 }, { c: 1 }, { create: { s: given } }),
  'a version': (given) => orders.update(key, { s: 'x' }, { if: { rev: given } }),
  'a state': (given) => orders.update(key, { s: 'x' }, { if: { s: equals(given) } }),
  'a state in an operand': (given) => orders.delete(key, { if: { c: { gte: given } } }),
  'an expiry': (given) => orders.put(row, { expires: given }),
  'a value of a predicate': (given) => orders.scan({ t: equals(given) }).page(),
  'an operand': (given) => orders.scan({ t: 'ann', n: { gte: given } }).page(),
  'a list in a predicate': (given) => orders.scan({ t: { in: given } }).page(),
  'a value of a filter': (given) => orders.scan({ t: 'ann', s: equals(given) }).page(),
  'a prefix': (given) => orders.scan({ t: { startsWith: given } }).page(),
  'an optional value': (given) => orders.scan(given === undefined ? {} : { t: equals(given) }).page(),
  'a predicate': (given) => orders.scan(given).page(),
  'a bound': (given) => orders.scan(where, { after: given }).page({ size: 2 }),
  'a column of a bound': (given) => orders.scan(where, { to: { n: given } }).page({ size: 2 }),
  'a cursor': (given) => orders.scan(where).page({ cursor: given }),
  'a checkpoint': (given) => orders.readAll({ checkpoint: given }).count(),
  'a limit': (given) => orders.scan(where, { limit: given }).toArray(),
  'a size of a page': (given) => orders.scan(where).page({ size: given }),
  'an order': (given) => orders.scan(where, { order: given }).page(),
  'a direction of an order': (given) => orders.scan(where, { order: { n: given } }).page(),
  'a selection': (given) => orders.scan(where, { select: given }).page(),
  'a selected column': (given) => orders.scan(where, { select: [given] }).page(),
  'a row of a cursor': (given) => orders.scan(where).cursorOf(given),
  'a rowkey': (given) => Promise.resolve(orders.decodeKey(new TextEncoder().encode(typeof given === 'object' ? 'x' : String(given)))),
}

const seen = new Set<string>()

test.each(Object.entries(fromClients))('%s from a client is taken, or refused with a status below 500', async (_, call) => {
  await fc.assert(
    fc.asyncProperty(hostile, async (sent) => {
      const given = parsed(sent)
      await orders.put(row)
      try {
        await (async () => call(given as Given))()
      } catch (error) {
        const code = isRowkeyError(error) ? error.code : `raw ${String((error as Error | undefined)?.stack)}`
        expect([code, httpErrorOf(error)?.getStatus() ?? 500]).toEqual([code, expect.toSatisfy((status: number) => status < 500)])
        seen.add(code)
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    }),
    { numRuns: scaled(150), seed: Number(process.env['ROWKEY_SEED'] ?? 1) },
  )
})

test('the data was hostile enough to be refused in many ways', () => {
  for (const code of [
    'INVALID_VALUE',
    'INVALID_PREDICATE',
    'UNKNOWN_COLUMN',
    'INVALID_OPTION',
    'CURSOR_INVALID',
    'ORDER_UNAVAILABLE',
    'FULL_SCAN_REFUSED',
    'MALFORMED_KEY',
  ])
    expect(seen).toContain(code)
})

test('what a client can lose a race to is 409, and what it can ask too much of is 400', async () => {
  await orders.put(row)
  const statusOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'taken',
      (error: unknown) => httpErrorOf(error)?.getStatus(),
    )
  expect(await statusOf(orders.update(key, { s: 'paid' }, { if: { s: 'closed' } }))).toBe(409)
  expect(await statusOf(orders.update(key, { s: 'paid' }, { if: { rev: 'x' } }))).toBe(409)
  expect(await statusOf(orders.increment(key, { c: 100 }))).toBe(409)
  expect(await statusOf(db.write([orders.ops.insert(row), orders.ops.insert({ ...row, n: 2 })]))).toBe(409)
  expect(await statusOf(orders.scan({ t: { startsWith: '' } }).page())).toBe(400)
  expect(await statusOf(orders.scan({ ...where, s: 'zz' }, { maxExamined: 1 }).toArray())).toBe(400)
  expect(await statusOf(db.write([orders.ops.put(row), orders.ops.put(row)], { atomic: true }))).toBe(400)
  expect(await statusOf(orders.put({ ...row, s: 'x'.repeat(100_000) }))).toBe(413)
})
