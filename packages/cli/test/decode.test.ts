import { expect, test } from 'vitest'
import { project, withTables } from './command.js'

const { rowkey } = project(withTables)
const key = '0c7765622d3100007ffffe64892557ff'

test.each([key, `0x${key}`, key.toUpperCase(), '\\x0Cweb-1\\x00\\x00\\x7F\\xFF\\xFEd\\x89%W\\xFF', 'DHdlYi0xAAB///5kiSVX/w=='])(
  'an argument: %s',
  async (text) => {
    const ended = { code: 0, stdout: 'host=web-1 at=2026-01-01T00:00:00.000Z\n', stderr: '' }
    expect(await rowkey(['decode', 'logs', text])).toEqual(ended)
  },
)

test('without a model each table is tried, and each that refuses the key says why', async () => {
  expect(await rowkey(['decode', key])).toEqual({
    code: 0,
    stdout: `logs    host=web-1 at=2026-01-01T00:00:00.000Z
orders  no: byte 16, column 'day': it ends too early, at 16 bytes
events  no: byte 16, column 'b': it ends too early, at 16 bytes
`,
    stderr: '',
  })
})

test('a key that no table takes is told on stderr, with exit code 1', async () => {
  expect(await rowkey(['decode', 'deadbeef'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `deadbeef
logs    no: byte 1, the salt: bucket 222 does not exist, because the layout has
    16 buckets
orders  no: byte 0, column 'buyer': it ends too early, at 4 bytes
events  no: byte 0, column 'n': it ends too early, at 4 bytes
`,
  })
  expect((await rowkey(['decode', 'é'])).stderr).toBe('é\nthis is neither hexadecimal digits, escaped text nor base64\n')
  expect((await rowkey(['decode', 'logs', 'web-1'])).code).toBe(1)
})

test('of several keys each has its own lines, and the readable ones are printed all the same', async () => {
  const { code, stdout, stderr } = await rowkey(['decode', 'logs', key, '00', key])
  expect(stdout.split('\n')).toEqual(['host=web-1 at=2026-01-01T00:00:00.000Z', 'host=web-1 at=2026-01-01T00:00:00.000Z', ''])
  expect({ code, lines: stderr.split('\n')[0] }).toEqual({ code: 1, lines: '00' })
})

test('the parts of a key are shown up to its fault', async () => {
  expect((await rowkey(['decode', 'logs', key, '--parts'])).stdout).toBe(`host=web-1 at=2026-01-01T00:00:00.000Z

logs
offset  bytes  column  hex
0       1      salt    0c
1       7      host    7765622d310000
8       8      at      7ffffe64892557ff
`)
  expect((await rowkey(['decode', 'logs', `${key}00`, '--parts'])).stderr).toContain('16      1      (after the key)  00')
})

test('JSON is one object a line, of one shape with a model and of one without', async () => {
  const lines = async (args: readonly string[]): Promise<unknown[]> =>
    (await rowkey(['decode', '--json', ...args])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  expect(await lines(['logs', key, '00'])).toEqual([
    { rowkey: 1, table: 'logs', key: { host: 'web-1', at: '2026-01-01T00:00:00.000Z' } },
    { rowkey: 1, table: 'logs', input: '00', problem: "byte 1, column 'host': it ends too early, at 1 bytes" },
  ])
  expect(await lines([key])).toEqual([
    {
      rowkey: 1,
      input: key,
      matches: [{ table: 'logs', key: { host: 'web-1', at: '2026-01-01T00:00:00.000Z' } }],
      rejections: [
        { table: 'orders', reason: "byte 16, column 'day': it ends too early, at 16 bytes" },
        { table: 'events', reason: "byte 16, column 'b': it ends too early, at 16 bytes" },
      ],
    },
  ])
})

test('--from says which form it is', async () => {
  expect((await rowkey(['decode', 'logs', 'DHdlYi0xAAB///5kiSVX/w==', '--from', 'hex'])).code).toBe(1)
  expect((await rowkey(['decode', 'logs', 'DHdlYi0xAAB///5kiSVX/w==', '--from', 'base64'])).code).toBe(0)
})

test('what is in a key cannot change the terminal', async () => {
  const hostile = (await rowkey(['encode', 'logs', 'host="\\u001b[31m\\u202e\\n"', 'at=0'])).stdout.trim()
  const { stdout } = await rowkey(['decode', 'logs', hostile])
  expect(stdout).toMatch(/^[\x20-\x7e]+\n$/)
  expect((await rowkey(['encode', 'logs', ...stdout.trim().split(' ')])).stdout.trim()).toBe(hostile)
  expect((await rowkey(['decode', 'logs', '\x1b[31m'])).stderr).not.toContain('\x1b')
})
