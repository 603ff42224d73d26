import * as codec from '#codec'
import { saltCode, typeCode, typeFields } from '#codec/internal'
import { expect, test } from 'vitest'
import { kindNames } from '../../../../test/kit/kind-names.js'

const {
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
} = codec
const { int16, int32, int64, int8, json, lastBytes, lastText, nullable, paddedText, period, random, reversed, separatedText, text } = codec
const { timestamp, uint16, uint32, uint64, uint8, ulid, uuid } = codec

/** What code makes that has all exports of the codec. */
function run(code: string): unknown {
  const made = new Function(...Object.keys(codec), `return ${code}`) as (...values: unknown[]) => unknown
  return made(...Object.values(codec))
}

const types = [
  period('day', { of: 'at' }),
  period('hour', { of: 'at', offset: '+08:00', as: 'number', name: 'h' }),
  period([{ every: 'month' }, { from: '2027-01-01', every: 'day' }], { of: 'at' }),
  text(),
  text({ name: 'n', default: "it's \\ \0 \u2028 😀" }),
  bytes({ default: Uint8Array.of(0, 255) }),
  fixedBytes(16),
  fixedText(4, { name: 'f' }),
  lastText(),
  lastBytes(),
  bool({ default: false }),
  uuid(),
  uuid({ order: 'time', default: 'uuid' as never }),
  ulid({ default: 'ulid' as never }),
  json({ default: { a: [1, null, "'"] } }),
  int8({ default: -5 }),
  int16(),
  int32(),
  int64({ default: 9_007_199_254_740_993n }),
  int64({ as: 'number' }),
  uint8({ default: random(100) }),
  uint16(),
  uint32(),
  uint64(),
  float32(),
  float64({ default: -0 }),
  decimal(9, 2, { default: '1.50' }),
  decimal(5),
  timestamp('ms', { default: 'now' }),
  timestamp('ms', { as: 'number', default: 'updatedAt' }),
  timestamp('ms', { default: new Date(5) }),
  timestamp('us'),
  timestamp('ns', { as: 'text' as never }),
  date(),
  date({ as: 'number' }),
  paddedText(20, { pad: 'x' }),
  paddedText(20, { pad: '\0', default: 'a' }),
  separatedText('_'),
  separatedText(':', { split: 'last', name: 's' }),
  dictionary({ 'de-DE': 'd', "it's": "'", fr: 'f' }),
  reversed(text({ name: 'r', default: 'a' })),
  desc(reversed(int64({ as: 'number' }))),
  desc(timestamp('ms')),
  nullable(desc(decimal(9, 2))),
  nullable(text(), { nulls: 'last' }),
  followedBy(desc(int64()), '_'),
  digits(uint16(), { width: 5 }),
  desc(digits(timestamp('ms'), { format: 'yyyyMMddHHmmss' })),
  digits(int64({ name: 'd' }), { separator: '_' }),
] as const

test('every kind is among the types', () => {
  const tested = new Set<string>(types.map(({ kind }) => kind))
  expect([...kindNames].filter((kind) => !tested.has(kind))).toEqual([])
})

test.each(types.map((type) => [typeCode(type), type] as const))('%s makes the type again', (code, type) => {
  const made = run(code) as typeof type
  expect(typeFields(made)).toEqual(typeFields(type))
  expect(made.name).toBe(type.name)
})

test('what a constructor does by itself is not in the code', () => {
  expect(typeCode(timestamp('ms'))).toBe("timestamp('ms')")
  expect(typeCode(int64())).toBe('int64()')
  expect(typeCode(paddedText(20, { pad: 'x' }))).toBe("paddedText(20, { pad: 'x' })")
  expect(typeCode(reversed(text({ name: 'r' })))).toBe("reversed(text({ name: 'r' }))")
})

const salts = [
  bucket({ of: 'a', count: 16 }),
  bucket({ of: ['a', "b'c"], count: 300, seed: 7, separator: '_' }),
  bucket({ of: 'a', modulo: 17, separator: "'" }),
  hashPrefix({ of: 'a' }),
  hashPrefix({ of: ['a', 'b'], digits: 2, separator: '_' }),
  kuduHash({ of: 'a', count: 4 }),
  kuduHash({ of: 'a', count: 4, seed: 42 }),
] as const

test.each(salts.map((salt) => [saltCode(salt), salt] as const))('%s makes the salt again', (code, salt) => {
  const made = run(code) as typeof salt
  expect(JSON.stringify(made)).toBe(JSON.stringify(salt))
})
