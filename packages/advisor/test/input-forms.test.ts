import { isPlainObject } from 'rowkey/internal'
import { int64, isRowkeyError, text, timestamp, uuid } from 'rowkey'
import { expect, test } from 'vitest'
import { knownStores, type StoreDescription } from 'rowkey/adapter'
import { isShort } from '@rowkey/servers/scale'
import { advise, sampleStats, type AdviceOptions } from '../src/index.js'
import { cassandra, dynamodb, hbase, kudu, redis, type Placed } from './cases.js'
import { statsOf, table } from './judging.js'

const Rows = table({ host: text(), at: timestamp('ms'), n: int64(), id: uuid() }, ['host', 'at', 'n'])
const row = (i: number) => ({ host: `web-${i % 7}`, at: new Date(i), n: BigInt(i), id: '018f3a5e-7d21-7c4a-9b12-000000000000' })
const [stats] = statsOf(Rows, row, 200, { order: 'written', total: 9000 })

/** Everything that there is, with a description or with what is of Kudu. */
const complete = (placed: Placed): AdviceOptions => ({
  queries: [
    {
      table: 'rows',
      where: { host: '=', at: ['gte', 'lt'], n: { in: 3 } },
      order: { at: 'desc', n: 'desc' },
      limit: 10,
      size: 5,
      consistency: 'eventual',
      perSecond: 5,
    },
  ],
  writes: [{ table: 'rows', perSecond: { inserts: 2000, updates: 5, deletes: 5 }, skew: 1, distinct: { host: 500 } }],
  stats: stats === undefined ? [] : [stats],
  ...placed,
  existing: [Rows],
  ignore: [{ code: 'monotonic-first', table: 'rows', column: 'at', reason: 'why' }],
})
const inputs: readonly AdviceOptions[] = [
  complete({ store: 'kudu', servers: 4, kudu: { replicas: 3, ranges: { rows: { column: 'at', bounds: [[0, '5'], ['5', null]] } }, encodings: { rows: { host: 'prefix', id: 'plain' } } } }), // prettier-ignore
  complete({ ...hbase, storeOptions: { profile: 'lindorm', namespace: 'x' } }),
  complete({ ...dynamodb, storeOptions: { nativeTtl: true } }),
]

type Path = readonly (string | number)[]

/** Where something is in the input. What was made by code, a schema or a description, is one thing. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  const isWhole = path[0] === 'existing' ? path.length > 1 : path[0] === 'store'
  if (typeof value !== 'object' || value === null || isWhole) return [path]
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, Array.isArray(value) ? Number(key) : key]))]
}

/** The input with something else at a place; `change` returns the entries that take the place of one. */
function changed(
  value: unknown,
  [key, ...rest]: Path,
  change: (name: string, value: unknown) => readonly (readonly [string, unknown])[],
): unknown {
  const at = (each: unknown) => changed(each, rest, change)
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, i) =>
      i !== key ? [each] : rest.length > 0 ? [at(each)] : change('', each).map(([, other]) => other),
    )
  }
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, each]) => {
      if (name !== key) return [[name, each] as const]
      return rest.length > 0 ? [[name, at(each)] as const] : change(name, each)
    }),
  )
}

