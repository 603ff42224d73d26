import { compareKeys, compareText } from '#codec'
import { BINARY, DECIMAL, INT16, INT64, STRING, primaryKey } from '#formats/kudu'
import fc from 'fast-check'
import { expect } from 'vitest'
import { property } from '../../../../../test/kit/property.js'

const key = primaryKey([
  ['text', STRING],
  ['raw', BINARY],
  ['n', INT64],
  ['price', DECIMAL(12, 3)],
  ['level', INT16],
  ['last', STRING],
])
type Key = Parameters<typeof key.encode>[0]

const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 10 }), fc.string({ unit: fc.constantFrom('\0', '\x01', 'a'), maxLength: 4 }))
const raws = fc.array(fc.constantFrom(0, 1, 2, 254, 255), { maxLength: 4 }).map((list) => Uint8Array.from(list))
const thousandths = fc.bigInt({ min: -(10n ** 12n) + 1n, max: 10n ** 12n - 1n })
const keys: fc.Arbitrary<Key> = fc.record({
  text: texts,
  raw: raws,
  n: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  price: thousandths.map(printed),
  level: fc.integer({ min: -32_768, max: 32_767 }),
  last: texts,
})
/** Pairs that differ late, so that every column decides at times. */
const pairs = fc
  .tuple(keys, keys, fc.nat(6))
  .map(
    ([a, b, same]) =>
      [a, Object.fromEntries(Object.entries(b).map((e, i) => (i < same ? [e[0], a[e[0] as keyof Key]] : e))) as Key] as const,
  )

property('decode is the inverse of encode', keys, (given) => {
  expect(key.decode(key.encode(given))).toEqual(given)
})

property('bytes sort like the columns', pairs, ([a, b]) => {
  expect(Math.sign(compareKeys(key.encode(a), key.encode(b)))).toBe(Math.sign(order(a, b)))
})

property('a key that is cut is refused, or the last text is shorter', fc.tuple(keys, fc.nat(60)), ([given, cut]) => {
  const bytes = key.encode(given)
  const part = bytes.subarray(0, Math.max(0, bytes.length - cut))
  let read: Key
  try {
    read = key.decode(part)
  } catch (error) {
    expect(error).toMatchObject({ code: 'MALFORMED_KEY' })
    return
  }
  expect(given.last.startsWith(read.last)).toBe(true)
  expect({ ...read, last: given.last }).toEqual(given)
})

property('what decodes is what encode writes', fc.uint8Array({ minLength: 20, maxLength: 30 }), (bytes) => {
  const keyed = primaryKey([
    ['level', INT16],
    ['raw', BINARY],
    ['last', STRING],
  ])
  // Ends for the column in the middle, so that many of these decode.
  bytes.set([0, 0], 6)
  let read
  try {
    read = keyed.decode(bytes)
  } catch (error) {
    expect(error).toMatchObject({ code: 'MALFORMED_KEY' })
    return
  }
  expect(keyed.encode(read)).toEqual(bytes)
})

function order(a: Key, b: Key): number {
  const byPrice = BigInt(a.price.replace('.', '')) - BigInt(b.price.replace('.', ''))
  return (
    compareText(a.text, b.text) ||
    Buffer.compare(a.raw, b.raw) ||
    Number(a.n > b.n) - Number(a.n < b.n) ||
    Number(byPrice > 0n) - Number(byPrice < 0n) ||
    a.level - b.level ||
    compareText(a.last, b.last)
  )
}

function printed(scaled: bigint): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(4, '0')
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`
}
