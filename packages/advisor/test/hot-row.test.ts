import { date, int64, text, timestamp, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import type { Finding, AdviceOptions, WriteLoad } from '../src/index.js'
import { cassandra, dynamodb, hbase, lindorm, redis } from './cases.js'
import { found, table, type Definition } from './judging.js'

// hot-row: which rows are changed so often that a change is slow.

const value = { count: int64() }
const counters = (more: Partial<Definition> = {}) => table({ name: text(), ...value }, ['name'], more)
const load = (rates: Omit<WriteLoad, 'table'>): AdviceOptions => ({ ...hbase, writes: [{ table: 'rows', ...rates }] })
const few = { perSecond: { updates: 10 }, distinct: { name: 10 }, skew: 0 }
const judged = (schema: ReturnType<typeof table>, options: AdviceOptions): Finding | undefined => found(schema, 'hot-row', options)

test('counters that change often are told, with what cures it and what the hint loses', () => {
  const finding = judged(counters(), load(few))
  expect(finding?.severity).toBe('warning')
  expect(finding?.evidence).toBe(
    '10 % of 10 updates a second for the busiest of 10 rows, with skew 0 x 7 days = 604,800 former values; measured: 8 ms after 10,000, 2 ms for a fresh row',
  )
  expect(finding?.fix).toMatch(/several rows.*major_compact.*newVersionBehavior: false.*lose two kinds of acknowledged writes/)
  // A decision that only a person can take.
  expect(finding?.change).toBeUndefined()
})

test('it is an info if how unevenly rows change is assumed', () => {
  const { skew: _, ...rates } = few
  expect(judged(counters(), load(rates))?.severity).toBe('info')
})

test.each([
  ['rows are inserted', counters(), load({ ...few, perSecond: { updates: 0, inserts: 1000 } })],
  ['rows are inserted and then changed once', counters(), load({ ...few, perSecond: { updates: 1000, inserts: 1000 } })],
  ['nothing is known of the writes', counters(), hbase],
  ['nothing is known of the number of rows', counters(), load({ perSecond: { updates: 1000 } })],
  ['many rows share the changes', counters(), load({ ...few, distinct: { name: 10_000_000 } })],
  ['a row changes once an hour', counters(), load({ ...few, perSecond: { updates: 10 / 3600 } })],
  ['the hint is given', counters({ stores: { hbase: { newVersionBehavior: false } } }), load(few)],
  ['writes check nothing', counters({ writes: 'plain' } as never), load(few)],
  ['each moment has rows of its own', table({ name: text(), at: timestamp('ms'), ...value }, ['name', 'at']), load({ ...few, distinct: { name: 10, at: 10 } })], // prettier-ignore
  ['each minute has rows of its own', table({ name: text(), minute: uint32(), ...value }, ['name', 'minute']), load(few)],
  ['the store is Lindorm', counters(), { ...load(few), ...lindorm }],
  ['the store is HBase with the profile of Lindorm', counters(), { ...load(few), ...hbase, storeOptions: { profile: 'lindorm' } }],
  ['the store is Cassandra', counters(), { ...load(few), ...cassandra }],
  ['the store is DynamoDB', counters(), { ...load(few), ...dynamodb }],
  ['the store is Redis', counters(), { ...load(few), ...redis }],
] as const)('nothing is found if %s', (_, schema, options) => {
  expect(judged(schema, options)).toBeUndefined()
})

test('a window of time ends what a row was', () => {
  const evidence = (window: Definition['columns'], name: string): string | undefined =>
    judged(table({ name: text(), ...window, ...value }, ['name', name]), load(few))?.evidence
  expect(evidence({ day: date() }, 'day')).toContain('x 24 hours = 86,400 former values')
  expect(evidence({ hour: uint32() }, 'hour')).toBeUndefined()
  expect(evidence({ month: uint32() }, 'month')).toContain('x 7 days = 604,800 former values')
})
