// Tested by toy.test.ts.
import {
  bool,
  bytes,
  type ColumnType,
  date,
  decimal,
  dictionary,
  digits,
  fixedBytes,
  fixedText,
  float32,
  float64,
  followedBy,
  fromHex,
  int16,
  int32,
  int64,
  int8,
  lastBytes,
  lastText,
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
} from '#codec'

/** A column type as the oracle sees it: its own pool of values and its own definition of order, without the codec. */
export interface OracleKind {
  readonly name: string
  readonly type: ColumnType
  readonly pool: readonly unknown[]
  /** Value order, for predicates. */
  compare(a: never, b: never): number
  /** Order in the key, if it is not the value order. */
  readonly keyOrder?: (a: never, b: never) => number
  readonly isText?: boolean
  readonly isInteger?: boolean
}

const points = (value: string): number[] => Array.from(value, (character) => character.codePointAt(0) ?? 0)
function byCodePoint(a: string, b: string): number {
  const [x, y] = [points(a), points(b)]
  for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return (x[i] as number) - (y[i] as number)
  return x.length - y.length
}
const byNumber = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0)
const byWholeNumber = (a: string, b: string): number => byNumber(BigInt(a), BigInt(b))
const byFloat = (a: number, b: number): number =>
  Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : byNumber(a, b)
const byBytes = (a: Uint8Array, b: Uint8Array): number => {
  const differs = a.findIndex((byte, i) => byte !== b[i])
  return differs < 0 || differs >= b.length ? a.length - b.length : (a[differs] as number) - (b[differs] as number)
}
const byDate = (a: Date, b: Date): number => a.getTime() - b.getTime()
const by =
  <T>(form: (value: T) => string): ((a: T, b: T) => number) =>
  (a, b) =>
    byCodePoint(form(a), form(b))
const backwards = (value: unknown): string => Array.from(String(value)).reverse().join('')

const byDecimal = (a: string, b: string): number => byNumber(BigInt(a.replace('.', '')), BigInt(b.replace('.', '')))
const clockFirst = (value: string): string => {
  const [low = '', middle = '', high = '', ...rest] = value.split('-')
  return [high.startsWith('1') ? high + middle + low : high.slice(0, 1) + low + middle + high.slice(1), ...rest].join('')
}

// NUL, 01 and characters whose UTF-8 order differs from their UTF-16 order: here mistakes in escapes and successors show.
const strings = [
  '',
  'a',
  'ab',
  'a\0',
  'a\0b',
  'a\u0001',
  'b',
  '\u00ff',
  '\u00ff\u00ff',
  '\uff5e',
  '\u{1f600}',
  '\ud7ff',
  '\ue000',
  '\u{10ffff}',
  'host1',
  'host12',
  '\0',
]
const integers = [-128, -2, -1, 0, 1, 2, 3, 4, 7, 8, 100, 127]
const naturals = [0, 1, 2, 3, 4, 5, 7, 8, 100, 127, 254, 255]
const wide = [-(2n ** 63n), -(2n ** 53n) - 1n, -256n, -1n, 0n, 1n, 2n, 3n, 255n, 256n, 2n ** 53n + 1n, 2n ** 63n - 1n]
const instants = [-8.64e15, -1, 0, 1, 2, 3, 1000, 255, 256, 1_700_000_000_000, 1_700_000_000_001, 8.64e15]
const since1970 = instants.filter((ms) => ms >= 0).map((ms) => new Date(ms))
const seconds = [-62_135_596_800, -1, 0, 1, 59, 60, 1_700_000_000, 253_402_300_799].map((second) => new Date(second * 1000))
const byteStrings = ['', '00', '0000', '0001', '01', 'ff', 'ffff', 'ff00', 'fe', '00ff', '61', '6100'].map(fromHex)
const codes = { taobao: 'tb', tmall: 'tm', alpha: 'z', zeta: 'a' }

const integer = (name: string, type: ColumnType, pool: readonly unknown[]): OracleKind => ({
  name,
  type,
  pool,
  compare: byNumber,
  isInteger: true,
})

