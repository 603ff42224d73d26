import { bytes, desc, fixedBytes, keyLayout, paddedText, text, uuid, type TypeData } from '#codec'
import { describe, expect, test } from 'vitest'

const columns = [
  ['b', bytes()],
  ['f', fixedBytes(2)],
  ['d', desc(fixedBytes(2))],
  ['t', text()],
  ['p', paddedText(3, { pad: 'x' })],
  ['u', desc(uuid())],
] as const
const key = (): { b: Uint8Array; f: Uint8Array; d: Uint8Array; t: string; p: string; u: string } => ({
  b: Uint8Array.of(1, 0, 2),
  f: Uint8Array.of(3, 4),
  d: Uint8Array.of(5, 6),
  t: 'text',
  p: 'é',
  u: '00112233-4455-6677-8899-aabbccddeeff',
})

describe.each([
  ['Uint8Array', (given: Uint8Array) => new Uint8Array(given)],
  ['Buffer', (given: Uint8Array) => Buffer.from(given)],
])('%s', (_, copy) => {
  const layout = keyLayout(columns)

  test('decode shares no memory with the key and gives plain Uint8Arrays', () => {
    const given = copy(layout.encode(key()))
    const decoded = layout.decode(given)
    expect([...given]).toEqual([...layout.encode(key())])
    given.fill(0xee)
    expect(decoded).toEqual(key())
    for (const value of [decoded.b, decoded.f, decoded.d]) expect(value.constructor).toBe(Uint8Array)
  })

  test('encode shares no memory with the key object', () => {
    const object = { ...key(), b: copy(key().b), f: copy(key().f), d: copy(key().d) }
    const encoded = layout.encode(object)
    object.b.fill(9)
    object.f.fill(9)
    object.d.fill(9)
    expect(encoded).toEqual(layout.encode(key()))
    expect(encoded.byteLength).toBe(encoded.buffer.byteLength)
  })

  test('a part of a larger buffer is decoded as that part', () => {
    const encoded = layout.encode(key())
    const larger = copy(new Uint8Array(encoded.length + 20))
    layout.encodeInto(larger, 7, key())
    expect(layout.decode(larger.subarray(7, 7 + encoded.length))).toEqual(key())
  })

  test('a constant default is a copy', () => {
    const given = copy(Uint8Array.of(1, 2))
    const type: TypeData = fixedBytes(2, { default: given })
    given.fill(9)
    expect(type.default).toEqual({ kind: 'constant', value: Uint8Array.of(1, 2) })
  })
})

test('column types are frozen all through', () => {
  const frozen = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return true
    return Object.isFrozen(value) && Object.values(value).every(frozen)
  }
  for (const [, type] of columns) expect(frozen(type)).toBe(true)
})
