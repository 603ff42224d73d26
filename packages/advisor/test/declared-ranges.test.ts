import { int64, kuduHash, period, text, timestamp } from 'rowkey'
import { expect, test } from 'vitest'
import { kudu } from './cases.js'
import { found, table } from './judging.js'

// A model that declares its ranges for Kudu is judged by them, unless the options tell others.

const columns = { host: text(), at: timestamp('ms'), no: int64() }
const withRange = (range: unknown, count = 1) =>
  table(columns, ['host', 'at'], {
    ...(count === 1 ? {} : { salt: kuduHash({ of: 'host', count }) }),
    stores: { kudu: range === undefined ? {} : { range } },
  })

test.each([
  [undefined, true],
  [null, true],
  ['at', true],
  [{}, true],
  [{ splits: ['2026-01-01'] }, true],
  [{ of: 'at', every: 'month' }, false],
  [{ of: ['at'], splits: ['2026-01-01'] }, false],
])('kudu-no-partitions: with the range %j: %j', (range, isFound) => {
  expect(found(withRange(range), 'kudu-no-partitions', kudu) !== undefined).toBe(isFound)
})

test.each([
  // Those kept, the one of now, and those ahead; two ahead are the default.
  [{ of: 'at', every: 'month' }, '4 hash buckets x 3 ranges = 12 tablets'],
  [{ of: 'at', every: 'month', ahead: 1, keep: 6 }, '4 hash buckets x 8 ranges = 32 tablets'],
  // Below the first split, between splits, above the last.
  [{ of: 'at', splits: [1, 2, 3] }, '4 hash buckets x 4 ranges = 16 tablets'],
  [{ of: 'at', bounds: [[1, 2]] }, '4 hash buckets x 1 range = 4 tablets'],
  [{ of: 'at', bounds: [[1, 2]], splits: [5] }, '4 hash buckets x 2 ranges = 8 tablets'],
])('kudu-tablets: the ranges %j', (range, said) => {
  expect(found(withRange(range, 4), 'kudu-tablets', { ...kudu, servers: 40 })?.evidence).toContain(said)
})

test('over a period, the ranges are its own where no column is named', () => {
  const ofPeriod = (range: unknown) =>
    table({ ...columns, month: period('month', { of: 'at' }) }, ['month', 'host', 'at'], {
      stores: { kudu: range === undefined ? {} : { range } },
    })
  expect(found(ofPeriod({ keep: 2 }), 'kudu-no-partitions', kudu)).toBeUndefined()
  expect(found(ofPeriod(undefined), 'kudu-no-partitions', kudu)?.severity).toBe('error')
})

test('ranges of the options hold in place of those of the model', () => {
  const ranges = { rows: { column: 'at', bounds: [[0, 5], [5, null]] } } as const // prettier-ignore
  expect(found(withRange({ of: 'at', every: 'month' }, 4), 'kudu-tablets', { ...kudu, servers: 40, kudu: { ranges } })?.evidence).toContain(
    '4 hash buckets x 2 ranges = 8 tablets',
  )
  expect(found(withRange({ of: 'at', every: 'month' }, 4), 'kudu-tablets', { ...kudu, servers: 40 })?.evidence).toContain('3 ranges')
})
