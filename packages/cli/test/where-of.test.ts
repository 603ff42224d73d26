import { bool, bytes, desc, int32, nullable, reversed, text, timestamp } from 'rowkey/codec'
import { defineTable } from 'rowkey'
import { compileQuery } from 'rowkey/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { property } from '../../../test/kit/property.js'
import { Failure } from '../src/failure.js'
import { orderOf, whereOf } from '../src/where/where-of.js'

const Logs = defineTable('logs', {
  columns: {
    host: text(),
    at: desc(timestamp('ms')),
    level: nullable(int32()),
    and: nullable(text()),
    ok: bool(),
    data: bytes(),
    id: reversed(text()),
  },
  key: ['host', 'at'],
})
const day = new Date('2026-01-01')

test.each<[string, unknown]>([
  ['', {}],
  ['   ', {}],
  ['host = web-1', { host: 'web-1' }],
  ['host=web-1', { host: 'web-1' }],
  ["host = 'web 1'", { host: 'web 1' }],
  ["host = 'it''s'", { host: "it's" }],
  ['host = "a ""b"""', { host: 'a "b"' }],
  ['host = \'"a"\'', { host: '"a"' }],
  ["host = 'and'", { host: 'and' }],
  ["host = ''", { host: '' }],
  ['host = web-1 and at >= 2026-01-01', { host: 'web-1', at: { gte: day } }],
  ['host = web-1 AND at > 2026-01-01T00:00:00Z', { host: 'web-1', at: { gt: day } }],
  ['at >= 2026-01-01 and at < 2026-01-02', { at: { gte: day, lt: new Date('2026-01-02') } }],
  ['at between 2026-01-01 and 2026-01-02 and host = a', { at: { gte: day, lte: new Date('2026-01-02') }, host: 'a' }],
  ['level in (1, 2,3)', { level: { in: [1, 2, 3] } }],
  ['host in (a)', { host: { in: ['a'] } }],
  ['level<=-1', { level: { lte: -1 } }],
  ['host starts with web', { host: { startsWith: 'web' } }],
  ['host startsWith web', { host: { startsWith: 'web' } }],
  ["host like 'web-%'", { host: { startsWith: 'web-' } }],
  ['host like web%', { host: { startsWith: 'web' } }],
  ['level is null', { level: { isNull: true } }],
  ['level IS NOT NULL and level > 1', { level: { isNull: false, gt: 1 } }],
  ['and = and', { and: 'and' }],
  ['and is null and and is null', 'twice'],
  ['ok = true and data = 00ff', { ok: true, data: Uint8Array.of(0, 255) }],
  ["'host' = a", { host: 'a' }],
  ["and = 'null'", { and: 'null' }],
])('%s', (source, where) => {
  if (where === 'twice') expect(() => whereOf(Logs, source)).toThrow(/repeats/)
  else expect(whereOf(Logs, source)).toEqual(where)
})

/** The message, and what is above its mark. */
function refusal(source: string): readonly [message: string, marked: string] {
  try {
    whereOf(Logs, source)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [message = '', line = '', mark = ''] = error.message.split('\n')
    return [message, line.slice(mark.indexOf('^'))]
  }
  throw new Error('it was not refused')
}

