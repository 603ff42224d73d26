import { bucket, bytes, defineTable, desc, json, nullable, text, timestamp, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { sampleStats } from '../src/index.js'
import { shareOfFirst } from '../src/subject/skew.js'

const rows = <T>(count: number, row: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => row(i))
const Logs = defineTable('logs', { columns: { host: text(), at: timestamp('ms'), n: uint32(), body: json() }, key: ['host', 'at'] })

test('values are counted, with the share of the most frequent one', () => {
  const stats = sampleStats(
    Logs,
    rows(100, (i) => ({ host: i < 60 ? 'web-1' : `db-${i}`, at: new Date(i), n: 1, body: { a: 1 } })),
  )
  expect(stats).toMatchObject({ table: 'logs', rows: 100, duplicates: 0 })
  expect(stats.columns['host']).toMatchObject({ distinct: 41, top: 0.6, commonPrefix: '', integers: 0 })
  expect(stats.columns['host']?.values).toContain('db-99')
  expect(stats.columns['at']).toMatchObject({ distinct: 100, top: 0.01, rising: 1 })
  expect(stats.columns['at']).not.toHaveProperty('commonPrefix')
  // text and its end, and 8 bytes of time
  expect(stats.keyBytes).toEqual({ mean: 15, max: 15 })
  expect(stats.columns['host']?.bytes).toEqual({ mean: (60 * 7 + 40 * 7) / 100, max: 7, min: 7 })
})

test('steps go up in the order of values, whatever the direction of the key', () => {
  const Down = defineTable('logs', { columns: { host: text(), at: desc(timestamp('ms')) }, key: ['host', 'at'] })
  const rising = (schema: typeof Down | typeof Logs, at: (i: number) => number): number | undefined =>
    sampleStats(
      schema,
      rows(101, (i) => ({ host: 'a', at: new Date(at(i)), n: 1, body: 1 })),
    ).columns['at']?.rising
  expect(rising(Down, (i) => i)).toBe(1)
  expect(rising(Logs, (i) => 1000 - i)).toBe(0)
  expect(rising(Logs, (i) => i % 2)).toBe(0.5)
  expect(rising(Logs, () => 7)).toBe(0.5) // neither
})

test('keys that come again are counted, and so is a prefix that all texts share', () => {
  const stats = sampleStats(
    Logs,
    rows(100, (i) => ({ host: `user-${i % 50}`, at: new Date(0), n: i, body: null })),
  )
  expect(stats.duplicates).toBe(50)
  expect(stats.columns['host']?.commonPrefix).toBe('user-')
})

test.each([
  ['ascending', [1, 2, 2, 3], undefined, 'other'],
  ['descending', [3, 2, 2, 1], undefined, 'other'],
  ['in no order', [1, 3, 2], undefined, undefined],
  ['one key', [1, 1], undefined, undefined],
  ['no row', [], undefined, undefined],
  ['ascending, as they were written', [1, 2, 3], 'written', 'written'],
  ['in no order, drawn by chance', [1, 3, 2], 'other', 'other'],
] as const)('the order of a sample whose keys are %s %j, said to be %s: %s', (_, ids, order, expected) => {
  const Numbers = defineTable('n', { columns: { id: uint32() }, key: ['id'] })
  const sample = ids.map((id) => ({ id }))
  expect(sampleStats(Numbers, sample, order === undefined ? {} : { order }).order).toBe(expected)
})

test('a sample that is sorted in nine of ten steps is no order of writing', () => {
  const Ids = defineTable('ids', { columns: { id: text() }, key: ['id'] })
  // Ten steps, of which some go down.
  const order = (...ids: readonly number[]): unknown =>
    sampleStats(
      Ids,
      ids.map((id) => ({ id: `id-${10 + id}` })),
    ).order
  expect(order(0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 9)).toBe('other')
  expect(order(10, 9, 8, 7, 6, 5, 4, 3, 2, 0, 1)).toBe('other')
  expect(order(1, 0, 2, 3, 4, 5, 6, 7, 8, 10, 9)).toBeUndefined()
})

test('INVALID_OPTION: an order that does not exist', () => {
  expect(() => sampleStats(Logs, [], { order: 'sorted' as never })).toThrow(
    "INVALID_OPTION: the order of a sample is \"sorted\". Give 'written' or 'other'.",
  )
})

test.each([
  ['12', 1],
  ['-5', 1],
  ['0', 1],
  ['012', 0],
  ['1.5', 0],
  ['', 0],
  ['9'.repeat(19), 0],
])('the text %j is a whole number: %d', (host, share) => {
  expect(sampleStats(Logs, [{ host, at: new Date(0) }]).columns['host']?.integers).toBe(share)
})

test('buckets are those of the codec, and what chance would use is known', () => {
  const Salted = defineTable('s', { columns: { id: uint32() }, key: ['id'], salt: bucket({ of: 'id', modulo: 16 }) })
  const of8 = sampleStats(
    Salted,
    rows(1000, (i) => ({ id: i * 8 })),
  ).buckets
  expect(of8).toEqual({ used: 2, of: 16, expected: expect.closeTo(16, 5) as number, top: 0.5 })
  expect(sampleStats(Salted, [{ id: 1 }]).buckets).toEqual({ used: 1, of: 16, expected: expect.closeTo(1, 10) as number, top: 1 })
})

test('null and bytes are values too; nothing is computed of no rows', () => {
  const Odd = defineTable('odd', { columns: { a: nullable(text()), b: bytes() }, key: ['a', 'b'] })
  const stats = sampleStats(
    Odd,
    rows(10, (i) => ({ a: null, b: Uint8Array.of(i % 2) })),
  )
  expect(stats.columns).toMatchObject({ a: { distinct: 1, top: 1 }, b: { distinct: 2, top: 0.5 } })
  expect(JSON.parse(JSON.stringify(sampleStats(Odd, [])))).toEqual(sampleStats(Odd, []))
  expect(sampleStats(Odd, [])).toMatchObject({ rows: 0, rowBytes: 0, columns: { a: { distinct: 0, bytes: { mean: 0, max: 0, min: 0 } } } })
})

test('INVALID_VALUE: a row that the key cannot hold', () => {
  expect(() => sampleStats(Logs, [{ host: 'a', at: 'yesterday' }])).toThrow(
    "INVALID_VALUE: column 'at' of 'logs' cannot hold \"yesterday\"",
  )
  expect(() => sampleStats(Logs, [{ host: 'a' }])).toThrow('INVALID_VALUE')
})

test('the first of 10,000 users makes a tenth of the requests, by the usual skew', () => {
  expect(shareOfFirst(10_000, 1)).toBeCloseTo(0.10217, 5)
  expect(shareOfFirst(10_000, 0)).toBeCloseTo(1 / 10_000, 10)
  expect(shareOfFirst(1, 1)).toBe(1)
  // Beyond a million by the integral: within one part in a million of the sum.
  let sum = 0
  for (let rank = 1; rank <= 3_000_000; rank++) sum += 1 / rank
  expect(shareOfFirst(3_000_000, 1)).toBeCloseTo(1 / sum, 6)
})
