import { bucket, defineTable, dictionary, hashPrefix, text, timestamp, uuid } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, type AdviceOptions } from '../src/index.js'
import { cassandra } from './cases.js'

const at = timestamp('ms')
const Events = defineTable('events', { columns: { at, host: text(), event: text() }, key: ['at', 'host', 'event'] })
const Items = defineTable('items', { columns: { id: uuid(), name: text() }, key: ['id'] })

const codes = (options?: AdviceOptions, schemas = [Events, Items]): readonly string[] =>
  advise(schemas, options).findings.map(({ table, code, severity }) => `${table} ${severity} ${code}`)

test('errors come first, then warnings, then the rest', () => {
  const queries: AdviceOptions['queries'] = [
    { table: 'events', where: { host: '=' } },
    { table: 'events', where: { at: ['gte', 'lt'] }, order: { at: 'desc' }, perSecond: 10 },
  ]
  expect(codes({ queries })).toEqual(['events error full-scan', 'events warning monotonic-first', 'events warning reverse'])
})

test('more than a thousand new rows a second make an error of a key that counts up', () => {
  expect(codes({ writes: [{ table: 'events', perSecond: { inserts: 1000 } }] })).toEqual(['events warning monotonic-first'])
  expect(codes({ writes: [{ table: 'events', perSecond: { inserts: 1001 } }] })).toEqual(['events error monotonic-first'])
  // Only new rows go to the end.
  expect(codes({ writes: [{ table: 'events', perSecond: { inserts: 900, updates: 5000, deletes: 900 } }] })).toEqual([
    'events warning monotonic-first',
  ])
})

test('advice is JSON, and the same each time', () => {
  const options: AdviceOptions = {
    queries: [{ table: 'events', where: { at: 'gte' }, perSecond: 3 }],
    writes: [{ table: 'events', perSecond: { inserts: 5000 } }],
  }
  const advice = advise([Events, Items], options)
  expect(JSON.parse(JSON.stringify(advice))).toEqual(advice)
  expect(advise([Events, Items], options)).toEqual(advice)
})

test.each(['queries', 'writes', 'stats'] as const)('INVALID_OPTION: %s of a table that is not among the schemas', (option) => {
  const given = { [option]: [{ table: 'evnets', where: {} }] } as AdviceOptions
  expect(() => advise([Events], given)).toThrow(
    /INVALID_OPTION: \w+ name the table "evnets", which is not among the models. Did you mean "events"\? Give one of: events./,
  )
})

test.each([
  [
    { queries: [{ table: 'events', where: { at: 'between' } }] },
    "where.at is \"between\". Give '=', 'gt', 'gte', 'lt', 'lte', 'startsWith', 'isNull', two ends such as ['gte', 'lt'], or { in: how many values }.",
  ],
  [{ queries: [{ table: 'events', where: { at: { in: 0 } } }] }, 'where.at'],
  [{ queries: [{ table: 'events', where: { at: { in: 1e9 } } }] }, 'where.at'],
  [{ queries: [{ table: 'events', where: null }] }, 'where is null'],
  [{ queries: [{ table: 'events', where: {}, perSecond: NaN }] }, 'perSecond is NaN. Give a number from 0.'],
  [{ queries: [{ table: 'events', where: {}, perSecond: -1 }] }, 'perSecond is -1'],
  [{ queries: [{ table: 'events', where: {}, limit: 0 }] }, 'limit is 0. Give a whole number from 1.'],
  [{ queries: 'events' }, 'queries is "events". Give a list.'],
  [{ queries: [null] }, 'queries name the table undefined'],
  [{ writes: [{ table: 'events', perSecond: { inserts: Infinity } }] }, 'inserts is Infinity'],
  [{ writes: [{ table: 'events', distinct: { at: 0 } }] }, 'distinct.at is 0'],
  [{ writes: [{ table: 'events' }, { table: 'events' }] }, "writes has 'events' twice"],
  [{ store: 'mongodb' }, 'store is "mongodb". Give '],
  [{ store: 'kudu', servers: 0 }, 'servers is 0'],
])('INVALID_OPTION: %j', (options, message) => {
  expect(() => advise([Events], options as never)).toThrow(message)
  expect(() => advise([Events], options as never)).toThrow('INVALID_OPTION')
})

test.each([
  { existing: null },
  { existing: [null] },
  { ignore: 'x' },
  { ignore: [null] },
  { store: null },
  { queries: [{ table: 'events', where: {}, order: null }] },
  { writes: [{ table: 'events', distinct: null }] },
  { stats: [{ table: 'events' }] },
])('INVALID_OPTION for what has no form: %j', (options) => {
  expect(() => advise([Events], options as never)).toThrow(
    /^INVALID_OPTION: .*Give (?:a list|an object|a text|what defineTable\(\) or schemaFromJSON\(\) returns, or a decorated class|.*the description of a store, which its adapter exports)\.$/,
  )
})

