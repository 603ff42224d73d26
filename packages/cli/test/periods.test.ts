import { bucket, date, defineTable, desc, period, text, timestamp, uint32 } from 'rowkey'
import { toHex } from 'rowkey/codec'
import { expect, test } from 'vitest'
import { project } from './command.js'

const at = desc(timestamp('ms'))
const logsOf = (day: ReturnType<typeof date>) =>
  defineTable('logs', {
    columns: { host: text(), day, at, seq: uint32(), line: text() },
    partition: ['host', 'day'],
    key: ['at', 'seq'],
    salt: bucket({ of: 'seq', count: 4 }),
  })
const Logs = logsOf(period('day', { of: 'at' }) as never)
const Weeks = defineTable('weeks', {
  columns: { id: text(), week: period('week', { of: 'at', offset: '+08:00' }), at: timestamp('us') },
  partition: ['id', 'week'],
  key: ['at'],
})
const models = (...tables: readonly unknown[]): string => JSON.stringify(tables)
const { rowkey, write } = project({ 'models.json': models(Logs, Weeks), 'rowkey.config.json': '{ "models": ["models.json"] }' })

const key = ['host=a', 'at=2026-01-02T05:00:00Z', 'seq=7']
const hex = '006100007fffb0187ffffe6482ec537f00000007'
/** The same key with the period of another day. */
const wrong = toHex(logsOf(desc(date())).layout.rowkey(['a', 20_456, Date.UTC(2026, 0, 2, 5), 7]))

test('a key is encoded without its period, or with the right one', async () => {
  expect(await rowkey(['encode', 'logs', ...key])).toEqual({ code: 0, stdout: `${hex}\n`, stderr: '' })
  expect(await rowkey(['encode', 'logs', ...key, 'day=2026-01-02'])).toEqual({ code: 0, stdout: `${hex}\n`, stderr: '' })
  const { stdout } = await rowkey(['encode', 'weeks', 'id=a', 'at=2026-01-04T16:00:00Z', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ key: { id: 'a', week: '2026-01-05', at: '2026-01-04T16:00:00.000000Z' } })
})

test.each([
  [[...key, 'day=2026-01-03'], "column 'day' of 'logs' is computed from 'at', so it is 2026-01-02T00:00:00.000Z, not 2026-01-03T00:00:00.000Z. Leave it out."], // prettier-ignore
  [['host=a', 'day=2026-01-02', 'seq=7'], "a key of 'logs' needs all of (host, day, at, seq), and 'at' is missing."],
])('a key with %j is refused', async (pairs, message) => {
  const { code, stderr } = await rowkey(['encode', 'logs', ...pairs])
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})

test('a key is decoded with its period, and one with another period is none, with both values', async () => {
  const line = 'host=a day=2026-01-02 at=2026-01-02T05:00:00.000Z seq=7\n'
  expect(await rowkey(['decode', 'logs', hex])).toEqual({ code: 0, stdout: line, stderr: '' })
  expect(await rowkey(['decode', 'logs'], { input: `${hex}\n` })).toEqual({ code: 0, stdout: line, stderr: '' })
  const reason =
    "column 'day' is 2026-01-03, but 'at' is 2026-01-02T05:00:00.000Z, which makes it 2026-01-02: host=a day=2026-01-03 at=2026-01-02T05:00:00.000Z seq=7"
  const { code, stdout } = await rowkey(['decode', 'logs', wrong, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ problem: reason })
  expect(code).toBe(1)
  const piped = await rowkey(['decode', 'logs'], { input: `${hex}\n${wrong}\n${hex}\n` })
  expect(piped).toMatchObject({ code: 1, stdout: line + line })
  expect(piped.stderr).toContain(reason)
})

test('examples of keys have the periods of their instants', async () => {
  for (const table of ['logs', 'weeks']) {
    const { example } = (JSON.parse((await rowkey(['layout', table, '--json'])).stdout) as { layouts: [{ example: { hex: string } }] })
      .layouts[0]
    expect((await rowkey(['decode', table, example.hex])).code).toBe(0)
  }
})

test('a query by the instant finds its periods', async () => {
  const { stdout } = await rowkey(['explain', 'logs', 'host = a and at >= 2026-01-01 and at < 2026-01-04'])
  expect(stdout).toContain("3 days of 'at', 2026-01-01 … 2026-01-03")
  const open = await rowkey(['explain', 'logs', 'host = a and at >= 2026-01-01'])
  expect(open.code).not.toBe(0)
  expect(open.stderr).toContain("Bind 'at' at both ends")
})

