import { bytes, decimal, float64, int64, json, nullable, text, timestamp, uint32, type Row, type Value } from 'rowkey/codec'
import { values } from 'rowkey/internal'
import { defineTable, type TableSchema } from 'rowkey'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { property } from '../../../test/kit/property.js'
import { anyColumn, type RandomColumn } from '../../rowkey/test/codec/random-columns.js'
import { linesOf } from '../src/rows/row-lines.js'
import { rowReader, rowTexts } from '../src/rows/row-text.js'

const Readings = defineTable('readings', {
  columns: {
    id: int64(),
    at: timestamp('ns'),
    price: decimal(20, 3),
    score: float64(),
    raw: nullable(bytes()),
    data: nullable(json()),
    n: nullable(uint32()),
  },
  key: ['id'],
  ttl: '30d',
  version: 'rev',
})

/** The canonical row that a text means. */
function canonical(schema: TableSchema, line: string): Row {
  const { values: given, expiresAt } = rowReader(schema)(line)
  return schema.columns.map(({ name, type }, at): Value => {
    if (at === schema.versionIndex) return null
    if (at === schema.expiryIndex) return expiresAt === undefined || expiresAt === null ? null : expiresAt.getTime()
    return values(type, name).toValue(given[name])
  })
}

const rowOf = (schema: TableSchema, given: Readonly<Record<string, Value>>): Row => schema.columns.map(({ name }) => given[name] ?? null)

/** The row as a repository returns it. */
const shown = (schema: TableSchema, row: Row): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    schema.columns.map(({ name, type }, at) => {
      const value = row[at] ?? null
      return at === schema.expiryIndex
        ? ['$expires', new Date(Number(value))]
        : [name, value === null ? null : values(type, name).fromValue(value)]
    }),
  )

test('a row is one line of JSON with all its digits, its expiry and without its version', () => {
  const given = {
    id: 2n ** 53n + 1n,
    at: 1767225600123456789n,
    price: '12345678901234567.125',
    score: -0,
    raw: Uint8Array.of(0, 255),
    data: '{"a":[1,null]}',
  }
  const row = rowOf(Readings, given).map((value, at) => (at === Readings.expiryIndex ? 1_800_000_000_000 : value))
  const line = rowTexts(Readings).json(shown(Readings, row))
  expect(JSON.parse(line)).toEqual({
    id: '9007199254740993',
    at: '2026-01-01T00:00:00.123456789Z',
    price: '12345678901234567.125',
    score: '-0',
    raw: '0x00ff',
    data: { a: [1, null] },
    n: null,
    $expires: '2027-01-15T08:00:00.000Z',
  })
  expect(canonical(Readings, line)).toEqual(row)
  expect(rowTexts(Readings).line(shown(Readings, row))).toMatch(
    /^id=9007199254740993 \| at=2026-01-01T00:00:00\.123456789Z .*\$expires=2027-01-15T08:00:00\.000Z$/,
  )
})

property(
  'a row of any types is written as a line that is read as the same row',
  fc
    .array(anyColumn, { minLength: 1, maxLength: 6 })
    .chain((columns) => fc.tuple(fc.constant(columns), fc.tuple(...columns.map(({ value }) => value)))),
  ([columns, given]: [RandomColumn[], unknown[]]) => {
    const named = { id: uint32(), ...Object.fromEntries(columns.map(({ type }, at) => [`c${at}`, type])) }
    const schema = defineTable('any', { columns: named, key: ['id'] }) as TableSchema
    const byName = new Map<string, Value>([
      ['id', 7],
      ...columns.map(({ type }, at) => [`c${at}`, values(type, 'c').toValue(given[at])] as const),
    ])
    const row = schema.columns.map(({ name }) => byName.get(name) ?? null)
    const line = rowTexts(schema).json(shown(schema, row))
    expect(line).not.toContain('\n')
    expect(canonical(schema, line)).toEqual(row)
  },
)

property('JSON of any form is a value of its column, and comes back the same', fc.jsonValue(), (value) => {
  const schema = defineTable('documents', { columns: { id: uint32(), data: nullable(json()) }, key: ['id'] }) as TableSchema
  const row: Row = [1, values(nullable(json()), 'data').toValue(value)]
  expect(canonical(schema, rowTexts(schema).json(shown(schema, row)))).toEqual(row)
})

test.each<[string, RegExp]>([
  ['{"id":"1"', /is no JSON/],
  ['[1]', /not an object with a row/],
  ['{"id":9007199254740993}', /does not say exactly\. Write it as text/],
  ['{"id":"1","price":0.1}', /Write it as text/],
  ['{"id":"1","nope":1}', /has no column 'nope'/],
  ['{"id":"1","rev":"x"}', /is the version of the row/],
  ['{"id":null}', /'id' cannot be null/],
  ['{"id":true}', /'id' cannot hold true/],
  ['{"id":"1","$expires":"soon"}', /cannot be "soon"/],
  ['{"id":"1","raw":"0xabc"}', /hexadecimal digits/],
])('%s is no row: %s', (line, message) => {
  expect(() => rowReader(Readings)(line)).toThrow(message)
})

test('the text null is not null', () => {
  const schema = defineTable('texts', { columns: { id: text(), v: nullable(text()) }, key: ['id'] })
  for (const v of ['null', '', '"a"', null]) expect(canonical(schema, rowTexts(schema).json({ id: '1', v }))).toEqual(['1', v])
})

test('lines are the same however a stream is cut, and what is not UTF-8 is refused with its number', async () => {
  const bytes = Buffer.from('a\n€\n\nlast')
  for (let at = 0; at <= bytes.length; at++) {
    const found: string[] = []
    for await (const { number, text } of linesOf(Readable.from([bytes.subarray(0, at), bytes.subarray(at)])))
      found.push(`${number}:${text}`)
    expect(found).toEqual(['1:a', '2:€', '3:', '4:last'])
  }
  const read = async (): Promise<void> => {
    for await (const _ of linesOf(Readable.from([Buffer.from([0x61, 10, 0xff, 10])])));
  }
  await expect(read()).rejects.toThrow('line 2 is not UTF-8')
})
