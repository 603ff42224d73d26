import { bool, bytes, date, decimal, float64, int32, int64, json, nullable, text, timestamp } from 'rowkey/codec'
import { defineTable } from 'rowkey'
import { expect, test } from 'vitest'
import { project } from './command.js'

const columns = {
  id: text(),
  at: timestamp('ms'),
  n: nullable(int32()),
  big: nullable(int64()),
  price: nullable(decimal(9, 2)),
  score: nullable(float64()),
  day: nullable(date()),
  raw: nullable(bytes()),
  isPaid: nullable(bool()),
  data: nullable(json()),
  note: nullable(text()),
}
const Sales = defineTable('sales', { columns: { ...columns, name: text() }, key: ['id', 'at'] })
const Sessions = defineTable('sessions', { columns: { id: text(), user: text() }, key: ['id'], ttl: '30d', version: 'rev' })
const { rowkey, write } = project({
  'models.json': JSON.stringify([Sales, Sessions]),
  'rowkey.config.json': '{ "models": ["models.json"] }',
})
let number = 0

/** Imports CSV into a new table, and resolves to its rows and what was said. */
async function imported(
  csv: string | Uint8Array,
  table = 'sales',
): Promise<{ readonly rows: readonly unknown[]; readonly code: number | null; readonly stderr: string }> {
  const url = `lmdb:csv-${++number}`
  const { code, stderr } = await rowkey(['import', table, '--format', 'csv', '--create', '--url', url], { input: csv })
  const { stdout } = await rowkey(['export', table, '--url', url])
  return {
    rows: stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown),
    code,
    stderr,
  }
}

const head = 'id,at,n,big,price,score,day,raw,isPaid,data,note,name'
const empty = { n: null, big: null, price: null, score: null, day: null, raw: null, isPaid: null, data: null, note: null }

test('each field is read as its column says, and by nothing else', async () => {
  const csv = `\uFEFF${head}\r\n7,2026-01-01T00:00:00Z,-5,9223372036854775807,1240,0.1,2026-01-31,0x00ff,true,"{""a"": [1, null]}",null,Ann\r\n`
  const { rows, code } = await imported(csv)
  expect(code).toBe(0)
  expect(rows).toEqual([
    {
      id: '7',
      at: '2026-01-01T00:00:00.000Z',
      n: -5,
      big: '9223372036854775807',
      price: '1240.00',
      score: 0.1,
      day: '2026-01-31',
      raw: '0x00ff',
      isPaid: true,
      data: { a: [1, null] },
      note: 'null',
      name: 'Ann',
    },
  ])
})

test('an empty field is null where the column can be null, and empty text with quotes or where it cannot', async () => {
  const { rows } = await imported(`id,at,n,note,name\na,0,,,\nb,0,,"",""\n`)
  expect(rows).toEqual([
    { ...empty, id: 'a', at: '1970-01-01T00:00:00.000Z', name: '' },
    { ...empty, id: 'b', at: '1970-01-01T00:00:00.000Z', note: '', name: '' },
  ])
})

test('fields in quotes have commas, quotes and line breaks; columns are in any order, and empty lines are none', async () => {
  const { rows } = await imported('name,at,id,note\n\n"a, ""b""",0,1,"two\nlines"\nplain,0,2,x')
  expect(rows).toMatchObject([
    { id: '1', name: 'a, "b"', note: 'two\nlines' },
    { id: '2', name: 'plain', note: 'x' },
  ])
})