/** Kinds without an end of their own: for the last key column only, ascending and never null. */
export const lastKinds: readonly OracleKind[] = [
  { name: 'lastText', type: lastText(), pool: strings.filter((value) => value !== ''), compare: byCodePoint, isText: true },
  {
    name: 'reversed lastText',
    type: reversed(lastText()),
    pool: strings.filter((value) => value !== ''),
    compare: byCodePoint,
    keyOrder: by((value: string) => backwards(value)),
  },
  { ...integer('digits at the end', digits(uint32()), [...naturals, 10, 99, 2 ** 32 - 1]), keyOrder: by(String) },
  { name: 'lastBytes', type: lastBytes(), pool: byteStrings.filter(({ length }) => length > 0), compare: byBytes },
]

/** Kinds that are followed by text: for key columns only, never null. */
export const followedKinds: readonly OracleKind[] = [
  { name: 'followed text', type: followedBy(text(), '_'), pool: strings, compare: byCodePoint, isText: true },
  integer('followed int16', followedBy(int16(), '||'), integers),
]

export const kinds: readonly OracleKind[] = [
  { name: 'text', type: text(), pool: strings, compare: byCodePoint, isText: true },
  { name: 'text again', type: text(), pool: strings, compare: byCodePoint, isText: true },
  { name: 'bytes', type: bytes(), pool: byteStrings, compare: byBytes },
  { name: 'fixedBytes', type: fixedBytes(2), pool: byteStrings.filter(({ length }) => length === 2), compare: byBytes },
  { name: 'bool', type: bool(), pool: [false, true], compare: (a: boolean, b: boolean) => Number(a) - Number(b) },
  integer('int8', int8(), integers),
  integer('int16', int16(), [...integers, -32768, 32767]),
  integer('int32', int32(), [...integers, -(2 ** 31), 2 ** 31 - 1]),
  integer('uint8', uint8(), naturals),
  integer('uint16', uint16(), [...naturals, 256, 2 ** 15, 2 ** 16 - 1]),
  integer('uint32', uint32(), [...naturals, 2 ** 31, 2 ** 32 - 1]),
  integer('int64', int64(), wide),
  integer('int64 as number', int64({ as: 'number' }), [...integers, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]),
  { name: 'int64 as text', type: int64({ as: 'text' }), pool: wide.map(String), compare: byWholeNumber },
  integer('uint64', uint64(), [0n, 1n, 2n, 3n, 255n, 256n, 2n ** 63n, 2n ** 64n - 1n]),
  { name: 'float64', type: float64(), pool: [-Infinity, -1.5, -5e-324, -0, 0, 5e-324, 0.1, 1, 2, 1e308, Infinity, NaN], compare: byFloat },
  { name: 'float32', type: float32(), pool: [-Infinity, -1.5, -0, 0, 0.5, 1, 2, Infinity, NaN], compare: byFloat },
  {
    name: 'uuid',
    type: uuid(),
    pool: [
      '00000000-0000-0000-0000-000000000000',
      '00000000-0000-0000-0000-0000000000ff',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '0f000000-0000-0000-0000-000000000000',
    ],
    compare: byCodePoint,
  },
  {
    name: 'uuid by time',
    type: uuid({ order: 'time' }),
    pool: [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-0000-1000-0000-000000000001',
      '00000000-0001-1000-0000-000000000000',
      '00000000-0000-1001-ffff-000000000000',
      'ffffffff-ffff-1fff-ffff-ffffffffffff',
      '00000000-0000-4000-8000-000000000000',
      '018bcfe5-6800-7000-8000-000000000000',
      '018bcfe5-6801-7000-8000-000000000000',
    ],
    compare: by(clockFirst),
  },
  {
    name: 'ulid',
    type: ulid(),
    pool: [`0${'0'.repeat(25)}`, '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAW', `7${'Z'.repeat(25)}`],
    compare: byCodePoint,
  },
  {
    name: 'decimal(9,2)',
    type: decimal(9, 2),
    pool: ['-9999999.99', '-10.00', '-9.99', '-0.01', '0.00', '0.01', '9.99', '10.00'],
    compare: byDecimal,
  },
  {
    name: 'decimal(38)',
    type: decimal(38),
    pool: [`-${'9'.repeat(38)}`, '-1', '0', '9', '10', '18446744073709551616', '9'.repeat(38)],
    compare: byDecimal,
  },
  { name: 'timestamp ms', type: timestamp('ms'), pool: instants.map((ms) => new Date(ms)), compare: byDate },
  integer('timestamp ms as number', timestamp('ms', { as: 'number' }), instants),
  integer('timestamp ms as bigint', timestamp('ms', { as: 'bigint' }), instants.map(BigInt)),
  integer('timestamp us', timestamp('us'), wide),
  integer('timestamp ns', timestamp('ns'), wide),
  { name: 'timestamp us as text', type: timestamp('us', { as: 'text' }), pool: wide.map(String), compare: byWholeNumber },
  {
    name: 'date',
    type: date(),
    pool: [-719_162, -1, 0, 1, 2, 256, 20_000, 2_932_896].map((days) => new Date(days * 86_400_000)),
    compare: byDate,
  },
  {
    name: 'paddedText x',
    type: paddedText(8, { pad: 'x' }),
    pool: ['', 'a', 'host1', 'host12', 'a\0', 'z', '\u{1f600}'],
    compare: byCodePoint,
    keyOrder: by((value: string) => value.padEnd(8, 'x')),
  },
  {
    name: 'paddedText NUL',
    type: paddedText(4, { pad: '\0' }),
    pool: ['', 'a', 'ab', 'a\u0001', '\u{1f600}', '\uff5e'],
    compare: byCodePoint,
  },
  {
    name: 'separatedText',
    type: separatedText('_'),
    pool: ['', 'a', 'a1', 'aZ', 'host1', 'host12', '\u{1f600}'],
    compare: byCodePoint,
    keyOrder: by((value: string) => `${value}_`),
  },
  {
    name: 'separatedText NUL',
    type: separatedText('\0'),
    pool: ['', 'a', 'a\u0001', 'ab', 'b', '\u00ff', '\uff5e', '\u{1f600}'],
    compare: byCodePoint,
  },
  {
    name: 'fixedText',
    type: fixedText(3),
    pool: ['\0\0\0', '\0\0a', 'a\0\0', 'aaa', 'aab', 'ab\0', 'a\u00ff', '\u00ffa', '\uff5e', '\ud7ff', '\ue000'],
    compare: byCodePoint,
  },
  {
    name: 'reversed fixedText',
    type: reversed(fixedText(3)),
    pool: ['\0\0\0', '\0\0a', 'a\0\0', 'aab', 'baa', 'a\u00ff', '\u00ffa', '\uff5e'],
    compare: byCodePoint,
    keyOrder: by((value: string) => backwards(value)),
  },
  {
    name: 'reversed separatedText',
    type: reversed(separatedText('_')),
    pool: ['', 'a', '1a', 'Za', 'host1', 'host12', '\u{1f600}'],
    compare: byCodePoint,
    keyOrder: by((value: string) => `${backwards(value)}_`),
  },
  integer('digits', digits(int64(), { width: 19 }), [0n, 1n, 9n, 10n, 255n, 2n ** 53n + 1n, 2n ** 63n - 1n]),
  integer('digits up to a max', digits(uint16(), { max: '255' }), naturals),
  { name: 'digits of ms', type: digits(timestamp('ms'), { max: 2n ** 63n - 1n }), pool: since1970, compare: byDate },
  { name: 'digits of seconds', type: digits(timestamp('ms'), { format: 'yyyyMMddHHmmss' }), pool: seconds, compare: byDate },
  {
    ...integer('digits and a separator', digits(int16(), { separator: '_' }), [...integers, 10, -32768, 32767]),
    keyOrder: by((value: number) => `${value}_`),
  },
  {
    ...integer('reversed digits', reversed(digits(uint32(), { separator: '_' })), [...naturals, 10, 20, 12, 21]),
    keyOrder: by((value: number) => `${backwards(value)}_`),
  },
  { name: 'reversed text', type: reversed(text()), pool: strings, compare: byCodePoint, keyOrder: by((value: string) => backwards(value)) },
  {
    name: 'reversed int32',
    type: reversed(int32()),
    pool: [...integers, 10, 20, 12, 21],
    compare: byNumber,
    keyOrder: by((value: number) => backwards(value)),
  },
  {
    name: 'dictionary',
    type: dictionary(codes),
    pool: Object.keys(codes),
    compare: byCodePoint,
    keyOrder: by((value: string) => codes[value as keyof typeof codes]),
  },
]