test('INVALID_OPTION: a table twice', () => {
  expect(() => advise([Events, Events])).toThrow("INVALID_OPTION: two models have the name 'events'. Give each table once.")
})

test('what is ignored is told with its reason, and counts no more', () => {
  const reason = 'one writer, ten rows a second'
  const { findings, ignored } = advise([Events], { ignore: [{ code: 'monotonic-first', table: 'events', column: 'at', reason }] })
  expect(findings).toEqual([])
  expect(ignored).toMatchObject([{ code: 'monotonic-first', severity: 'warning', reason }])
})

test('a model ignores by code, in its hints', () => {
  const Quiet = defineTable('quiet', {
    columns: { at, host: text() },
    key: ['at', 'host'],
    stores: { advisor: { ignore: { 'monotonic-first': 'ten rows a day' } } },
  })
  expect(advise([Quiet, Events])).toMatchObject({
    findings: [{ table: 'events', code: 'monotonic-first' }],
    ignored: [{ table: 'quiet', reason: 'ten rows a day' }],
  })
})

test('what ignores nothing is a finding itself', () => {
  expect(advise([Items], { ignore: [{ code: 'monotonic-first', reason: 'was so' }] }).findings).toMatchObject([
    { code: 'unused-ignore', severity: 'info', table: '*' },
  ])
})

test.each([
  [{ code: 'monotonic-first', reason: '' }, /monotonic-first" has the reason ""/],
  [{ code: 'monotonic-first', reason: '  ' }, /Say why/],
  [{ code: 'monotonic-first' }, /Say why/],
])('INVALID_OPTION: to ignore without a reason: %o', (ignore, message) => {
  expect(() => advise([Events], { ignore: [ignore as never] })).toThrow(message)
})

test.each([true, { ignore: [] }, { ignore: { 'monotonic-first': 1 } }, {}])(
  'INVALID_OPTION: stores.advisor of a model is %o',
  (advisor) => {
    const Odd = defineTable('odd', { columns: { id: uuid() }, key: ['id'], stores: { advisor } })
    expect(() => advise([Odd])).toThrow('INVALID_OPTION')
  },
)

test('advise() reads and changes nothing: the schemas stay frozen and the same', () => {
  const before = JSON.stringify([Events.toJSON(), Items.toJSON()])
  advise([Events, Items], { queries: [{ table: 'events', where: { host: '=' } }] })
  expect(JSON.stringify([Events.toJSON(), Items.toJSON()])).toBe(before)
})

test('a fix is a schema like any other, and fixes can follow one another', () => {
  const [finding] = advise([Events]).findings
  const fixed = applyFix(Events, finding as never)
  expect(fixed.salt).toMatchObject([{ kind: 'hash', of: ['host', 'event'], count: 16 }])
  expect(fixed.toJSON()).toEqual(
    defineTable('events', {
      columns: { at, host: text(), event: text() },
      key: ['at', 'host', 'event'],
      salt: bucket({ of: ['host', 'event'], count: 16 }),
    }).toJSON(),
  )
  expect(advise([fixed]).findings).toEqual([])
})

test('a column that every query binds comes first: queries decide, and it spreads the writes as well', () => {
  const queries: AdviceOptions['queries'] = [{ table: 'events', where: { at: ['gte', 'lt'], host: '=' } }]
  const [finding] = advise([Events], { queries }).findings
  expect(finding?.fix).toBe("Every query has a value for 'host', so put it first: key: ['host', 'at', 'event'].")
  expect(advise([applyFix(Events, finding as never)], { queries }).findings.map(({ code }) => code)).toEqual([])
  const hashed = advise([Events], { queries, ...cassandra }).findings.find(({ code }) => code === 'one-partition')
  expect(hashed?.fix).toBe("Every query has a value for 'host', so make it the partition: partition: ['host'], key: ['at', 'event'].")
})

test('a fix that would make queries fail is not given, and the finding says what it would bring', () => {
  const Prefixed = defineTable('rows', {
    columns: { kind: dictionary({ a: '1', b: '2' }), id: uuid() },
    key: ['kind', 'id'],
    salt: hashPrefix({ of: 'kind' }),
  })
  const withoutQueries = advise([Prefixed]).findings.find(({ code }) => code === 'few-valued-salt')
  expect(withoutQueries?.change).toBeDefined()
  const [finding] = advise([Prefixed], { queries: [{ table: 'rows', where: { kind: '=' } }] }).findings.filter(
    ({ code }) => code === 'few-valued-salt',
  )
  expect(finding?.change).toBeUndefined()
  expect(finding?.fix).toMatch(/ That alone would bring hash-prefix-range, so decide which of them matters more\.$/)
})

test('applyFix() refuses a finding without a change, and one of another table', () => {
  const [finding] = advise([Events]).findings
  expect(() => applyFix(Items, finding as never)).toThrow("the finding 'monotonic-first' is about 'events', not 'items'")
  expect(() => applyFix(Items, { code: 'filter', table: 'items' })).toThrow(
    "the finding 'filter' has no change that can be applied: see its fix",
  )
})
