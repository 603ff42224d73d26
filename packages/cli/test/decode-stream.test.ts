import { toHex } from 'rowkey/codec'
import { schemaFromJSON, type TableSchema } from 'rowkey'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { property } from '../../../test/kit/property.js'
import { anyLayout } from '../../rowkey/test/codec/random-layouts.js'
import { decoderOf } from '../src/keys/decode-key.js'
import { HexReader } from '../src/keys/hex-lines.js'
import { LineWriter } from '../src/keys/line-writer.js'
import { eachLine } from '../src/keys/lines.js'
import { project, started, withTables } from './command.js'
import { tableOf } from './tables.js'

const { rowkey, folder } = project(withTables)
const Logs: TableSchema = schemaFromJSON((JSON.parse(withTables['models.json'] ?? '') as object[])[0] as object)
const keyOf = (n: number): string => toHex(Logs.layout.rowkey([`web-${n % 100}`, 1767225600000 + n * 137]))
const lineOf = (n: number): string => `host=web-${n % 100} at=${new Date(1767225600000 + n * 137).toISOString()}`

test('keys of a pipe are decoded line by line, also without a last line break and with carriage returns', async () => {
  const expected = `${[0, 1, 2].map(lineOf).join('\n')}\n`
  const keys = [0, 1, 2].map(keyOf)
  for (const input of [
    keys.join('\n'),
    `${keys.join('\n')}\n`,
    `${keys.join('\r\n')}\r\n`,
    `\n${keys.join('\n\n')}`,
    keys.join('\n').toUpperCase(),
  ]) {
    expect(await rowkey(['decode', 'logs'], { input })).toEqual({ code: 0, stdout: expected, stderr: '' })
  }
})

test('forms may be mixed, and what is no key is told with its line while the others are printed', async () => {
  const escaped = (await rowkey(['encode', 'logs', 'host=web-7', 'at=2026-01-01', '--as', 'escaped'])).stdout.trim()
  const base64 = (await rowkey(['encode', 'logs', 'host=web-7', 'at=2026-01-01', '--as', 'base64'])).stdout.trim()
  const input = [keyOf(0), escaped, 'nonsense', base64, '00ff', `0x${keyOf(1)}`].join('\n')
  const { code, stdout, stderr } = await rowkey(['decode', 'logs'], { input })
  const seven = 'host=web-7 at=2026-01-01T00:00:00.000Z'
  expect(stdout).toBe(`${[lineOf(0), seven, seven, lineOf(1)].join('\n')}\n`)
  expect(stderr.match(/^line \d+: .*/gm)).toEqual(['line 3: nonsense', 'line 5: 00ff'])
  expect(code).toBe(1)
})

test('without a model each line names its table', async () => {
  const event = (await rowkey(['encode', 'events', 'n=7', 't=2026-01-01', 'b=00'])).stdout.trim()
  const { code, stdout } = await rowkey(['decode'], { input: `${keyOf(0)}\n${event}\n` })
  expect(stdout).toBe(`logs  ${lineOf(0)}\nevents  n=7 t=2026-01-01T00:00:00.000000Z b=0x00\n`)
  expect(code).toBe(0)
})

test('what the HBase shell prints is read, each row once', async () => {
  const input = `hbase:001:0> scan 'logs'
ROW                            COLUMN+CELL
 \\x0Cweb-1\\x00\\x00\\x7F\\xFF\\xFEd\\x89%W\\xFF   column=f:level, timestamp=2026-01-01T00:00:00.000, value=\\x00\\x00\\x00\\x07
 \\x0Cweb-1\\x00\\x00\\x7F\\xFF\\xFEd\\x89%W\\xFF   column=f:line, timestamp=2026-01-01T00:00:00.000, value=started
 \\x03web-2\\x00\\x00\\x7F\\xFF\\xFEd\\x89%T\\x17   column=f:line, timestamp=2026-01-01T00:00:00.000, value=a=b column=x
2 row(s)
Took 0.0123 seconds
`
  expect(await rowkey(['decode', 'logs'], { input })).toEqual({
    code: 0,
    stdout: 'host=web-1 at=2026-01-01T00:00:00.000Z\nhost=web-2 at=2026-01-01T00:00:01.000Z\n',
    stderr: '',
  })
})

test('what redis-cli --no-raw prints is read', async () => {
  const input = `1) "\\x0cweb-1\\x00\\x00\\x7f\\xff\\xfed\\x89%W\\xff"\n2) "\\x03web-2\\x00\\x00\\x7f\\xff\\xfed\\x89%T\\x17"\n(empty array)\n`
  expect(await rowkey(['decode', 'logs'], { input })).toEqual({
    code: 0,
    stdout: 'host=web-1 at=2026-01-01T00:00:00.000Z\nhost=web-2 at=2026-01-01T00:00:01.000Z\n',
    stderr: '',
  })
})

test('JSON of a pipe is one object a line, also for what is no key', async () => {
  const { code, stdout } = await rowkey(['decode', 'logs', '--json'], { input: `${keyOf(0)}\nnonsense\n` })
  const [key, problem] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(key).toEqual({ rowkey: 1, table: 'logs', key: { host: 'web-0', at: '2026-01-01T00:00:00.000Z' } })
  expect(problem).toMatchObject({ rowkey: 1, table: 'logs', input: 'nonsense', problem: expect.stringContaining('byte 1') as unknown })
  expect(code).toBe(1)
})

test('a line of a megabyte is refused, because it is no key', async () => {
  const { code, stderr } = await rowkey(['decode', 'logs'], { input: 'x'.repeat(3 << 20) })
  expect(stderr).toMatch(/^rowkey: a line has more than 1048576 bytes, which is no key/)
  expect(code).toBe(2)
})

