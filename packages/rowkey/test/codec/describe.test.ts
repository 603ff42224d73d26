import {
  bucket,
  decimal,
  desc,
  fixedText,
  followedBy,
  lastBytes,
  lastText,
  dictionary,
  fixedBytes,
  kuduHash,
  hashPrefix,
  int64,
  nullable,
  paddedText,
  random,
  reversed,
  separatedText,
  text,
  timestamp,
  uint8,
  ulid,
  uuid,
  type ColumnType,
  type Salt,
} from '#codec'
import { byteOptions, defaultText, saltOptions, saltText, show, showWhole, typeFields, typeText } from '#codec/internal'
import { expect, test } from 'vitest'

test.each<[string, ColumnType]>([
  ['text', text({ name: 'other', default: 'x' })],
  ['int64', int64({ as: 'number' })],
  ['fixedBytes(4)', fixedBytes(4)],
  ['decimal(9, 2)', decimal(9, 2)],
  ['decimal(9, 0)', decimal(9)],
  ["timestamp('us')", timestamp('us')],
  ['uuid', uuid()],
  ["uuid({ order: 'time' })", uuid({ order: 'time' })],
  ["paddedText(6, '\\u0000')", paddedText(6, { pad: '\0' })],
  [`separatedText('\\'')`, separatedText("'")],
  [`separatedText('"')`, separatedText('"')],
  [`separatedText('\\\\')`, separatedText('\\')],
  ["separatedText('_', { split: 'last' })", separatedText('_', { split: 'last' })],
  ['fixedText(3)', fixedText(3)],
  ['lastText', lastText()],
  ['lastBytes', lastBytes()],
  ["followedBy(desc(uint8), '_')", desc(followedBy(uint8(), '_'))],
  ["dictionary(a: 'x', b: 'y')", dictionary({ b: 'y', a: 'x' })],
  [`dictionary('': '\\n', 'a\\', b': 'y')`, dictionary({ "a', b": 'y', '': '\n' })],
  ['reversed(text)', reversed(text())],
  ["nullable(desc(decimal(4, 1)), { nulls: 'last' })", nullable(desc(decimal(4, 1)), { nulls: 'last' })],
])('a type as text, nearly as in code: %s', (written, type) => expect(typeText(type)).toBe(written))

test('dictionaries that joined texts would not tell apart', () => {
  const [one, other] = [dictionary({ a: "b', c: 'd" }), dictionary({ a: 'b', c: 'd' })]
  expect(typeText(one)).not.toBe(typeText(other))
  expect(JSON.stringify(byteOptions(one))).not.toBe(JSON.stringify(byteOptions(other)))
})

test('byte options are those that bytes and values depend on', () => {
  const of = (type: ColumnType): string => JSON.stringify(byteOptions(type))
  expect(of(text({ name: 'x', default: 'y' }))).toBe(of(text()))
  expect(of(int64({ as: 'number' }))).toBe(of(int64()))
  expect(of(dictionary({ a: 'x', b: 'y' }))).toBe(of(dictionary({ b: 'y', a: 'x' })))
  for (const other of [desc(text()), nullable(text()), nullable(text(), { nulls: 'last' }), reversed(text())])
    expect(of(other)).not.toBe(of(text()))
  expect(of(decimal(9, 2))).toBe('["decimal",false,null,null,null,null,null,null,null,["precision",9],["scale",2]]')
})

test('fields of a type are in one order, however it was made', () => {
  const names = (type: ColumnType): string =>
    typeFields(type)
      .map(([name]) => name)
      .join()
  expect(names(nullable(desc(timestamp('ms', { default: 'now', name: 'x' }))))).toBe('kind,desc,nullable,nulls,as,unit,default')
  expect(names(desc(nullable(timestamp('ms', { default: 'now' }))))).toBe('kind,desc,nullable,nulls,as,unit,default')
  expect(names(decimal(9, 2))).toBe('kind,desc,nullable,precision,scale')
  expect(names(followedBy(separatedText('_', { split: 'last', default: 'x' }), '-'))).toBe(
    'kind,desc,nullable,separator,split,followedBy,default',
  )
})

const upper = (name: string): string => name.toUpperCase()

test.each<[string, Salt]>([
  ['bucket(A, B; count 16)', bucket({ of: ['a', 'b'], count: 16 })],
  ['bucket(A; count 16, seed 7)', bucket({ of: 'a', count: 16, seed: 7 })],
  ['bucket(A; modulo 5)', bucket({ of: 'a', modulo: 5 })],
  ["bucket(A; count 16, separator '_')", bucket({ of: 'a', count: 16, separator: '_' })],
  ["bucket(A; modulo 5, separator '\\u0000')", bucket({ of: 'a', modulo: 5, separator: '\0' })],
  ["hashPrefix(A; digits 4, separator '_')", hashPrefix({ of: 'a', separator: '_' })],
  ['hashPrefix(A; digits 4)', hashPrefix({ of: 'a' })],
  ['kuduHash(A; count 7)', kuduHash({ of: 'a', count: 7 })],
  ['kuduHash(A; count 7, seed 3)', kuduHash({ of: 'a', count: 7, seed: 3 })],
])('a salt as text, and its options: %s', (written, salt) => {
  expect(saltText(salt, upper)).toBe(written)
  expect(saltOptions(salt, upper).slice(0, 2)).toEqual([salt.kind, salt.of.map(upper)])
})

test('a default as text is whole', () => {
  expect(defaultText({ kind: 'constant', value: 'x'.repeat(100) })).toBe(`"${'x'.repeat(100)}"`)
  expect(defaultText({ kind: 'constant', value: new Uint8Array(20) })).toBe(`0x${'00'.repeat(20)}`)
  expect(defaultText({ kind: 'constant', value: -0 })).toBe('-0')
  expect(defaultText(ulid({ default: 'ulid' }).default as never)).toBe("'ulid'")
  expect(defaultText(uint8({ default: random(9) }).default as never)).toBe('random(9)')
})

test('what an error shows is short, what is compared is not', () => {
  expect(show(new Uint8Array(20))).toBe(`0x${'00'.repeat(16)}… (20 bytes)`)
  expect(showWhole(new Uint8Array(20))).toBe(`0x${'00'.repeat(20)}`)
  expect(show('x'.repeat(60))).toBe(`"${'x'.repeat(47)}… (60 characters)`)
  expect(showWhole('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`)
})

test('a dictionary of 200,000 codes is made without comparing each with each, and one pair that begins alike is found', () => {
  const codes = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`value ${i}`, String(i).padStart(6, '0')]))
  expect(dictionary(codes).ordered).toBe(false)
  expect(() => dictionary({ ...codes, more: '00012' })).toThrow('the code "000120" of "value 120" starts with "00012", the code of "more"')
  expect(() => dictionary({ ...codes, more: '199999' })).toThrow('gives both "value 199999" and "more" the code "199999"')
})
