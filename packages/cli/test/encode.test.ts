import { expect, test } from 'vitest'
import { project, withTables } from './command.js'

const { rowkey } = project(withTables)
const logs = ['encode', 'logs', 'host=web-1', 'at=2026-01-01T00:00:00Z']

test.each([
  [[], '0c7765622d3100007ffffe64892557ff\n'],
  [['--as', 'escaped'], '\\x0Cweb-1\\x00\\x00\\x7F\\xFF\\xFEd\\x89%W\\xFF\n'],
  [['--as', 'base64'], 'DHdlYi0xAAB///5kiSVX/w==\n'],
])('a key is printed %j', async (options, stdout) => {
  expect(await rowkey([...logs, ...options])).toEqual({ code: 0, stdout, stderr: '' })
})

test('JSON has the values, the length and all forms', async () => {
  const { stdout } = await rowkey([...logs, '--as', 'json'])
  expect(JSON.parse(stdout)).toEqual({
    rowkey: 1,
    table: 'logs',
    key: { host: 'web-1', at: '2026-01-01T00:00:00.000Z' },
    bytes: 16,
    hex: '0c7765622d3100007ffffe64892557ff',
    escaped: '\\x0Cweb-1\\x00\\x00\\x7F\\xFF\\xFEd\\x89%W\\xFF',
    base64: 'DHdlYi0xAAB///5kiSVX/w==',
  })
  expect((await rowkey([...logs, '--json'])).stdout).toBe(stdout)
})

test('a value may contain equals signs, and pairs may be in any order', async () => {
  const { stdout } = await rowkey(['encode', 'logs', 'at=2026-01-01', 'host=a=b'])
  expect((await rowkey(['decode', 'logs', stdout.trim()])).stdout).toBe('host="a=b" at=2026-01-01T00:00:00.000Z\n')
})

test.each([
  [['encode', 'logs', 'host=a'], "rowkey: a key of 'logs' needs all of (host, at), and 'at' is missing.\n"],
  [['encode', 'orders', 'no=a'], "rowkey: a key of 'orders' needs all of (buyer, day, no), and 'buyer', 'day' are missing.\n"],
  [['encode', 'logs', 'host=a', 'at=0', 'host=b'], "rowkey: column 'host' is given twice.\n"],
  [['encode', 'logs', 'line=a'], "rowkey: 'line' is not a key column of 'logs'. Its key is (host, at).\n"],
  [['encode', 'logs', 'host'], 'rowkey: "host" is not of the form column=value.\n'],
  [['encode', 'logs', 'host=a', 'at=noon'], 'rowkey: column \'at\' cannot hold "noon". Give an instant, such as 2026-01-31T12:00:00Z, or a number of units since 1970.\n'], // prettier-ignore
  [['encode', 'events', 'n=9223372036854775808', 't=0', 'b=00'], "rowkey: INVALID_VALUE: column 'n' cannot hold 9223372036854775808n. Give a bigint, such as 5n, from -9223372036854775808 to 9223372036854775807.\n"], // prettier-ignore
  [['encode', 'nope', 'a=b'], "rowkey: there is no model 'nope'. There are: logs, orders, events.\n"],
  [['encode', 'logs'], "rowkey: missing required argument 'column=value'\nSee rowkey encode --help.\n"],
  [[...logs, '--as', 'octal'], "rowkey: option '--as <form>' argument 'octal' is invalid. Allowed choices are hex, escaped, base64, json.\nSee rowkey encode --help.\n"], // prettier-ignore
])('%j is refused', async (args, stderr) => {
  expect(await rowkey(args)).toEqual({ code: 2, stdout: '', stderr })
})
