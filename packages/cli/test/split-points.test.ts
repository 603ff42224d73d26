import { fromEscapedText, fromHex, toHex } from 'rowkey/codec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { property } from '../../../test/kit/property.js'
import { sampleSplits } from '../src/keys/split-points.js'
import { project, withTables } from './command.js'

const { rowkey, write } = project(withTables)

test('a table with buckets is cut at their borders', async () => {
  expect(await rowkey(['split-points', 'logs', '--count', '4'])).toEqual({ code: 0, stdout: '\\x04\n\\x08\n\\x0C\n', stderr: '' })
  expect((await rowkey(['split-points', 'logs', '--count', '16', '--as', 'hex'])).stdout.trim().split('\n').length).toBe(15)
  expect((await rowkey(['split-points', 'logs', '--count', '1'])).stdout).toBe('')
  const { stdout } = await rowkey(['split-points', 'logs', '--count', '3', '--json'])
  expect(JSON.parse(stdout)).toEqual({ rowkey: 1, table: 'logs', parts: 3, form: 'escaped', points: ['\\x05', '\\x0B'] })
})

test('it is the cut that the definition of HBase has', async () => {
  const [logs] = JSON.parse(withTables['models.json'] ?? '') as readonly object[]
  write('split.json', JSON.stringify({ ...logs, stores: { hbase: { splits: 5 } } }))
  const { stdout } = await rowkey(['ddl', 'logs', '--store', 'hbase', '--models', 'split.json'])
  const [, splits = ''] = /SPLITS => \[([^\]]*)\]/.exec(stdout) ?? []
  const cut = splits.split(', ').map((text) => toHex(fromEscapedText(text.slice(1, -1))))
  expect((await rowkey(['split-points', 'logs', '--count', '5', '--as', 'hex'])).stdout.trim().split('\n')).toEqual(cut)
})

test.each([
  [['logs', '--count', '17'], /'logs' has 16 buckets, which can be cut into at most 16 parts/],
  [['events', '--count', '2'], /'events' has no salt.*--sample FILE/],
])('%j is refused with exit code 3', async (args, message) => {
  const ended = await rowkey(['split-points', ...args])
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  expect(ended.stderr).toMatch(message)
})

test('a sample of keys cuts any table, from a file or from stdin', async () => {
  const keys = Array.from({ length: 100 }, (_, n) => rowkeyOf(n))
  write('sample.txt', keys.toReversed().join('\n'))
  const cut = `${keys[25]}\n${keys[50]}\n${keys[75]}\n`
  expect((await rowkey(['split-points', 'events', '--count', '4', '--as', 'hex', '--sample', 'sample.txt'])).stdout).toBe(cut)
  expect(
    (await rowkey(['split-points', 'events', '--count', '4', '--as', 'hex', '--sample', '-'], { input: keys.join('\n') })).stdout,
  ).toBe(cut)
})

/** The key of events with n, t = 0 and no bytes. */
const rowkeyOf = (n: number): string => `${(0x8000000000000000n + BigInt(n)).toString(16)}80000000000000000000`

test.each([
  ['missing.txt', /missing\.txt cannot be read: it does not exist/],
  ['broken.txt', /line 2 of the sample is no key of 'events'/],
  ['few.txt', /the sample has 1 different keys, which is too few for 4 parts/],
  ['one-sided.txt', /some key is so often in the sample/],
])('%s is refused', async (file, message) => {
  write('broken.txt', `${rowkeyOf(1)}\nzz\n`)
  write('few.txt', `${rowkeyOf(1)}\n${rowkeyOf(1)}\n`)
  write('one-sided.txt', [...Array.from({ length: 50 }, () => rowkeyOf(1)), ...[2, 3, 4].map(rowkeyOf)].join('\n'))
  const ended = await rowkey(['split-points', 'events', '--count', '4', '--sample', file])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toMatch(message)
})

property(
  'the parts of a sample of different keys differ by at most one key',
  fc.tuple(fc.uniqueArray(fc.integer({ min: 0, max: 65_535 }), { minLength: 2, maxLength: 60 }), fc.integer({ min: 2, max: 12 })),
  ([numbers, parts]) => {
    // prettier-ignore
    if (numbers.length < parts) return
    const sample = numbers.map((number) => fromHex(number.toString(16).padStart(4, '0')))
    const borders = sampleSplits(sample, parts).map(toHex)
    const sorted = sample.map(toHex).sort()
    const sizes = [...borders, undefined].map((border, at) => {
      const from = at === 0 ? 0 : sorted.indexOf(borders[at - 1] as string)
      return (border === undefined ? sorted.length : sorted.indexOf(border)) - from
    })
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
  },
)
