import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { murmur2Hex, murmur2Modulo } from '../../src/codec/salts/murmur2.js'
import { property } from '../../../../test/kit/property.js'
import { groups } from '../formats/kudu/vectors.js'

const hashed = groups('murmur2/')

describe.each(hashed)('$id', ({ options, vectors }) => {
  test.each(vectors)('$hex', ({ values, hex }) => {
    const bytes = Uint8Array.from(Buffer.from((values[0] as { v: string }).v, 'hex'))
    expect(murmur2Hex(bytes, Number(options.seed))).toBe(hex)
    for (const modulo of [2, 1000, 65_536, 2 ** 31 - 1]) {
      expect(murmur2Modulo(bytes, 0, bytes.length, Number(options.seed), modulo)).toBe(Number(BigInt(`0x${hex}`) % BigInt(modulo)))
    }
  })
})

test('there are vectors of a seed above 2^31, which a signed integer would extend with ones', () => {
  expect(hashed.map(({ options }) => Number(options.seed))).toEqual([0, 42, 2 ** 32 - 1])
})

/** The same in 64-bit arithmetic. */
function plain(bytes: Uint8Array, seed: number): bigint {
  const wrap = (value: bigint): bigint => BigInt.asUintN(64, value)
  const multiplier = 0xc6a4a7935bd1e995n
  const mixed = (value: bigint): bigint => value ^ (value >> 47n)
  const padded = new DataView(new ArrayBuffer(bytes.length + 8))
  bytes.forEach((byte, at) => {
    padded.setUint8(at, byte)
  })
  let hash = BigInt(seed) ^ wrap(BigInt(bytes.length) * multiplier)
  const whole = bytes.length - (bytes.length % 8)
  for (let at = 0; at < whole; at += 8) {
    hash = wrap((hash ^ wrap(mixed(wrap(padded.getBigUint64(at, true) * multiplier)) * multiplier)) * multiplier)
  }
  if (whole < bytes.length) hash = wrap((hash ^ padded.getBigUint64(whole, true)) * multiplier)
  return mixed(wrap(mixed(hash) * multiplier))
}

const seeds = fc.oneof(fc.nat(2 ** 32 - 1), fc.constantFrom(0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1))
const moduli = fc.oneof(fc.integer({ min: 1, max: 65_536 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.constant(2 ** 31 - 1))
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.array(fc.constantFrom(0, 127, 128, 255), { maxLength: 40 }).map((list) => Uint8Array.from(list)),
)

test('every length of the tail, bytes of one kind', () => {
  for (const byte of [0, 1, 127, 128, 255]) {
    for (let length = 0; length <= 40; length++) {
      const bytes = new Uint8Array(length).fill(byte)
      expect(BigInt(`0x${murmur2Hex(bytes, 7)}`)).toBe(plain(bytes, 7))
    }
  }
})

property('equals a version in 64-bit arithmetic', fc.tuple(anyBytes, seeds), ([bytes, seed]) => {
  expect(BigInt(`0x${murmur2Hex(bytes, seed)}`)).toBe(plain(bytes, seed))
})

property('the remainder is that of the unsigned hash', fc.tuple(anyBytes, seeds, moduli), ([bytes, seed, modulo]) => {
  expect(murmur2Modulo(bytes, 0, bytes.length, seed, modulo)).toBe(Number(plain(bytes, seed) % BigInt(modulo)))
})

property('reads bytes[from, to) and no others', fc.tuple(anyBytes, fc.nat(40), fc.nat(40)), ([bytes, a, b]) => {
  const [from, to] = [Math.min(a, b, bytes.length), Math.min(Math.max(a, b), bytes.length)]
  expect(murmur2Modulo(bytes, from, to, 3, 65_536)).toBe(Number(plain(bytes.slice(from, to), 3) % 65_536n))
})
