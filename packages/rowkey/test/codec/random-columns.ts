import {
  bool,
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
  int16,
  int32,
  int64,
  int8,
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
} from '#codec'
import fc from 'fast-check'
import { backwards, byBool, byBytes, byCodePoint, byFloat, byNumber, byText, byTime, keyOrder, type Order } from './reference-order.js'

/** A column type, values it can hold, and the key order they must come out in. */
export interface RandomColumn {
  readonly type: ColumnType
  readonly value: fc.Arbitrary<unknown>
  readonly order: (a: unknown, b: unknown) => number
}

// Both ends of every UTF-8 length, what other codecs trip over, and letters enough to share prefixes.
const nasty = [
  '\0',
  '\x01',
  '\xff',
  '\x7f',
  '\x80',
  '\u07ff',
  '\u0800',
  '\ud7ff',
  '\ue000',
  '\ufeff',
  '\uff5e',
  '\uffff',
  '\u{10000}',
  '😀',
  '\u{10ffff}',
  'a',
  'a',
  'b',
  '_',
  'x',
]
const char = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))
const shortText = fc.array(char, { maxLength: 6 }).map((chars) => chars.join(''))
// Around 24, 32 and 96 units: where writing and reading change their way.
const longText = fc
  .tuple(fc.constantFrom('a', 'a', '\0', 'é', '漢', '😀'), fc.constantFrom(22, 23, 24, 25, 31, 32, 33, 45, 92, 94, 95, 96, 97), shortText)
  .map(([character, length, end]) => character.repeat(length / character.length) + end)
const anyText: fc.Arbitrary<string> = fc.oneof({ weight: 4, arbitrary: shortText }, longText)

const anyByte = fc.oneof(fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0xfe, 0xff), fc.integer({ min: 0, max: 255 }))
const anyBytes: fc.Arbitrary<Uint8Array> = fc.array(anyByte, { maxLength: 8 }).map((list) => Uint8Array.from(list))

const near = (edges: readonly number[], min: number, max: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(...edges.filter((edge) => edge >= min && edge <= max), min, max), fc.integer({ min, max }))
const edges = [0, 1, -1, 127, 128, -128, 255, 256, 32767, 32768, 65535, 65536, 2 ** 31 - 1, 2 ** 31]
const wide = (min: bigint, max: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.bigInt({ min, max }),
    fc.integer({ min: 0, max: 1000 }).map((step) => (step % 2 === 0 ? min + BigInt(step) : max - BigInt(step))),
    fc.constantFrom(0n, 1n, 2n ** 32n, 2n ** 53n + 1n),
  )
const low = -(2n ** 63n)
const high = 2n ** 63n - 1n
const instant = near([0, 1, -1, 2 ** 32, -(2 ** 32), 2 ** 32 - 1, 1.7e12], -8.64e15, 8.64e15)
const positive = (float: number): number => (float === 0 ? 0 : float)
const single = fc.oneof(fc.float().map(positive), fc.constantFrom(0, NaN, Infinity, -Infinity, 2 ** -149, -(2 ** -149), 1.5))
const double = fc.oneof(fc.double().map(positive), fc.constantFrom(0, NaN, Infinity, -Infinity, 5e-324, -5e-324, 1.5, 2 ** 53 + 2))

const codes = { taobao: 'tb', tmall: 'tm', amazon: 'A', '': '\0\0', '\uff5e': 'é', '😀': '\0\x01' }

const column = (type: ColumnType, value: fc.Arbitrary<unknown>, order: Order): RandomColumn => ({
  type,
  value,
  order: order as (a: unknown, b: unknown) => number,
})

const without = (text: string, unwanted: string): string => text.replaceAll(unwanted, '')
const padded = (width: number, pad: string): RandomColumn => {
  const cut = (chars: string): string => {
    let kept = ''
    for (const next of chars) if (kept.length + next.length <= width) kept += next
    while (kept.endsWith(pad)) kept = kept.slice(0, -1)
    return kept
  }
  return column(
    paddedText(width, { pad: pad }),
    anyText.map(cut),
    byText((value: string) => value.padEnd(width, pad)),
  )
}
const separated = (mark: string): RandomColumn =>
  column(
    separatedText(mark),
    anyText.map((value) => without(value, mark)),
    byText((value: string) => value + mark),
  )