test.each([
  ['id,at,name\na,0,x\nb,yesterday,y', /^rowkey: line 3 is no row: column 'at' cannot hold "yesterday"\. .*Nothing has been written\.\n$/],
  ['id,at,name,note\na,0,x,"1\n2"\nb,never,y,', /^rowkey: line 4 is no row: column 'at' cannot hold "never"/],
  ['id,at,name,n\na,0,x,1.0', /line 2 is no row: column 'n' cannot hold "1\.0"/],
  ['id,at,name,n\na,0,x," 1"', /line 2 is no row: column 'n' cannot hold " 1"/],
  ['id,at,name,n\na,0,x,3000000000', /line 2 is no row: .*'n'/],
  ['id,at,name,n\na,0,x,""', /line 2 is no row: column 'n' cannot hold ""/],
  ['id,at,name,price\na,0,x,1.005', /column 'price' cannot hold "1\.005"/],
  ['id,at,name,score\na,0,x,1e400', /column 'score' cannot hold "1e400"/],
  ['id,at,name,isPaid\na,0,x,TRUE', /column 'isPaid' cannot hold "TRUE"\. Give true or false/],
  ['id,at,name,data\na,0,x,{a}', /line 2 is no row: column 'data' is no JSON/],
  ['id,at,name\na,,x', /line 2 is no row: column 'at' is empty, and it cannot be null/],
  ['id,at,name\na,0', /line 2 has 2 fields, and the first line has 3/],
  ['id,at,name\na,0,x,y', /line 2 has 4 fields, and the first line has 3/],
  ['id,at,nmae\na,0,x', /line 1, field 3: 'sales' has no column 'nmae'\. Did you mean 'name'\?/],
  ['id,at,name,at\na,0,x,0', /line 1 has the column 'at' twice, in fields 2 and 4/],
  ['id,name\na,x', /line 1 has no column 'at', which is in the key of 'sales'/],
  ['id;at;name\na;0;x', /line 1 is separated by ";"\. CSV is separated by commas/],
  ['id,at,name\na,0,"x', /line \d is no CSV: a quote is not closed before the end/],
  ['id,at,name\na,0,"x"y', /line 2 is no CSV: a field goes on after its closing quote/],
  ['id,at,name\na,0,x"y', /line 2 is no CSV: a quote is inside a field/],
  ['', /it has no line\. The first one has the names of columns/],
])('%j is refused with its line and column', async (csv, message) => {
  const { rows, code, stderr } = await imported(csv)
  expect(stderr).toMatch(message)
  expect({ rows, code }).toEqual({ rows: [], code: 2 })
})

test('bytes that are not UTF-8 are refused', async () => {
  expect(await imported(Buffer.from('id,at,name\na,0,\xe9\n', 'latin1'))).toMatchObject({
    code: 2,
    stderr: /the text after line \d is not UTF-8/,
  })
})

test('an expiry is an instant, null for never, or empty for the ttl; a version is refused', async () => {
  const { rows } = await imported('id,user,$expires\na,x,2999-01-01T00:00:00Z\nb,x,null\nc,x,\n', 'sessions')
  expect(rows).toMatchObject([
    { id: 'a', $expires: '2999-01-01T00:00:00.000Z' },
    { id: 'b', $expires: null },
    { id: 'c', $expires: expect.stringMatching(/^20/) as unknown },
  ])
  expect(await imported('id,user,rev\na,x,1', 'sessions')).toMatchObject({ code: 2, stderr: /'rev' is the version of the row/ })
})

test('a file .csv is CSV, and a wrong row after a thousand says what has been written', async () => {
  const lines = Array.from({ length: 1500 }, (_, n) => `${n},0,x`)
  write('sales.csv', ['id,at,name', ...lines].join('\n'))
  expect(await rowkey(['import', 'sales', 'sales.csv', '--create', '--url', 'lmdb:file'])).toMatchObject({
    code: 0,
    stderr: "1500 rows written to 'sales'\n",
  })
  write('wrong.csv', ['id,at,name', ...lines, 'x,y,z'].join('\n'))
  const { code, stderr } = await rowkey(['import', 'sales', 'wrong.csv', '--create', '--url', 'lmdb:wrong'])
  expect(stderr).toMatch(/^rowkey: line 1502 is no row: column 'at' cannot hold "y"\. .* Lines up to 1001 have been written\.\n$/)
  expect(code).toBe(2)
})
