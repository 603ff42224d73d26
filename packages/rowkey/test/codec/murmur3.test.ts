import fc from 'fast-check'
import { expect, test } from 'vitest'
import { murmur3 } from '../../src/codec/salts/murmur3.js'
import { property } from '../../../../test/kit/property.js'

const hash = (text: string, seed: number): number => {
  const bytes = new TextEncoder().encode(text)
  return murmur3(bytes, bytes.length, seed)
}

// Published vectors of MurmurHash3_x86_32.
test.each([
  ['', 0, 0],
  ['', 1, 0x514e28b7],
  ['', 0xffffffff, 0x81f16f39],
  ['\0\0\0\0', 0, 0x2362f9de],
  ['a', 0x9747b28c, 0x7fa09ea6],
  ['aa', 0x9747b28c, 0x5d211726],
  ['aaa', 0x9747b28c, 0x283e0130],
  ['aaaa', 0x9747b28c, 0x5a97808a],
  ['ab', 0x9747b28c, 0x74875592],
  ['abc', 0x9747b28c, 0xc84a62dd],
  ['abcd', 0x9747b28c, 0xf0478627],
  ['hello', 0, 0x248bfa47],
  ['hello, world', 0, 0x149bbb7f],
  ['Hello, world!', 0x9747b28c, 0x24884cba],
  ['ππππππππ', 0x9747b28c, 0xd58063c1],
  ['The quick brown fox jumps over the lazy dog', 0, 0x2e4ff723],
  ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
  ['a'.repeat(256), 0x9747b28c, 0x37405bdc],
])('KEY-22: murmur3 of %j with seed %i', (text, seed, expected) => expect(hash(text, seed)).toBe(expected))

test.each([
  ['ffffffff', 0x76293b50],
  ['21436587', 0xf55b516b],
  ['214365', 0x7e4a8634],
  ['2143', 0xa0f7b07a],
  ['21', 0x72661cf4],
  ['000000', 0x85f0b427],
  ['0000', 0x30f4c306],
  ['00', 0x514e28b7],
])('KEY-22: murmur3 of the bytes %s: every length of the tail, bytes above 7f', (hex, expected) => {
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'))
  expect(murmur3(bytes, bytes.length, 0)).toBe(expected)
})

/** Again, with 64-bit arithmetic and DataView instead of shifts. */
function plain(bytes: Uint8Array, seed: number): number {
  const mask = 0xffffffffn
  const rotated = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (32n - by))) & mask
  const mixed = (word: bigint): bigint => (rotated((word * 0xcc9e2d51n) & mask, 15n) * 0x1b873593n) & mask
  const padded = new DataView(new ArrayBuffer(bytes.length + 4))
  bytes.forEach((byte, i) => {
    padded.setUint8(i, byte)
  })
  let hash = BigInt(seed)
  const whole = Math.floor(bytes.length / 4) * 4
  for (let i = 0; i < whole; i += 4) hash = (rotated(hash ^ mixed(BigInt(padded.getUint32(i, true))), 13n) * 5n + 0xe6546b64n) & mask
  if (whole < bytes.length) hash ^= mixed(BigInt(padded.getUint32(whole, true)))
  hash ^= BigInt(bytes.length)
  hash = ((hash ^ (hash >> 16n)) * 0x85ebca6bn) & mask
  hash = ((hash ^ (hash >> 13n)) * 0xc2b2ae35n) & mask
  return Number(hash ^ (hash >> 16n))
}

property(
  'KEY-22: murmur3 equals a second implementation',
  fc.tuple(fc.uint8Array({ maxLength: 100 }), fc.nat(2 ** 32 - 1)),
  ([bytes, seed]) => {
    expect(murmur3(bytes, bytes.length, seed)).toBe(plain(bytes, seed))
  },
)

property('KEY-22: murmur3 reads `length` bytes and no more', fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(40)), ([bytes, cut]) => {
  const length = Math.min(cut, bytes.length)
  expect(murmur3(bytes, length, 7)).toBe(plain(bytes.subarray(0, length), 7))
})
