// The rules about a read (packages/rowkey/src/store/advice): each finds its bad case, and nothing in its good one.
import { bucket, desc, fixedText, int32, separatedText, text, uint32 } from '#codec'
import { defineTable, type TableSchema } from '#model'
import { compileQuery, explain, type Finding, type QueryOptions, type ReadCode } from '#store'
import { expect, test } from 'vitest'

const columns = { host: text(), event: text(), at: desc(uint32()), size: int32(), level: int32() }
const Events = defineTable('events', { columns, key: ['host', 'event', 'at'], salt: bucket({ of: ['host', 'event'], count: 16 }) })
const Plain = defineTable('plain', { columns, key: ['host', 'event', 'at'] })
const Times = defineTable('times', { columns: { n: uint32(), m: desc(uint32()) }, key: ['n', 'm'] })
const Split = defineTable('split', {
  columns: { host: text(), user: separatedText('_', { split: 'last' }), day: fixedText(2), size: int32() },
  key: ['host', 'user', 'day'],
})
const Parted = defineTable('parted', { columns, partition: ['host'], key: ['event', 'at'] })

type Ask = readonly [schema: TableSchema, where: object, options?: QueryOptions]
const ask = ([schema, where, options]: Ask): readonly Finding<ReadCode>[] =>
  explain(compileQuery(schema, where as Record<string, unknown>, options)).warnings

const one = { host: 'a', event: 'x' }
const rules: Readonly<
  Record<
    Exclude<ReadCode, 'modulo-seconds' | 'merged-periods'>,
    { bad: Ask; finds: readonly Omit<Finding, 'code'>[]; good: readonly Ask[] }
  >
> = {
  'full-scan': {
    bad: [Plain, {}, { unbounded: true }],
    finds: [
      {
        severity: 'warning',
        column: 'host',
        message: "It reads the whole table 'plain'.",
        fix: "Give 'host', the first key column, a value or a range.",
      },
    ],
    good: [[Plain, { host: { gte: 'a', lt: 'b' } }, { unbounded: true }]],
  },
  'fan-out': {
    bad: [Events, { host: 'a' }],
    finds: [
      {
        severity: 'info',
        column: 'event',
        message: "It reads 16 of 16 buckets, because the salt needs 'event', which the query does not bind with = or in.",
      },
    ],
    good: [
      [Events, one],
      [Events, { host: { in: ['a', 'b', 'c'] }, event: 'x' }],
      [Plain, { host: 'a' }],
      [Events, {}, { unbounded: true }],
    ],
  },
  'split-text': {
    bad: [Split, { host: 'a', user: 'bob', day: { gte: '01' } }],
    finds: [
      {
        severity: 'info',
        column: 'user',
        message:
          `'user' ends at its last "_", and its values may contain others: a scan of one value also reads the rows of values that continue it with "_", ` +
          `and drops them. From 'user' on, keys have the order of their bytes.`,
      },
    ],
    // A whole key is one key, and without a value of the column nothing is dropped because of it.
    good: [
      [Split, { host: 'a', user: 'bob', day: '01' }],
      [Split, { host: 'a' }],
      [Split, { host: { in: ['a', 'b'] } }],
    ],
  },
  reverse: {
    bad: [Plain, one, { order: 'reverse' }],
    finds: [
      {
        severity: 'info',
        column: 'at',
        message: 'It reads against the stored order, which is slower in many stores.',
        fix: "If most queries need this order, declare 'at' without desc().",
      },
    ],
    good: [
      [Plain, one],
      [Plain, { ...one, at: 1 }, { order: 'reverse' }],
      [Plain, { host: { in: [] } }, { order: 'reverse' }],
    ],
  },
  hull: {
    bad: [Plain, { host: { in: ['a', 'b', 'c'] }, event: 'x' }, { maxRanges: 2 }],
    finds: [
      {
        severity: 'warning',
        column: 'host',
        message: 'host in ("a", "b", "c") makes more ranges than maxRanges, so everything between its lowest and highest value is read.',
        fix: 'Request fewer values in one query, or raise maxRanges.',
      },
    ],
    good: [
      [Plain, { host: { in: ['a', 'b', 'c'] }, event: 'x' }, { maxRanges: 3 }],
      [Plain, { host: 'a', size: { in: [1, 2, 3] } }],
    ],
  },
  filter: {
    bad: [Plain, { host: 'a', size: { gt: 3 } }],
    finds: [
      {
        severity: 'warning',
        column: 'size',
        message: 'size > 3 is checked after reading, so the scan may examine many more rows than it returns.',
      },
    ],
    good: [
      [Plain, { host: 'a', event: { gt: 'x' } }],
      [Plain, { host: { in: [] }, size: 3 }],
    ],
  },
  'open-range': {
    bad: [Times, { n: { gte: 5 } }],
    finds: [
      {
        severity: 'warning',
        column: 'n',
        message: "'n' has no upper limit, so it reads to the end of the table.",
        fix: 'Give it one, or a limit of rows.',
      },
    ],
    good: [
      [Times, { n: { gte: 5, lt: 9 } }],
      [Times, { n: { gte: 5 } }, { to: { n: 9 } }],
      [Times, { n: 5, m: { gt: 1 } }],
      [Parted, { host: 'a', event: { gte: 'x' } }],
    ],
  },
}

