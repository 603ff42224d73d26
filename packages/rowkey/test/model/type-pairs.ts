import {
  bool,
  bucket,
  bytes,
  date,
  decimal,
  desc,
  dictionary,
  digits,
  fixedBytes,
  fixedText,
  float32,
  float64,
  followedBy,
  kuduHash,
  hashPrefix,
  int16,
  int32,
  int64,
  int8,
  lastBytes,
  lastText,
  nullable,
  paddedText,
  reversed,
  separatedText,
  text,
  timestamp,
  uint16,
  uint32,
  uint64,
  uint8,
  ulid,
  uuid,
  type ColumnType,
  type Salt,
  type TypeData,
  type Value,
} from '#codec'
import { derived, typeFacts } from '#codec/internal'
import fc from 'fast-check'

const oneOf = <T>(...items: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...items)
const words = oneOf('', 'a', 'b', 'ab', "a', b: 'b", "b', c: 'd", '\0', '_', 'é')
const marks = oneOf('_', ' ', '\0', 'x', "'")

const codes = fc
  .uniqueArray(fc.tuple(words, oneOf('x', 'y', 'z', "x', b: 'y", 'é')), {
    minLength: 1,
    maxLength: 4,
    selector: ([value]) => value,
  })
  .filter((table) => table.every(([, a], i) => table.every(([, b], j) => i === j || !b.startsWith(a))))
  .map((table) => dictionary(Object.fromEntries(table)))

const integers = oneOf<ColumnType>(int8(), int16(), int32(), uint8(), uint16(), uint32(), int64(), uint64(), int64({ as: 'number' }))

/** Types that look alike are in one family, so that two drawn from it often differ in one option only. */
const families: readonly fc.Arbitrary<ColumnType>[] = [
  fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 3 })).map(([digits, scale]) => decimal(digits + 3, scale)),
  oneOf<ColumnType>(uuid(), uuid({ order: 'time' }), ulid(), text()),
  oneOf<ColumnType>(timestamp('ms'), timestamp('us'), timestamp('ns'), timestamp('ms', { as: 'number' }), date(), date({ as: 'number' })),
  fc.tuple(fc.integer({ min: 1, max: 3 }), marks).map(([width, pad]) => paddedText(width, { pad: pad })),
  marks.map((mark) => separatedText(mark)),
  fc.tuple(marks, fc.boolean()).map(([mark, isLast]) => (isLast ? separatedText(mark, { split: 'last' }) : separatedText(mark))),
  oneOf<ColumnType>(fixedText(1), fixedText(2), lastText(), text(), paddedText(2, { pad: '_' })),
  oneOf<ColumnType>(lastBytes(), bytes(), fixedBytes(2)),
  codes,
  integers,
  fc.oneof(
    integers.map((type) => reversed(type)),
    oneOf(reversed(text())),
  ),
  oneOf<ColumnType>(
    ...[digits(uint16(), { width: 5 }), digits(uint16(), { width: 4 }), digits(uint16(), { max: '99999' }), digits(uint32(), { width: 5 })],
    ...[
      digits(uint16(), { separator: '_' }),
      digits(uint16(), { separator: ' ' }),
      digits(uint16()),
      reversed(digits(uint16(), { separator: '_' })),
    ],
    ...[digits(date(), { format: 'yyyyMMdd' }), digits(timestamp('ms'), { format: 'yyyyMMdd' }), digits(date(), { width: 8 })],
  ),
  oneOf<ColumnType>(
    ...[reversed(fixedText(1)), reversed(fixedText(2)), reversed(separatedText('_')), reversed(separatedText(' ')), reversed(lastText())],
    ...[reversed(text()), separatedText('', { split: 'last' }), separatedText('_', { split: 'last' }), lastText()],
  ),
  oneOf<ColumnType>(bytes(), fixedBytes(1), fixedBytes(2), text(), bool()),
  oneOf<ColumnType>(float32(), float64(), int32()),
]