/** `advice`, or the code of what is thrown. */
function told(options: unknown): string {
  try {
    const advice = advise([Rows], options as AdviceOptions)
    expect(JSON.stringify(advice)).not.toMatch(/undefined|NaN|\[object/)
    return 'advice'
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    expect(error.message).toMatch(
      /(?:Give|Did you mean|which does not exist|The (?:only )?options? (?:is|are)|Say why|Compute them again|Put @Table)/,
    )
    return error.code
  }
}
const named = (path: Path): string => path.join('.')

test('the inputs are right, and the part of each is looked at', () => {
  expect(inputs.map(told)).toEqual(['advice', 'advice', 'advice'])
  expect(inputs.flatMap((input) => pathsIn(input)).length).toBeGreaterThan(200)
})

/** Fields without which there is no answer. */
const required =
  /^(?:queries\.0\.(?:table|where|where\.at\.\d|where\.n\.in)|writes\.0\.table|stats\.0\.(?!total$|order$|drawn$|columns\.\w+$|columns\.\w+\.(?:commonPrefix|integers|values(?:\.\d+)?)$).+|store|kudu\.ranges\.rows\.(?:column|bounds|bounds\.\d\.\d)|ignore\.0\.(?:code|reason))$/
test('a field that is missing is refused if there is no answer without it', () => {
  for (const input of inputs) {
    const paths = pathsIn(input).slice(1)
    const refused = paths.filter((path) => told(changed(input, path, () => [])) !== 'advice')
    expect(refused.map(named)).toEqual(paths.map(named).filter((path) => required.test(path)))
  }
})

test('a field that is misspelt is refused', () => {
  for (const input of inputs) {
    for (const path of pathsIn(input).filter((each) => typeof each.at(-1) === 'string')) {
      expect(`${named(path)}: ${told(changed(input, path, (name, value) => [[`${name}z`, value]]))}`).toBe(`${named(path)}: INVALID_OPTION`)
    }
  }
})

const others: readonly unknown[] = [
  null,
  'zzz',
  '',
  '10',
  -1,
  NaN,
  Infinity,
  1n,
  true,
  {},
  [],
  new Map(),
  [null],
  { a: 1 },
  () => 1,
  Symbol('s'),
  new Date(0),
]
/** What takes any text, an empty list or an empty object. */
const takesMany =
  /^(?:stats\.0\.(?:layout|columns\.host\.(?:commonPrefix|values.*))|ignore\.0\.(?:code|table|column|reason)|kudu\.ranges\.rows\.bounds.*|storeOptions\..*)$/
test('a value of another type is refused at every place, also in place of the whole', () => {
  const taken: string[] = []
  let turn = 0
  for (const input of inputs) {
    for (const path of pathsIn(input)) {
      for (const other of others) {
        if (isShort && turn++ % 5 !== 0) continue
        const code = path.length === 0 ? told(other) : told(changed(input, path, (name) => [[name, other]]))
        const isEmpty = isPlainObject(other) ? Object.keys(other).length === 0 : Array.isArray(other) && other.length === 0
        if (other === '' && named(path) === 'stats.0.drawn') continue // a sample without rows
        if (code === 'advice' && !isEmpty && !takesMany.test(named(path))) taken.push(`${named(path)} ${String(other)}`)
      }
    }
  }
  expect(taken).toEqual([])
})

test.each(['order.at', 'store', 'kudu.encodings.rows.host', 'stats.order'])('%s: a misspelt name is told with the nearest', (which) => {
  const [input] = inputs
  const place: Path = { 'order.at': ['queries', 0, 'order', 'at'], 'stats.order': ['stats', 0, 'order'] }[which] ?? which.split('.')
  let right: unknown
  const wrong = changed(input, place, (name, value) => [[name, `${String((right = value))}n`]])
  expect(() => advise([Rows], wrong as never)).toThrow(`Did you mean "${String(right)}"?`)
})

test('ranges are of a column that exists', () => {
  const ranges = { rows: { column: 'hots', bounds: [] } }
  expect(() => advise([Rows], { ...kudu, kudu: { ranges } })).toThrow('ranges.rows.column is "hots". Did you mean "host"?')
})

test('the names of the options are those of the adapters', () => {
  for (const { store } of [cassandra, dynamodb, hbase, kudu, redis]) {
    let said = ''
    try {
      ;(store as StoreDescription).ddl?.(Rows, { zzz: 1 })
    } catch (error) {
      said = (error as Error).message
    }
    const list = said.slice(said.search(/The (only )?option/))
    const names = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(0)
    for (const own of [store, (store as StoreDescription).name]) {
      expect(() => advise([Rows], { store: own as StoreDescription, storeOptions: { zzz: 1 } })).toThrow(`There are: ${names.join(', ')}.`)
    }
  }
})

test('an option of the store that has another value is refused, and so is what is about no store', () => {
  const refusal = (options: object) => () => advise(Rows, options)
  expect(refusal({ ...dynamodb, storeOptions: { nativeTtl: 'yes' } })).toThrow('INVALID_OPTION')
  expect(refusal({ servers: 6 })).toThrow('INVALID_OPTION: servers is 6, but there is no store. Give store too.')
  expect(refusal({ storeOptions: {} })).toThrow('INVALID_OPTION: storeOptions is an object, but there is no store. Give store too.')
  expect(refusal({ ...redis, kudu: {} })).toThrow(
    'INVALID_OPTION: kudu is given, but the store is "redis". Give store: \'kudu\', or leave kudu out.',
  )
})

test.each([
  ['at', 'range'],
  ['at', 'from'],
  ['at', 'eq'],
  ['at', ['lt', 'gte']],
  ['at', ['gte']],
  ['at', ['gt', 'gte']],
  ['at', ['gte', 'lt', 'lte']],
])('INVALID_OPTION: no condition of scan: %s %j', (column, condition) => {
  expect(() => advise(Rows, { queries: [{ table: 'rows', where: { [column]: condition as never } }] })).toThrow(
    /where\.at is .*Give '=', 'gt', 'gte', 'lt', 'lte', 'startsWith', 'isNull', two ends such as \['gte', 'lt'\], or \{ in: how many values \}\./,
  )
})

test.each([
  [{ gte: new Date(0), lt: new Date(1) }, "Give ['gte', 'lt']"],
  [{ lte: 5, gt: 1 }, "Give ['gt', 'lte']"],
  [{ gt: 5 }, "Give 'gt'"],
  [{ startsWith: 'a' }, "Give 'startsWith'"],
  [{ isNull: true }, "Give 'isNull'"],
  [{ in: ['a', 'b'] }, 'Give { in: 2 }'],
])('a condition with values is told without them: %j', (condition, message) => {
  expect(() => advise(Rows, { queries: [{ table: 'rows', where: { at: condition as never } }] })).toThrow(
    `INVALID_OPTION: a query on 'rows': where.at is an object. ${message}: conditions are without values here.`,
  )
})

test.each([
  [
    '{ "writes": [{ "table": "rows", "inserts": 5 }] }',
    /the field "inserts", which does not exist.*There are: table, perSecond, skew, distinct/,
  ],
  ['{ "before": [] }', /the option "before", which does not exist.*There are: .*existing/],
  ['{ "store": { "name": "redis" } }', /store is an object\. Give 'cassandra', .*or the description of a store/],
  ['{ "queries": [{ "table": "rows", "where": {}, "order": "revers" }] }', /order is "revers"\. Did you mean "reverse"\?/],
])('the refusal of an earlier or misspelt word shows the right one: %s', (options, message) => {
  expect(() => advise(Rows, JSON.parse(options) as never)).toThrow(message)
})

test('the statistics of no row, and those that went through JSON, are taken', () => {
  for (const store of Object.keys(knownStores)) {
    for (const each of [sampleStats(Rows, []), JSON.parse(JSON.stringify(stats)) as never]) {
      expect(told({ stats: [each], store })).toBe('advice')
    }
  }
})

test('models are models', () => {
  for (const models of [null, undefined, {}, [null], [{ name: 'rows' }], 'rows']) {
    expect(() => advise(models as never)).toThrow(/^INVALID_OPTION: advise\(\): models is .* Give /)
  }
  class Plain {}
  for (const given of [Plain, [Plain]]) expect(() => advise(given as never)).toThrow('NOT_A_TABLE')
  expect(() => advise(Rows, { existing: Plain as never })).toThrow('NOT_A_TABLE')
})

test('rows of a sample are objects, in a list', () => {
  for (const rows of [null, 5, {}]) expect(() => sampleStats(Rows, rows as never)).toThrow(/^INVALID_OPTION: the rows of a sample are /)
  expect(() => sampleStats(Rows, [row(0), null] as never)).toThrow('INVALID_OPTION: row 2 of the sample is null. Give an object')
  for (const options of [null, 5, 'x']) expect(() => sampleStats(Rows, [], options as never)).toThrow('INVALID_OPTION')
})
