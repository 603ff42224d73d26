import {
  desc,
  digits,
  fixedBytes,
  fixedText,
  followedBy,
  hashPrefix,
  bucket,
  keyLayout,
  lastBytes,
  lastText,
  reversed,
  separatedText,
  text,
  uint32,
  uint8,
  type ColumnType,
  type KeyLayout,
  type Salt,
} from '#codec'
import fc from 'fast-check'

/** A layout whose keys may begin other keys, some of its keys, and the number of columns before the one without an end of its own. */
export interface OpenLayout {
  readonly types: readonly ColumnType[]
  readonly salts: readonly Salt[]
  readonly layout: KeyLayout
  readonly interpreted: KeyLayout
  readonly rows: readonly (readonly unknown[])[]
}

// Few characters, so that values often continue each other, and the separator is everywhere.
const word = fc.array(fc.constantFrom('_', '_', 'a', '7', '\0', '\xff', 'é', '😀', '_a'), { maxLength: 4 }).map((parts) => parts.join(''))
const narrow = (width: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom('_', '_', 'a', '7', '\0', '`'), { minLength: width, maxLength: width }).map((parts) => parts.join(''))
const byte = fc.constantFrom(0, 1, 0x5f, 0x60, 0x61, 0xff)

type Sample = readonly [type: ColumnType, values: fc.Arbitrary<unknown>]

const before: readonly Sample[] = [
  [text(), fc.constantFrom('', 'a', 'b')],
  [desc(uint8()), fc.constantFrom(0, 1)],
  [separatedText('_'), fc.constantFrom('', 'a', 'a7')],
  [followedBy(fixedText(1), '#'), fc.constantFrom('a', 'b')],
]
const ends: readonly Sample[] = [
  [lastText(), word.filter((value) => value !== '')],
  [reversed(lastText()), word.filter((value) => value !== '')],
  [digits(uint32()), fc.constantFrom(0, 1, 9, 10, 12, 100, 2 ** 32 - 1)],
  [
    lastBytes(),
    fc.uint8Array({ minLength: 1, maxLength: 3 }).chain((bytes) =>
      fc.constantFrom(
        bytes,
        bytes.map((one) => one % 3),
        bytes.map((one) => 0xff - (one % 2)),
      ),
    ),
  ],
]
const splits: readonly Sample[] = ['_', 'a', 'é', '\0', '' as '_'].map((mark) => [separatedText(mark, { split: 'last' }), word] as const)
const after: readonly Sample[] = [
  [fixedText(1), narrow(1)],
  [fixedText(3), narrow(3)],
  [desc(fixedText(2)), narrow(2)],
  [uint8(), byte],
  [desc(digits(uint8(), { width: 3 })), byte],
  [followedBy(desc(uint8()), '_'), byte],
  [fixedBytes(2), fc.tuple(byte, byte).map((pair) => Uint8Array.from(pair))],
]
const some = (samples: readonly Sample[], maxLength: number): fc.Arbitrary<Sample[]> => fc.array(fc.constantFrom(...samples), { maxLength })

const split = fc.tuple(some(before, 1), fc.constantFrom(...splits), some(after, 2)).map(([first, open, rest]) => [...first, open, ...rest])
const last = fc.tuple(some(before, 2), fc.constantFrom(...ends)).map(([first, open]) => [...first, open])

export const nameOf = (position: number): string => `c${position}`
export const keyOf = (row: readonly unknown[]): Record<string, unknown> => Object.fromEntries(row.map((value, i) => [nameOf(i), value]))

/** Two to eight keys that often share their first columns. */
export const anyOpenLayout: fc.Arbitrary<OpenLayout> = fc
  .oneof({ weight: 2, arbitrary: split }, { weight: 1, arbitrary: last })
  .chain((samples) => {
    const types = samples.map(([type]) => type)
    const names = types.map((_, i) => nameOf(i))
    const row = fc.tuple(...samples.map(([, values]) => values))
    const rows = fc
      .array(fc.tuple(row, fc.nat(types.length)), { minLength: 2, maxLength: 8 })
      .map((drawn) => drawn.map(([values, shared], i) => values.map((value, at) => (i > 0 && at < shared ? drawn[i - 1]?.[0][at] : value))))
    const of = fc.shuffledSubarray(names, { minLength: 1 })
    const salts = fc.oneof(
      fc.constant([]),
      of.map((columns) => [hashPrefix({ of: columns, digits: 1, separator: '_' })]),
      of.map((columns) => [bucket({ of: columns, count: 2, separator: '__' })]),
    )
    return fc.tuple(salts, rows).map(([salt, keys]) => {
      const columns = types.map((type, i) => [nameOf(i), type] as const)
      return {
        types,
        salts: salt,
        layout: keyLayout(columns, { salt }),
        interpreted: keyLayout(columns, { salt, codegen: 'never' }),
        rows: keys,
      }
    })
  })