test.each(Object.entries(rules))('%s is found where it is, with its severity, its column and its fix', (code, { bad, finds, good }) => {
  const found = (given: Ask): readonly Finding[] => ask(given).filter((finding) => finding.code === code)
  expect(found(bad)).toEqual(finds.map((finding) => ({ code, ...finding })))
  for (const each of good) expect(found(each), JSON.stringify(each.slice(1))).toEqual([])
})

test('a finding about several columns names none, and its text is in the text of the explanation', () => {
  expect(ask([Plain, { host: 'a', size: 1, level: 2 }])).toEqual([
    {
      code: 'filter',
      severity: 'warning',
      message: 'level = 2 and size = 1 is checked after reading, so the scan may examine many more rows than it returns.',
    },
  ])
  expect(ask([Events, { host: { gte: 'a', lt: 'b' } }])).toMatchObject([
    { code: 'fan-out', message: expect.stringContaining("'host', 'event'") as string },
  ])
  expect(ask([Events, { host: { gte: 'a', lt: 'b' } }])[0]).not.toHaveProperty('column')
  expect(explain(compileQuery(Times, { n: { gte: 5 } })).text).toContain(
    "\n! 'n' has no upper limit, so it reads to the end of the table. Give it one, or a limit of rows.",
  )
})

test('what a split column costs is said once: not as a filter, nor as too many ranges', () => {
  const codes = (...given: Ask): readonly string[] => ask(given).map(({ code }) => code)
  expect(codes(Split, { host: 'a', user: 'bob' })).toEqual(['split-text'])
  expect(codes(Split, { host: 'a', user: { in: ['bob', 'bob_7'] }, day: { in: ['01', '02'] } }, { maxRanges: 1 })).toEqual([
    'filter',
    'split-text',
  ])
  expect(codes(Split, { host: 'a', user: 'bob', size: 1 })).toEqual(['filter', 'split-text'])
})

test('a reverse read names the first column that orders its rows: not one with a single value, and no partition column', () => {
  const fixOf = (...given: Ask): unknown => ask(given).find(({ code }) => code === 'reverse')?.fix
  expect(fixOf(Plain, { host: 'a' }, { order: 'reverse' })).toBe("If most queries need this order, declare 'event' with desc().")
  expect(fixOf(Parted, { host: { in: ['a', 'b'] } }, { order: 'reverse' })).toBe(
    "If most queries need this order, declare 'event' with desc().",
  )
  expect(ask([Parted, { host: { in: ['a', 'b'] }, event: 'x', at: 1 }, { order: 'reverse' }])).toEqual([
    { code: 'reverse', severity: 'info', message: 'It reads against the stored order, which is slower in many stores.' },
  ])
})