/** As much of a text as fits, then NULs or letters. */
const fixed = (width: number): RandomColumn =>
  column(
    fixedText(width),
    fc.tuple(anyText, fc.constantFrom('\0', 'a')).map(([text, fill]) => {
      let kept = ''
      for (const next of text) if (Buffer.byteLength(kept + next) <= width) kept += next
      return kept + fill.repeat(width - Buffer.byteLength(kept))
    }),
    byCodePoint,
  )

const anyUuid = fc.oneof(
  fc.uuid(),
  fc.uuid({ version: 1 }),
  fc.constantFrom(...['0', '1', '2', 'f'].map((v) => `00000000-ffff-${v}fff-0000-000000000000`)),
)
const timed = (value: string): string => {
  const [low = '', middle = '', high = '', rest = '', node = ''] = value.split('-')
  return (high.startsWith('1') ? high + middle + low : high.slice(0, 1) + low + middle + high.slice(1)) + rest + node
}
const anyUlid = fc.oneof(fc.ulid(), fc.constantFrom('0'.repeat(26), `7${'Z'.repeat(25)}`))
const decimals = (precision: number, scale: number): RandomColumn => {
  const last = 10n ** BigInt(precision) - 1n
  const written = (scaled: bigint): string => {
    const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, '0')
    const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)]
    return `${scaled < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${fraction}`}`
  }
  const edge = fc.constantFrom(0n, 1n, -1n, 9n, 10n, -10n, 255n, 256n, -256n, 9999n, last, -last).filter((n) => n <= last && n >= -last)
  const scaledOf = (value: string): bigint => BigInt(value.replace('.', ''))
  const order = (a: string, b: string): number => byNumber(scaledOf(a), scaledOf(b))
  return column(decimal(precision, scale), fc.oneof(fc.bigInt({ min: -last, max: last }), edge).map(written), order)
}

const whole = (max: number): fc.Arbitrary<number> => near([0, 1, 9, 10, 99, 100], 0, max)
const days = near([-719_162, 0, 20_000, 2_932_896], -719_162, 2_932_896).map((day) => new Date(day * 86_400_000))
const seconds = near([0, 1_700_000_000], -62_135_596_800, 253_402_300_799).map((second) => new Date(second * 1000))
const since1970 = whole(8.64e15).map((ms) => new Date(ms))

/** Numbers and times as decimal text, and texts back to front without a terminator. */
const decimalText = (): readonly RandomColumn[] => [
  column(digits(uint16(), { width: 5 }), whole(65_535), byNumber),
  column(digits(int32({ default: 7 }), { max: '99' }), whole(99), byNumber),
  column(digits(uint64(), { width: 20 }), wide(0n, 2n ** 64n - 1n), byNumber),
  column(digits(int64({ as: 'number' }), { max: 2n ** 63n - 1n }), near(edges, 0, Number.MAX_SAFE_INTEGER), byNumber),
  column(digits(timestamp('ms'), { max: 2n ** 63n - 1n }), since1970, byTime),
  column(digits(timestamp('us'), { width: 16 }), wide(0n, 10n ** 16n - 1n), byNumber),
  column(digits(timestamp('ms'), { format: 'yyyyMMddHHmmss' }), seconds, byTime),
  column(digits(date(), { format: 'yyyyMMdd' }), days, byTime),
  column(digits(timestamp('ms'), { format: 'yyyyMMdd' }), days, byTime),
  column(
    digits(int16(), { separator: '_' }),
    near(edges, -32_768, 32_767),
    byText((value: number) => `${value}_`),
  ),
  column(
    digits(timestamp('ms'), { separator: '\0' }),
    since1970,
    byText((value: Date) => `${value.getTime()}\0`),
  ),
  column(
    reversed(separatedText('_')),
    anyText.map((value) => without(value, '_')),
    byText((value: string) => `${backwards(value)}_`),
  ),
  { ...fixed(5), type: reversed(fixedText(5)), order: byText(backwards) as RandomColumn['order'] },
  column(
    reversed(digits(uint32(), { width: 10 })),
    whole(2 ** 32 - 1),
    byText((value: number) => backwards(String(value).padStart(10, '0'))),
  ),
  column(
    reversed(digits(int64(), { separator: '_' })),
    wide(low, high),
    byText((value: bigint) => `${backwards(value)}_`),
  ),
]

const byWholeNumber: Order = (a: string, b: string) => byNumber(BigInt(a), BigInt(b))

/** Every column type that a key can have, without direction and nulls. */
const plainColumns: readonly RandomColumn[] = [
  ...decimalText(),
  column(text(), anyText, byCodePoint),
  column(bytes(), anyBytes, byBytes),
  column(fixedBytes(1), fc.uint8Array({ minLength: 1, maxLength: 1 }), byBytes),
  column(fixedBytes(5), fc.uint8Array({ minLength: 5, maxLength: 5 }), byBytes),
  fixed(1),
  fixed(5),
  column(bool(), fc.boolean(), byBool),
  column(int8(), near(edges, -128, 127), byNumber),
  column(int16(), near(edges, -32768, 32767), byNumber),
  column(int32(), near(edges, -(2 ** 31), 2 ** 31 - 1), byNumber),
  column(int64(), wide(low, high), byNumber),
  column(int64({ as: 'number' }), near([...edges, 2 ** 32, -(2 ** 32)], Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), byNumber),
  column(int64({ as: 'text' }), wide(low, high).map(String), byWholeNumber),
  column(uint8(), near(edges, 0, 255), byNumber),
  column(uint16(), near(edges, 0, 65535), byNumber),
  column(uint32(), near(edges, 0, 2 ** 32 - 1), byNumber),
  column(uint64(), wide(0n, 2n ** 64n - 1n), byNumber),
  column(uint64({ as: 'number' }), near(edges, 0, Number.MAX_SAFE_INTEGER), byNumber),
  column(uint64({ as: 'text' }), wide(0n, 2n ** 64n - 1n).map(String), byWholeNumber),
  column(float32(), single, byFloat),
  column(float64(), double, byFloat),
  column(uuid(), anyUuid, byCodePoint),
  column(uuid({ order: 'time' }), anyUuid, byText(timed)),
  column(ulid(), anyUlid, byCodePoint),
  decimals(4, 0),
  decimals(9, 2),
  decimals(9, 9),
  decimals(18, 4),
  decimals(38, 10),
  column(
    timestamp('ms'),
    instant.map((ms) => new Date(ms)),
    byTime,
  ),
  column(timestamp('ms', { as: 'number' }), instant, byNumber),
  column(timestamp('ms', { as: 'bigint' }), instant.map(BigInt), byNumber),
  column(timestamp('us'), wide(low, high), byNumber),
  column(timestamp('ns'), wide(low, high), byNumber),
  column(timestamp('us', { as: 'text' }), wide(low, high).map(String), byWholeNumber),
  column(
    date(),
    near([0, 1, -1, 20000], -1e8, 1e8).map((day) => new Date(day * 86_400_000)),
    byTime,
  ),
  column(date({ as: 'number' }), near([0, 1, -1, 20000], -1e8, 1e8), byNumber),
  padded(1, 'x'),
  padded(6, 'x'),
  padded(6, '\0'),
  padded(4, '\uffff'),
  separated('_'),
  separated('\0'),
  separated('é'),
  separated('\uffff'),
  column(
    dictionary(codes),
    fc.constantFrom(...Object.keys(codes)),
    byText((value: string) => codes[value as keyof typeof codes]),
  ),
  column(reversed(text()), anyText, byText(backwards)),
  column(reversed(int32()), near(edges, -(2 ** 31), 2 ** 31 - 1), byText(backwards)),
  column(reversed(uint64()), wide(0n, 2n ** 64n - 1n), byText(backwards)),
  column(reversed(int64({ as: 'number' })), near(edges, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), byText(backwards)),
]

/** A plain column in one of its six forms. */
function inForm(plain: RandomColumn, descending: boolean, nulls: 'none' | 'first' | 'last'): RandomColumn {
  const directed = descending ? desc(plain.type) : plain.type
  const type = nulls === 'none' ? directed : nullable(directed, { nulls })
  const value = nulls === 'none' ? plain.value : fc.option(plain.value, { freq: 4 })
  return { type, value, order: keyOrder(plain.order, descending, nulls === 'last' ? 'last' : 'first') }
}

const constants = fc.constantFrom('_', '||', '\0', 'é', '\uffff')

export const anyColumn: fc.Arbitrary<RandomColumn> = fc
  .tuple(fc.constantFrom(...plainColumns), fc.boolean(), fc.constantFrom('none', 'none', 'first', 'last', 'followed'), constants)
  .map(([plain, descending, form, constant]) => {
    if (form !== 'followed') return inForm(plain, descending, form)
    const column = inForm(plain, descending, 'none')
    return { ...column, type: followedBy(column.type, constant) }
  })
