import { int64, kuduHash, text, timestamp, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import type { AdviceOptions, ConditionShape } from '../src/index.js'
import { kudu } from './cases.js'
import { found, table } from './judging.js'

// Kudu places rows by hash levels and ranges, and skips the ranges that conditions exclude.

const columns = { host: text(), metric: text(), at: timestamp('us'), no: int64() }
const metrics = (range: object | undefined): TableSchema =>
  table(columns, ['host', 'metric', 'at'], {
    salt: kuduHash({ of: 'host', count: 8 }),
    ...(range === undefined ? {} : { stores: { kudu: { range } } }),
  })
const asked = (at: ConditionShape): AdviceOptions => ({ ...kudu, queries: [{ table: 'rows', where: { host: '=', at }, perSecond: 50 }] })

test('a condition on the column of the ranges is no late filter, because they are skipped', () => {
  expect(found(metrics(undefined), 'filter', asked(['gte', 'lt']))?.severity).toBe('warning')
  expect(found(metrics({ of: 'at', every: 'month' }), 'filter', asked(['gte', 'lt']))).toMatchObject({
    severity: 'info',
    message: expect.stringContaining("Kudu skips the ranges of 'at'") as string,
  })
})

test('new rows go where the hash and the ranges say, not to the end of the key', () => {
  const key = ['at', 'host']
  const plain = table({ at: timestamp('us'), host: text() }, key)
  expect(found(plain, 'monotonic-first', kudu)).toBeDefined()
  expect(found(plain, 'monotonic-first', { ...kudu, storeOptions: { hash: 8 } })).toBeUndefined()
  const byHost = { rows: { column: 'host', bounds: [['a', 'k'], ['k', 'z']] } } as const // prettier-ignore
  expect(found(plain, 'monotonic-first', { ...kudu, kudu: { ranges: byHost } })).toBeUndefined()
})