const row = (day: string | undefined, instant: string, seq: number): string =>
  JSON.stringify({ host: 'a', day, at: instant, seq, line: 'x' })

test('rows are imported with and without the period, and a wrong one is refused with its line', async () => {
  const rows = [
    row(undefined, '2026-01-01T10:00:00Z', 1),
    row('2026-01-02', '2026-01-02T10:00:00Z', 2),
    row(undefined, '2026-01-03T10:00:00Z', 3),
  ]
  expect(await rowkey(['import', 'logs', '--create', '--url', 'lmdb:a'], { input: rows.join('\n') })).toMatchObject({ code: 0 })
  const bad = [rows[0], row('2026-01-03', '2026-01-02T10:00:00Z', 9)].join('\n')
  expect(await rowkey(['import', 'logs', '--url', 'lmdb:a'], { input: bad })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      "rowkey: line 2 is no row: INVALID_VALUE: column 'day' of 'logs' is computed from 'at', so it is 2026-01-02T00:00:00.000Z, not 2026-01-03T00:00:00.000Z. Leave it out. Nothing has been written.\n",
  })
  const scan = await rowkey(['scan', 'logs', 'host = a and at >= 2026-01-01 and at < 2026-01-03', '--url', 'lmdb:a'])
  expect(scan.stdout.match(/"day":"[^"]*"/g)).toEqual(['"day":"2026-01-02"', '"day":"2026-01-01"'])
  expect((await rowkey(['get', 'logs', 'host=a', 'at=2026-01-03T10:00:00Z', 'seq=3', '--url', 'lmdb:a'])).stdout).toContain('2026-01-03"')
  const { stdout } = await rowkey(['export', 'logs', '--url', 'lmdb:a'])
  expect(stdout.trim().split('\n')).toHaveLength(3)
  expect(await rowkey(['import', 'logs', '--create', '--url', 'lmdb:b'], { input: stdout })).toMatchObject({ code: 0 })
  expect((await rowkey(['export', 'logs', '--url', 'lmdb:b'])).stdout).toBe(stdout)
})

test('another period is another key, which a lock shows', async () => {
  write('day.json', models(Logs))
  const Hours = defineTable('logs', {
    columns: { host: text(), day: period('week', { of: 'at' }), at, seq: uint32(), line: text() },
    partition: ['host', 'day'],
    key: ['at', 'seq'],
    salt: bucket({ of: 'seq', count: 4 }),
  })
  write('week.json', models(Hours))
  expect((await rowkey(['lock', '--models', 'day.json', '--file', 'day.lock.json'])).code).toBe(0)
  const { code, stdout, stderr } = await rowkey(['lock', '--check', '--models', 'week.json', '--file', 'day.lock.json'])
  expect(code).not.toBe(0)
  expect(stdout + stderr).toContain("desc(period('day', { of: 'at' })) → desc(period('week'")
  expect(stdout + stderr).toMatch(/day +- 7fffb019\n +\+ 7fffb01c/)
})

test('lint reads a sample without periods, and its fix is a model with one', async () => {
  const rooms = defineTable('rooms', {
    columns: { room: text(), at, seq: uint32() },
    partition: ['room'],
    key: ['at', 'seq'],
    writes: 'plain',
  })
  write('rooms.json', models(rooms))
  write('load.json', JSON.stringify({ writes: [{ table: 'rooms', perSecond: { inserts: 20 }, distinct: { room: 1 } }] }))
  const { stdout } = await rowkey(['lint', '--models', 'rooms.json', '--store', 'cassandra', '--queries', 'load.json', '--fix'])
  expect(stdout).toContain("hour: desc(period('hour', { of: 'at' })),")
  expect(stdout).toContain("partition: ['room', 'hour'],")
  const rows = Array.from({ length: 200 }, (_, i) => JSON.stringify({ host: 'a', at: new Date(i * 1000), seq: i, line: 'x' }))
  write('logs.ndjson', rows.join('\n'))
  const sampled = await rowkey(['lint', '--models', 'models.json', '--sample', 'logs=logs.ndjson', '--json'])
  expect(sampled.stderr).toBe('')
  expect(sampled.stdout).not.toContain('low-cardinality')
})