const wrapped = (types: fc.Arbitrary<ColumnType>): fc.Arbitrary<ColumnType> =>
  fc
    .tuple(types, oneOf(false, false, false, true), oneOf(undefined, undefined, 'first' as const, 'last' as const, '_', '__'))
    .map(([type, down, nulls]) => {
      if (typeFacts(type).openEnded) return type // it has no other form in a key
      const turned = down ? desc(type) : type
      if (nulls === '_' || nulls === '__') return followedBy(turned, nulls)
      return nulls === undefined ? turned : nullable(turned, { nulls: nulls as 'first' | 'last' })
    })

/** Two types of one family, or any two. */
export const typePair: fc.Arbitrary<readonly [ColumnType, ColumnType]> = fc.oneof(
  { weight: 5, arbitrary: oneOf(...families).chain((family) => fc.tuple(wrapped(family), wrapped(family))) },
  { weight: 1, arbitrary: fc.tuple(wrapped(fc.oneof(...families)), wrapped(fc.oneof(...families))) },
)

/** The type whose values look as rows hold them. */
export function asStored(type: TypeData): TypeData {
  if (type.inner !== undefined) return derived(type, { inner: asStored(type.inner) })
  if (type.kind === 'date' || (type.kind === 'timestamp' && type.unit === 'ms')) return derived(type, { as: 'number' })
  return type.as === undefined ? type : derived(type, { as: 'bigint' })
}

const numbers = [
  0,
  1,
  -1,
  127,
  128,
  -128,
  255,
  256,
  32767,
  32768,
  65535,
  65536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  1.5,
  0.1,
  1e8,
  1e15,
]

/** Values by which two types can be told apart, at the edges of their options. */
export function valuesAround({
  precision = 0,
  scale = 0,
  width = 0,
  pad = '',
  separator = '',
  codes: table = [],
}: TypeData): readonly Value[] {
  const point = scale === 0 ? '' : `.${'9'.repeat(scale)}`
  return [
    null,
    true,
    ...numbers,
    ...numbers.filter(Number.isInteger).map(BigInt),
    ...['', 'a', 'ab', 'abc', 'x', '_', ' ', '\0', 'é', "'", '12', '-12'],
    ...['a'.repeat(width), `${'a'.repeat(width)}b`, pad, `a${pad}`, separator, `a${separator}b`],
    ...table.map(([value]) => value),
    ...[`${'9'.repeat(Math.max(1, precision - scale))}${point}`, `0${point}`],
    ...['11111111-2222-1333-8444-555555555555', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ...[0, 1, 2, 3].map((length) => new Uint8Array(length).fill(7)),
  ]
}

const of = oneOf(['k'], ['n'], ['k', 'n'], ['t'])

/** Salts of the key columns k (int32), n (int64) and t (text). */
export const anySalts: fc.Arbitrary<readonly Salt[]> = fc.array(
  fc.oneof(
    fc.tuple(of, oneOf(2, 4, 16, 256, 257), oneOf(0, 1, 7)).map(([columns, count, seed]) => bucket({ of: columns, count, seed })),
    fc.tuple(oneOf('k', 'n'), oneOf(2, 4, 16)).map(([column, modulo]) => bucket({ of: column, modulo })),
    fc.tuple(of, oneOf(1, 2)).map(([columns, digits]) => hashPrefix({ of: columns, digits })),
    fc
      .tuple(
        oneOf(4, 8, 16),
        oneOf<{ bytes?: 4 | 8; decimalDigits?: number }>({}, { bytes: 4 }, { bytes: 8 }, { decimalDigits: 1 }, { decimalDigits: 2 }),
      )
      .map(([modulo, form]) => bucket({ of: 'n', modulo, ...form, separator: '_' })),
    fc.tuple(of, oneOf('_', '__')).map(([columns, separator]) => hashPrefix({ of: columns, digits: 2, separator })),
    fc.tuple(of, oneOf('_', '__')).map(([columns, separator]) => bucket({ of: columns, count: 4, separator })),
    fc.tuple(of, oneOf(2, 4, 16), oneOf(0, 1, 7)).map(([columns, count, seed]) => kuduHash({ of: columns, count, seed })),
  ),
  { minLength: 0, maxLength: 2 },
)
