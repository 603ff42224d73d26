import { bucket, json, nullable, reversed, text, timestamp, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, type Finding, type QueryShape } from '../src/index.js'
import { hbase } from './cases.js'
import { found, statsOf, table } from './judging.js'

// A fix answers what was wrong with the query.

const at = timestamp('ms')
const rows = table({ a: text(), n: uint32(), r: reversed(text()), at, note: nullable(text()), tags: json() }, ['a', 'n', 'r', 'at'])
const refusal = (where: QueryShape['where'], more: Partial<QueryShape> = {}): Finding =>
  found(rows, 'refused-query', { queries: [{ table: 'rows', where, ...more }] }) as Finding

test.each<[QueryShape['where'], string, string]>([
  [{ a: '=', n: 'startsWith' }, 'n', "'n' is not a text: ask for a range of it, ['gte', 'lt']."],
  [{ a: 'isNull' }, 'a', "'a' is never null: leave the condition out, or declare it as nullable."],
  [{ a: '=', tags: 'gte' }, 'tags', "Keep what the query looks for of 'tags' in a column of its own as well, and ask for that."],
  [
    { a: '=', n: '=', r: 'gte' },
    'r',
    "Ask for values of 'r' by = or in, or declare it as a type that has the order of its values, text().",
  ],
])('the query %j', (where, column, fix) => {
  expect(refusal(where)).toMatchObject({ column, fix })
})

test('a text that is stored in another order is declared as one that has it', () => {
  const where = { a: '=', n: '=', r: 'startsWith' } as const
  const finding = refusal(where)
  expect(finding.change?.types).toMatchObject({ r: { kind: 'text' } })
  expect(advise(applyFix(rows, finding), { queries: [{ table: 'rows', where }] }).findings.map(({ code }) => code)).not.toContain(
    'refused-query',
  )
})

test('an order gets an index', () => {
  expect(refusal({ a: '=' }, { order: { at: 'asc' } }).fix).toContain("indexes: { byAAt: { partition: ['a'], key: ['at'] } }")
})

const salted = (of: readonly string[], count: number) =>
  table({ host: text(), at, id: text() }, ['host', 'at', 'id'], { salt: bucket({ of, count }) })
const ofHost: QueryShape = { table: 'rows', where: { host: '=', at: ['gte', 'lt'] }, perSecond: 1 }
const all: QueryShape = { table: 'rows', where: { host: 'startsWith' }, perSecond: 1 }

test('a salt that no query binds becomes one that all bind; if some query binds nothing, it has fewer buckets', () => {
  const schema = salted(['id'], 1000)
  const bound = found(schema, 'refused-query', { ...hbase, queries: [ofHost] })
  expect(bound?.fix).toMatch(
    /^Every query has a value for 'host': compute the salt from it alone, bucket\(\{ of: 'host', count: 1000 \}\)\./,
  )
  const unbound = found(schema, 'refused-query', { ...hbase, queries: [ofHost, all] })
  expect(unbound?.fix).toMatch(/^The query has no value for 'id', so it reads all buckets: use bucket\(\{ of: 'id', count: 16 \}\)\./)
  expect(
    advise(applyFix(schema, unbound as Finding), { queries: [ofHost, all] }).findings.every(({ severity }) => severity === 'info'),
  ).toBe(true)
})

test('a salt is not changed to one by a value that has most rows', () => {
  const sample = (giant: number) =>
    statsOf(salted(['id'], 16), (i) => ({ host: i % 100 < giant ? 'one' : `h${i}`, at: new Date(i), id: `${i}` }))
  const fanOut = (giant: number): Finding | undefined =>
    found(salted(['id'], 16), 'fan-out', { ...hbase, queries: [ofHost], stats: sample(giant) })
  expect(fanOut(1)?.change?.salt).toMatchObject([{ of: ['host'] }])
  expect(fanOut(60)?.change).toBeUndefined()
})