test('many keys come out in order and whole, over the borders of chunks', async () => {
  const numbers = Array.from({ length: 20_000 }, (_, n) => n)
  const { stdout } = await rowkey(['decode', 'logs'], { input: numbers.map(keyOf).join('\n') })
  expect(stdout === `${numbers.map(lineOf).join('\n')}\n`).toBe(true)
})

test('a reader that stops reading stops the command: it does not collect what it cannot write', async () => {
  const child = started(folder, ['decode', 'logs'])
  const chunk = `${Array.from({ length: 5000 }, (_, n) => keyOf(n)).join('\n')}\n`
  const { stdin, pid } = child
  if (stdin === null || pid === undefined) throw new Error('it did not start')
  stdin.on('error', () => undefined)
  let written = 0
  for (let stalled = 0; stalled < 20;) {
    if (stdin.writableNeedDrain) {
      stalled++
      await sleep(50)
    } else {
      stalled = 0
      stdin.write(chunk)
      written += chunk.length
      if (written > 1 << 28) break
    }
  }
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(written).toBeLessThan(1 << 24)
})

test.skipIf(process.platform !== 'linux')('memory stays as it is however long the pipe is', async () => {
  const peak = async (chunks: number): Promise<number> => {
    const child = started(folder, ['decode', 'logs'])
    const { stdin, stdout, pid } = child
    if (stdin === null || stdout === null || pid === undefined) throw new Error('it did not start')
    stdout.resume()
    const chunk = `${Array.from({ length: 10_000 }, (_, n) => keyOf(n)).join('\n')}\n`
    let most = 0
    for (let at = 0; at < chunks; at++) {
      if (!stdin.write(chunk)) await once(stdin, 'drain')
      const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      most = Math.max(most, Number(kilobytes) / 1024)
    }
    stdin.end()
    await once(child, 'close')
    return most
  }
  const short = await peak(10)
  // Ten times as many keys, 40 MB of output: what is collected would show.
  expect(await peak(100)).toBeLessThan(short + 40)
})

test('a reader that ends early ends the command quietly: | head', async () => {
  const child = started(folder, ['decode', 'logs'])
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('it did not start')
  stdin.on('error', () => undefined)
  let said = ''
  stderr.on('data', (part: Buffer) => (said += part.toString()))
  const feed = setInterval(() => stdin.write(`${Array.from({ length: 2000 }, (_, n) => keyOf(n)).join('\n')}\n`), 1)
  await once(stdout, 'data')
  stdout.destroy()
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(feed)
  expect({ code, said }).toEqual({ code: 0, said: '' })
})

property('the fast way writes the same bytes as the slow one', anyLayout, (random) => {
  const schema = tableOf(random)
  if (schema === undefined) return
  const decoder = decoderOf(schema)
  for (const isJson of [false, true]) {
    const writer = new LineWriter(schema, isJson)
    const rows = random.keys.map((key) => [...(decoder.decode(random.layout.encode(key)) as [])])
    for (const row of rows) writer.key(row)
    const expected = rows.map((row) => (isJson ? `{"rowkey":1,"table":"random","key":{${decoder.json(row)}}}\n` : `${decoder.line(row)}\n`))
    expect(writer.take()?.toString()).toBe(expected.join(''))
    expect(writer.take()).toBeUndefined()
  }
})

test('long values are written whole, between others', () => {
  const writer = new LineWriter(Logs, false)
  const rows = [1, 999, 1000, 1001, 70_000, 300_000, 5].map((length) => ['w'.repeat(length), 0] as const)
  for (const row of rows) for (let n = 0; n < 20; n++) writer.key(row)
  const expected = rows.flatMap(([host]) => Array.from({ length: 20 }, () => `host=${host} at=1970-01-01T00:00:00.000Z\n`))
  expect(writer.take()?.toString() === expected.join('')).toBe(true)
})

test.each([
  ['6162\n', '6162', 5],
  ['6162\r\nzz', '6162', 6],
  ['6162', undefined, 0],
  ['6162\r', undefined, 0],
  ['616\n', undefined, 0],
  ['61zz\n', undefined, 0],
  ['\n', undefined, 0],
  ['0x61\n', undefined, 0],
  [`${'61'.repeat(4096)}\n`, '61'.repeat(4096), 8193],
  [`${'61'.repeat(5000)}\n`, undefined, 0],
])('%j as a line of hex digits', (text, hex, after) => {
  const reader = new HexReader()
  const isRead = reader.read(Buffer.from(text), 0)
  expect(isRead ? toHex(reader.bytes) : undefined).toBe(hex)
  expect(reader.end).toBe(after)
})

test.each([1, 2, 3, 33, 34, 64])('lines are the same in chunks of %i bytes, with and without the fast way', async (size) => {
  const lines = [keyOf(0), '', `0x${keyOf(1)}`, keyOf(2), keyOf(3), 'ä', keyOf(4)]
  const input = Buffer.from(lines.join('\n'))
  const chunks = Array.from({ length: Math.ceil(input.length / size) }, (_, at) => input.subarray(at * size, (at + 1) * size))
  const read = async (isFast: boolean): Promise<readonly string[]> => {
    const found: string[] = []
    const reader = new HexReader()
    const onLine = (buffer: Buffer, from: number, to: number): void => void found.push(buffer.toString('utf8', from, to))
    const skip = (buffer: Buffer, from: number): number => {
      let at = from
      for (; reader.read(buffer, at); at = reader.end) found.push(toHex(reader.bytes))
      return at
    }
    await eachLine(Readable.from(chunks), onLine, () => undefined, isFast ? skip : undefined)
    return found
  }
  expect(await read(true)).toEqual(lines)
  expect(await read(false)).toEqual(lines)
})