test.each([
  ['host', /operator must follow/, ''],
  ['host =', /value of 'host' must follow/, ''],
  ['= 1', /column must follow: host/, '= 1'],
  ['nope = 1', /no column 'nope'\. It has host, at/, 'nope = 1'],
  ['host == a', /Write one =/, '== a'],
  ['host != a', /no "not equal"/, '!= a'],
  ['host <> a', /no "not equal"/, '<> a'],
  ['host = a or at > 2026-01-01', /no OR/, 'or at > 2026-01-01'],
  ['not host = a', /no NOT/, 'not host = a'],
  ['(host = a)', /no parentheses/, '(host = a)'],
  ['host = a at > 1', /"and" or the end/, 'at > 1'],
  ['host = a and', /column must follow/, ''],
  ['host = a,', /"and" or the end/, ','],
  ["host = 'a", /not closed/, "'a"],
  ['host = a !', /! has no meaning/, '!'],
  ['level = x', /Give an integer/, 'x'],
  ['level = 99999999999', /from -2147483648/, '99999999999'],
  ['level in 1', /a list must follow/, '1'],
  ['level in ()', /value of 'level' must follow/, ')'],
  ['level in (1', /"," or "\)"/, ''],
  ['level in (1 2)', /"," or "\)"/, '2)'],
  ['at between 2026-01-01', /"and" and the last value/, ''],
  ['at >= soon', /Give an instant/, 'soon'],
  ['level = null', /write "is null"/, 'null'],
  ['level is 1', /"null" must follow/, '1'],
  ['host is null', /is never null/, 'host is null'],
  ['host starts web', /"with" must follow/, 'web'],
  ["host like 'w%b'", /only patterns of the form/, "'w%b'"],
  ["host like 'web'", /only patterns of the form/, "'web'"],
  ["host like 'w_%'", /only patterns of the form/, "'w_%'"],
  ['level starts with 1', /only text has a beginning/, '1'],
  ['id starts with 1', /only text has a beginning/, '1'],
  ['host = a and host = b', /repeats/, 'host = b'],
  ['at > 2026-01-01 and at > 2026-01-02', /repeats/, 'at > 2026-01-02'],
  ['host = a and host > b', /repeats/, 'host > b'],
  ['host between', /value of 'host'/, ''],
  ['host foo a', /an operator must follow/, 'foo a'],
])('%s is refused at its place', (source, message, marked) => {
  const [said, at] = refusal(source)
  expect(said).toMatch(message)
  expect(at).toBe(marked)
})

test('of a long text, what is around the place is shown', () => {
  const [, marked] = refusal(`host in (${Array.from({ length: 500 }, (_, at) => `web-${at}`).join(', ')}) and nope = 1 and at > 2026-01-01`)
  expect(marked).toMatch(/^nope = 1 and at > …$/)
})

property(
  'no text breaks the parser: it is a predicate, or is refused',
  fc.oneof(
    fc.string(),
    fc
      .array(
        fc.constantFrom(
          'host',
          'at',
          'level',
          '=',
          '>',
          '<=',
          'in',
          '(',
          ')',
          ',',
          'and',
          'or',
          'like',
          'is',
          'not',
          'null',
          "'a%'",
          '2026-01-01',
          '1',
          '"',
          "'",
          '\0',
          '\\',
        ),
        { maxLength: 12 },
      )
      .map((words) => words.join(' ')),
  ),
  (source) => {
    // prettier-ignore
    let where
    try {
      where = whereOf(Logs, source)
    } catch (error) {
      expect(error).toBeInstanceOf(Failure)
      const [, line = '', mark = ''] = (error as Failure).message.split('\n')
      expect(mark.trim()).toBe('^')
      expect(mark.length).toBeLessThanOrEqual(line.length + 1)
      return
    }
    expect(() => compileQuery(Logs, where, { unbounded: true })).not.toThrow()
  },
)

property(
  'every text value in quotes is that value',
  fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed()),
  (value) => {
    expect(whereOf(Logs, `host = '${value.replaceAll("'", "''")}'`)).toEqual({ host: value })
    expect(whereOf(Logs, `host in ("${value.replaceAll('"', '""')}")`)).toEqual({ host: { in: [value] } })
  },
)

test.each([
  ['at desc', { at: 'desc' }],
  ['host, at DESC', { host: 'asc', at: 'desc' }],
  [' host asc ,at desc ', { host: 'asc', at: 'desc' }],
])('order %s', (source, order) => {
  expect(orderOf(Logs, source)).toEqual(order)
})

test.each([
  ['', /a column with asc or desc/],
  ['host,', /a column with asc or desc/],
  ['host down', /a column with asc or desc/],
  ['nope', /no column 'nope'/],
])('order %j is refused', (source, message) => {
  expect(() => orderOf(Logs, source)).toThrow(message)
})
