import { keyLayout } from '@rowkey/codec'
import { bucket, desc, hashPrefix, int64, text, timestamp, toHex, uint64 } from 'rowkey'
import { expect, test } from 'vitest'

const ascii = (key: Uint8Array): string => Buffer.from(key).toString('latin1')
const sequential = Array.from({ length: 4_000 }, (_, i) => BigInt(1_000_000 + i))

test('G-23 G-28: a long takes 8 bytes, the same number as text 10 and an end', () => {
  expect(toHex(keyLayout([['day', uint64()]]).encode({ day: 2_015_122_410n }))).toBe('00000000781c53ea')
  expect(keyLayout([['day', text()]]).encode({ day: '2015122410' })).toHaveLength(12)
})

test('G-30: ids that count up spread over all buckets', () => {
  const layout = keyLayout([['id', int64()]], { salt: bucket({ of: 'id', count: 16 }) })
  const counts = new Array<number>(16).fill(0)
  for (const id of sequential) {
    const [first = 0] = layout.encode({ id })
    counts[first] = (counts[first] ?? 0) + 1
  }
  expect(Math.min(...counts)).toBeGreaterThan(180)
  expect(Math.max(...counts)).toBeLessThan(320)
})

test('G-33: pk1 = hash(pk).substring(0, 4) + pk', () => {
  const layout = keyLayout([['pk', text()]], { salt: hashPrefix({ of: 'pk', digits: 4 }) })
  expect(ascii(layout.encode({ pk: 'abc' }))).toBe('9001abc\0\0')
})

test('G-37: bucket = timestamp % n; whole seconds reach 2 of 16 buckets and 1 of 10', () => {
  const reached = (modulo: number, step: number): number[] => {
    const layout = keyLayout([['at', timestamp('ms')]], { salt: bucket({ of: 'at', modulo }) })
    const stamps = Array.from({ length: 10_000 }, (_, i) => new Date(1_700_000_000_000 + i * step))
    return [...new Set(stamps.map((at) => layout.encode({ at })[0] ?? -1))].sort((a, b) => a - b)
  }
  expect(reached(16, 1)).toHaveLength(16)
  expect(reached(16, 1000)).toEqual([0, 8])
  expect(reached(10, 1000)).toEqual([0])
})

test('G-21: desc(int64) writes Long.MAX_VALUE - ts', () => {
  const ts = 1_700_000_000_000n
  const hex = toHex(keyLayout([['at', desc(int64())]]).encode({ at: ts }))
  expect(hex).toBe('7ffffe74301a97ff')
  expect(BigInt(`0x${hex}`)).toBe(9_223_370_336_854_775_807n)
  expect(BigInt(`0x${hex}`)).toBe(2n ** 63n - 1n - ts)
})
