import { fromHex, type ColumnType } from '#codec'
import fc from 'fast-check'

/** Makes other bytes of a key: some still a key, most not. */
export type Damage = (key: Uint8Array) => Uint8Array

// What a lenient decoder would let through, column by column.
const trouble = [
  ...['00', '01', '02', '0000', '0001', '0002', '00ff', '7f', '80', 'fe', 'ff'],
  // UTF-8: surrogates, overlong, beyond U+10FFFF, cut off, U+FFFF
  ...['eda080', 'edbfbf', 'c080', 'c1bf', 'e08080', 'f08080bf', 'f4908080', 'f5808080', 'c3', 'f09f98', 'efbfbf', 'f09f9880'],
  // floats: -0 and another NaN
  ...['7fffffff', '7fffffffffffffff', 'ffc00001', 'fff8000000000001', '003fffff', 'ffe0000000000000'],
  // one too many: instants, days, 2^53, decimals of 4, 9, 18 and 38 digits
  ...['801eb208c2dc0001', '7fe14df73d23ffff', '8020000000000000', '85f5e101', '7a0a1eff', '7fe0000000000000', '0020000000000000'],
  ...['80002710', '7fffd8f0', 'bb9aca00', '44653600', '8de0b6b3a7640000', '721f494c589c0000', `cb3b4ca85a86c47a098a2240${'0'.repeat(8)}`],
  // reversed digits: no digit, leading zeros, -0, 2^31
  ...['0000', '2d0000', '300000', '30300000', '302d0000', '31300000', '383436333834373431320000', `39${'3939'.repeat(30)}0000`],
].map(fromHex)

const chunk = fc.oneof(
  fc.tuple(fc.constantFrom(...trouble), fc.boolean()).map(([bytes, descending]) => (descending ? bytes.map((byte) => ~byte) : bytes)),
  fc.uint8Array({ minLength: 1, maxLength: 16 }),
)
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))

export const anyDamage: fc.Arbitrary<Damage> = fc
  .record({
    how: fc.constantFrom('cut', 'drop', 'insert', 'overwrite', 'overwrite', 'replace', 'flip'),
    place: fc.oneof(fc.constantFrom(0, 0, 1), fc.nat(40)),
    chunk,
  })
  .map(({ how, place, chunk }) => (key) => {
    const at = place % (key.length + 1)
    const [before, after] = [key.slice(0, at), key.slice(at)]
    if (how === 'cut') return before
    if (how === 'drop') return joined(before, after.slice(1))
    if (how === 'insert') return joined(before, chunk, after)
    if (how === 'overwrite') return joined(before, chunk, after.slice(chunk.length))
    if (how === 'replace') return chunk
    return key.map((byte, i) => (i === at ? byte ^ (1 << (place % 8)) : byte))
  })

/** Bytes that are wrong for some type, as the only value of a column of this one; texts among them with the ends that texts have. */
export function hostile({ desc, nullable }: ColumnType): readonly Uint8Array[] {
  const marker = Uint8Array.from(nullable ? [1] : [])
  return trouble.flatMap((bytes) =>
    ['', '0000', '5f'].map((end) => {
      const encoding = joined(bytes, fromHex(end))
      return joined(marker, desc ? encoding.map((byte) => ~byte) : encoding)
    }),
  )
}

/** The key with each bit of its salt, the first `width` bytes, turned: among them is the upper case of each hex digit. */
export const otherSalts =
  (width: number) =>
  (key: Uint8Array): readonly Uint8Array[] =>
    Array.from({ length: 8 * width }, (_, bit) => key.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)))
