import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/kit/seeded.js'
import { MalformedAnswer } from '../src/malformed-answer.js'
import {
  bool,
  bytes,
  decode,
  encode,
  int32,
  int64,
  message,
  names,
  optional,
  packed,
  repeated,
  required,
  text,
} from '../src/proto/codec.js'
import { Reader } from '../src/proto/reader.js'
import { Writer } from '../src/proto/writer.js'
import { all, encodeTheirs, isTheirs, randomPair } from './proto-oracle.js'

test.each(all)('$name is encoded and decoded as protobufjs does, and what nobody knows is passed over', (compared) => {
  const random = seeded()
  for (let count = scaled(400); count > 0; count--) {
    const { ours, theirs } = randomPair(compared, random, false)
    const expected = encodeTheirs(compared, theirs)
    const encoded = Buffer.from(encode(compared.shape, ours))
    expect(encoded.equals(expected)).toBe(true)
    expect(decode(compared.shape, expected)).toEqual(ours)
    const more = randomPair(compared, random, true)
    expect(decode(compared.shape, encodeTheirs(compared, more.theirs))).toEqual(more.ours)
  }
})

test.each(all)('$name is refused when it was cut, unless it ends where a field does', (compared) => {
  const random = seeded()
  for (let count = scaled(40); count > 0; count--) {
    const encoded = encodeTheirs(compared, randomPair(compared, random, false).theirs)
    const step = Math.max(1, Math.floor(encoded.length / 200))
    for (let end = 0; end < encoded.length; end += step) {
      const cut = encoded.subarray(0, end)
      const isRead = (() => {
        try {
          decode(compared.shape, cut)
          return true
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedAnswer)
          return false
        }
      })()
      expect(isRead).toBe(isTheirs(compared, cut))
    }
  }
})

test('damaged messages are read or refused, and nothing else', () => {
  const random = seeded()
  const { below } = random
  const outcomes = { read: 0, refused: 0 }
  for (let count = scaled(20_000); count > 0; count--) {
    const compared = all[below(all.length)] as (typeof all)[number]
    const damaged = Buffer.from(encodeTheirs(compared, randomPair(compared, random, true).theirs))
    if (damaged.length === 0) continue
    for (let left = 1 + below(4); left > 0; left--) damaged[below(damaged.length)] = below(256)
    try {
      decode(compared.shape, damaged)
      outcomes.read++
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedAnswer)
      outcomes.refused++
    }
  }
  expect(outcomes.read).toBeGreaterThan(0)
  expect(outcomes.refused).toBeGreaterThan(0)
})

interface Small {
  readonly number: number
  readonly words: readonly string[]
  readonly numbers: readonly number[]
  readonly flag?: boolean | undefined
  readonly wide?: bigint | undefined
  readonly raw?: Uint8Array | undefined
  readonly kind?: 'A' | 'B' | `#${number}` | undefined
}
const small = message<Small>({
  number: required(1, int32),
  words: repeated(2, text),
  numbers: packed(3, int32),
  flag: optional(4, bool),
  wide: optional(5, int64),
  raw: optional(6, bytes),
  kind: optional(7, names({ A: 0, B: 1 })),
})

test.each([
  ['a varint for text', '0801 1001', /words is of the wire type 0/],
  ['text for a varint', '0a00', /number is of the wire type 2/],
  ['four bytes for a varint', '0d00000000', /number is of the wire type 5/],
  ['a group', '0801 4b4c', /number 9 is of the wire type 3/],
  ['a wire type that does not exist', '0801 7f', /number 15 is of the wire type 7/],
  ['the number 0', '0801 0000', /number 0/],
  ['a varint without an end', `08${'ff'.repeat(11)}`, /more than ten bytes/],
  ['a varint of eleven bytes', `0801 28${'80'.repeat(10)}01`, /more than ten bytes/],
  ['a length beyond the end', '0801 12 ff ff ff ff 0f', /ends too early/],
  ['an unknown length beyond the end', '0801 7a 05 00', /ends too early/],
  ['a packed list that ends within a number', '0801 1a 01 80', /ends too early/],
  ['no required field', '1200', /number is missing/],
])('%s is refused', (_, hex, expected) => {
  const given = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  expect(() => decode(small, given)).toThrow(expected)
  expect(() => decode(small, given)).toThrow(MalformedAnswer)
})

test('a list is read whether it is packed or not, and a field that is there twice counts once, the last one', () => {
  const given = Buffer.from('0801 1801 1a020203 1804 0802'.replaceAll(' ', ''), 'hex')
  expect(decode(small, given)).toEqual({ number: 2, words: [], numbers: [1, 2, 3, 4] })
})

test('numbers of an enum that have no name are kept', () => {
  const value: Small = { number: 0, words: [], numbers: [], kind: '#77' }
  expect(decode(small, encode(small, value))).toEqual(value)
})

test('bytes that were read are copies: they do not keep the answer', () => {
  const given = Buffer.from(encode(small, { number: 1, words: [], numbers: [], raw: Buffer.from('abc') }))
  const { raw } = decode(small, given)
  given.fill(0)
  expect(Buffer.from(raw ?? []).toString()).toBe('abc')
  expect(raw?.buffer.byteLength).toBe(3)
})

test('what is written is not changed by what is written next, and grows as it has to', () => {
  const writer = new Writer(1)
  for (let index = 0; index < 1_000; index++) writer.uint32(index)
  const reader = new Reader(writer.finish())
  for (let index = 999; index >= 0; index--) expect(reader.uint32()).toBe(index)
  const [first, second] = ['a', 'b'].map((word) => encode(small, { number: 1, words: [word], numbers: [] }))
  expect(decode(small, first as Uint8Array).words).toEqual(['a'])
  expect(decode(small, second as Uint8Array).words).toEqual(['b'])
})
