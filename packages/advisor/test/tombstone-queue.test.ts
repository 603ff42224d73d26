import { bucket, date, desc, text, timestamp, uint32, uuid, type TableSchema } from 'rowkey'
import { expect, test } from 'vitest'
import type { Finding, AdviceOptions, QueryShape } from '../src/index.js'
import { cassandra, hbase } from './cases.js'
import { found, scattered, statsOf, table, type Definition } from './judging.js'

// tombstone-queue: which scans meet the marks of deleted rows, and how many.

const at = timestamp('ms')
const queue = table({ queue: text(), seq: uint32() }, ['seq'], { partition: ['queue'] })
const scan = (more: Partial<QueryShape> = {}): readonly QueryShape[] => [{ table: 'rows', where: { queue: '=' }, ...more }]
const writes = [{ table: 'rows', perSecond: { inserts: 10, deletes: 10 }, distinct: { queue: 4 }, skew: 0 }]
const judged = (schema: TableSchema, options: AdviceOptions): Finding | undefined =>
  found(schema, 'tombstone-queue', { ...cassandra, writes, ...options })

test('numbers of several queues, interleaved, still are queues', () => {
  const schema = table({ queue: text(), seq: uint32() }, ['seq'], { partition: ['queue'] })
  const sample = statsOf(schema, (i) => ({ queue: `q${scattered(i) % 5}`, seq: Math.floor(i / 5) + (scattered(i) % 5) * 1000 }))
  const options: AdviceOptions = { ...cassandra, stats: sample, writes: [{ table: 'rows', perSecond: { inserts: 10, deletes: 10 } }], queries: [{ table: 'rows', where: { queue: '=' } }] } // prettier-ignore
  expect(found(schema, 'tombstone-queue', options)).toBeDefined()
})

test('marks of deleted rows are those of one partition', () => {
  const inbox = (partition: Definition['columns'], distinct: number): string | undefined =>
    found(table({ ...partition, seq: uint32() }, ['seq'], { partition: Object.keys(partition) }), 'tombstone-queue', {
      ...cassandra,
      writes: [{ table: 'rows', perSecond: { inserts: 100, deletes: 100 }, distinct: { inbox: distinct }, skew: 0 }],
    })?.evidence
  expect(inbox({ inbox: text() }, 1_000_000)).toBeUndefined()
  expect(inbox({ inbox: text() }, 10)).toBe(
    "10 deletes a second for the busiest 'inbox' x 10 days = 8,640,000 marks; the server refuses to read over 100,000",
  )
  expect(inbox({ inbox: text(), day: date() }, 10)).toContain('x 1 day = 864,000 marks')
})

test('deletes that are few make no queue', () => {
  const schema = table({ queue: text(), seq: uint32() }, ['seq'], { partition: ['queue'] })
  const writes = (deletes: number): AdviceOptions => ({ ...cassandra, writes: [{ table: 'rows', perSecond: { inserts: 100, deletes } }] })
  expect(found(schema, 'tombstone-queue', writes(49))).toBeUndefined()
  expect(found(schema, 'tombstone-queue', writes(50))).toBeDefined()
})

test('tombstone-queue: HBase keeps marks for a week', () => {
  const schema = table({ seq: uint32() }, ['seq'])
  const writes = [{ table: 'rows', perSecond: { inserts: 1, deletes: 1 } }]
  expect(found(schema, 'tombstone-queue', { ...hbase, writes })?.evidence).toMatch(/^1 deletes a second x 7 days = 604,800 marks/)
})

test.each([
  ['from the start', scan(), 'warning'],
  ['oldest first, some of them', scan({ order: { seq: 'asc' }, limit: 10 }), 'warning'],
  ['up to now', scan({ where: { queue: '=', seq: 'lt' } }), 'warning'],
  ['newest first, all of them', scan({ order: { seq: 'desc' } }), 'warning'],
  ['newest first, some of them', scan({ order: { seq: 'desc' }, limit: 10 }), undefined],
  ['after the last one', scan({ where: { queue: '=', seq: 'gte' } }), undefined],
  ['one way that meets marks is enough', [...scan({ where: { queue: '=', seq: 'gte' } }), ...scan({ limit: 1 })], 'warning'],
  ['by key only', scan({ where: { queue: '=', seq: '=' } }), undefined],
  ['in a way that nobody told', [], 'info'],
] as const)('a queue that is read %s', (_, queries, severity) => {
  expect(judged(queue, { queries })?.severity).toBe(severity)
})

test('a table that is stored newest first is read newest first', () => {
  const feed = table({ queue: text(), at: desc(at) }, ['at'], { partition: ['queue'] })
  expect(judged(feed, { queries: scan({ limit: 10 }) })).toBeUndefined()
  expect(judged(feed, { queries: scan({ limit: 10, order: { at: 'asc' } }) })?.severity).toBe('warning')
})

test('nobody knows how many marks one queue has if nobody knows how many queues there are', () => {
  const finding = judged(queue, { queries: scan(), writes: [{ table: 'rows', perSecond: { inserts: 10, deletes: 10 } }] })
  expect([finding?.severity, finding?.evidence]).toEqual([
    'info',
    "10 deletes a second x 10 days = 8,640,000 marks if all are for one 'queue'; the server refuses to read over 100,000",
  ])
  // One queue is the whole table.
  const only = table({ seq: uint32() }, ['seq'])
  const own = [{ table: 'rows', perSecond: { inserts: 10, deletes: 10 } }]
  expect(judged(only, { writes: own, queries: [{ table: 'rows', where: {}, limit: 1 }] })?.severity).toBe(undefined) // a full scan is refused
  expect(judged(only, { ...hbase, writes: own, queries: [{ table: 'rows', where: { seq: 'lt' }, limit: 1 }] })?.severity).toBe('warning')
})

test('under a salt each bucket has a part of the marks, and a salt of the queue has all of one queue', () => {
  const marks = (more: Partial<Definition>): string | undefined =>
    judged(table({ queue: text(), seq: uint32() }, ['seq'], { partition: ['queue'], ...more }), { queries: scan() })?.evidence
  expect(marks({})).toMatch(/^2.5 deletes a second for the busiest 'queue' x 10 days = 2,160,000 marks;/)
  expect(marks({ salt: bucket({ of: 'seq', count: 16 }) })).toMatch(/ x 10 days \/ 16 buckets = 135,000 marks;/)
  expect(marks({ salt: bucket({ of: 'queue', count: 16 }) })).toMatch(/ x 10 days = 2,160,000 marks;/)
})

test('where keys are in order, a queue is what has the same values before its time', () => {
  const inbox = table({ user: text(), at, id: uuid() }, ['user', 'at', 'id'])
  const queries: readonly QueryShape[] = [{ table: 'rows', where: { user: '=' }, limit: 20 }]
  const ofUsers = (distinct: number): Finding | undefined =>
    judged(inbox, {
      ...hbase,
      queries,
      writes: [{ table: 'rows', perSecond: { inserts: 10, deletes: 10 }, distinct: { user: distinct }, skew: 0 }],
    })
  expect(ofUsers(100_000)).toBeUndefined()
  expect(ofUsers(10)?.evidence).toMatch(/^1 deletes a second for the busiest 'user' x 7 days = 604,800 marks/)
})
