import { expect, test } from 'vitest'
import { rowkeyForm, sortRange } from '../src/keys.js'

const bytes = (...parts: readonly (number | Uint8Array)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(typeof part === 'number' ? [part] : part)))
const run = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte)

/** K of rows and of bounds: nothing, lowest and highest bytes, prefixes of each other, around the longest key (1,023 with its tag). */
const stems = [
  run(0, 0),
  bytes(0),
  bytes(0, 0),
  bytes(1),
  bytes(0x61),
  bytes(0x61, 0),
  bytes(0x61, 0xff),
  bytes(0x61, 0xff, 0xff),
  bytes(0x62),
  bytes(0xff),
  bytes(0xff, 0xff),
]
const long = [0, 0x61, 0xff].flatMap((byte) => [1021, 1022, 1023, 1024, 1025, 2040].map((length) => run(length, byte)))
const crafted = [
  bytes(run(1022, 0x61), 0),
  bytes(run(1022, 0x61), 0xff),
  bytes(run(1022, 0x61), 0xff, 0xff, 0),
  bytes(0x61, run(1022, 0xff)),
  bytes(0x61, run(1023, 0xff)),
  bytes(0x61, run(1022, 0xff), 0),
]
const all = [...stems, ...long, ...crafted]
const keys = all.filter(({ length }) => length <= 1023)

const compare = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b)

test('R2 ADAPTER-2: the ends for BETWEEN take in exactly the keys of a half-open range', () => {
  let inside = 0
  for (const from of [...all, null]) {
    for (const to of [...all, null]) {
      const range = sortRange(rowkeyForm, from, to)
      for (const key of keys) {
        const wanted = from !== null && compare(from, key) <= 0 && (to === null || compare(key, to) < 0)
        const sort = bytes(1, key)
        const given = range !== undefined && compare(range.low, sort) <= 0 && compare(sort, range.high) <= 0
        if (given !== wanted) throw new Error(`from ${show(from)} to ${show(to)}: ${show(key)} is ${given ? 'in' : 'not in'} the range`)
        if (given) inside++
      }
    }
  }
  expect(inside).toBeGreaterThan(1000)
})

test('DynamoDB takes every range: its ends are in order, no longer than a key, and neither is empty', () => {
  for (const from of all) {
    for (const to of [...all, null]) {
      const range = sortRange(rowkeyForm, from, to)
      if (range === undefined) continue
      expect(compare(range.low, range.high)).toBeLessThanOrEqual(0)
      for (const end of [range.low, range.high]) {
        expect(end.length).toBeGreaterThan(0)
        expect(end.length).toBeLessThanOrEqual(1024)
      }
    }
  }
})

test('the system items are in no range', () => {
  const range = sortRange(rowkeyForm, run(0, 0), null)
  expect(compare(range?.low as Uint8Array, bytes(0))).toBe(1)
})

const show = (key: Uint8Array | null): string =>
  key === null ? 'the end' : `${Buffer.from(key.subarray(0, 8)).toString('hex')}… (${key.length})`
