import { fromHex, toEscapedText, toHex } from 'rowkey/codec'
import type { TableSchema } from 'rowkey'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { property } from '../../../test/kit/property.js'
import { rowkeyForm } from '../../../adapters/dynamodb/src/keys.js'
import { prefixLength } from '../../../adapters/lmdb/src/keys.js'
import { anyLayout } from '../../rowkey/test/codec/random-layouts.js'
import { answersOf } from '../src/keys/answers.js'
import { decoderOf } from '../src/keys/decode-key.js'
import { PasteReader, type PasteOptions } from '../src/keys/paste-reader.js'
import { stores } from '../src/store-list.js'
import { tableOf } from './tables.js'

/** The lines that a paste decodes to, or what is said of it. */
function decoded(
  schema: TableSchema,
  text: string,
  options: PasteOptions = {},
): { readonly lines: readonly string[]; readonly fault: string } {
  const reader = new PasteReader(options)
  const target = { one: decoderOf(schema) }
  const answers = [...text.split('\n').map((line) => reader.push(line)), reader.end()].flatMap((all) => answersOf(target, all))
  const rows = answers.flatMap(({ found }) => found.flatMap(({ row }) => (row === undefined ? [] : [target.one.line(row)])))
  const fault = answers
    .filter(({ isKey }) => !isKey)
    .map(({ reading, found }) => ('fault' in reading ? reading.fault : (found[0]?.reason ?? '')))
    .join('\n')
  return { lines: rows, fault }
}

const pairsOf = (bytes: Uint8Array): readonly string[] => toHex(bytes).match(/../g) ?? []
const printable = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
const rowsOf = (bytes: Uint8Array, width: number): readonly (readonly [offset: string, bytes: Uint8Array])[] =>
  Array.from({ length: Math.ceil(bytes.length / width) }, (_, at) => [
    (at * width).toString(16).padStart(8, '0'),
    bytes.subarray(at * width, (at + 1) * width),
  ])
const xxd = (bytes: Uint8Array): string =>
  rowsOf(bytes, 16)
    .map(([offset, part]) => `${offset}: ${(toHex(part).match(/.{1,4}/g) ?? []).join(' ').padEnd(39)}  ${printable(part)}`)
    .join('\n')
const hexdump = (bytes: Uint8Array): string =>
  [
    ...rowsOf(bytes, 16).map(
      ([offset, part]) =>
        `${offset}  ${[pairsOf(part.subarray(0, 8)).join(' '), pairsOf(part.subarray(8)).join(' ')].join('  ').padEnd(48)}  |${printable(part)}|`,
    ),
    bytes.length.toString(16).padStart(8, '0'),
  ].join('\n')
const redisText = (bytes: Uint8Array): string =>
  `"${Array.from(bytes, (byte) => (byte === 34 || byte === 92 ? `\\${String.fromCharCode(byte)}` : byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`)).join('')}"`

/** How programs print a key that says by its marks what it is. */
const forms: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  digits: (bytes) => toHex(bytes),
  '0x': (bytes) => `0x${toHex(bytes).toUpperCase()}`,
  Buffer: (bytes) => `<Buffer ${pairsOf(bytes).join(' ')}>`,
  SQL: (bytes) => `X'${toHex(bytes)}'`,
  list: (bytes) => `Uint8Array(${bytes.length}) [ ${bytes.join(', ')} ]`,
  'JSON of a Buffer': (bytes) => JSON.stringify(Buffer.from(bytes)),
  'row of HBase': (bytes) => ` ${toEscapedText(bytes)}  column=f:line, timestamp=2026-01-01T00:00:00.000, value=x`,
  'redis-cli': (bytes) => `1) ${redisText(bytes)}`,
  cqlsh: (bytes) => ` 0x${toHex(bytes)} | started`,
  xxd,
  'hexdump -C': hexdump,
}

property('a key of any table decodes to the same values in every form', anyLayout, (random) => {
  const schema = tableOf(random)
  if (schema === undefined) return
  const { decode, line } = decoderOf(schema)
  for (const key of random.keys) {
    const bytes = random.layout.encode(key)
    if (bytes.length === 0) continue
    const row = decode(bytes)
    if (typeof row === 'string') throw new Error(row)
    const expected = line(row)
    for (const [name, print] of Object.entries(forms)) {
      if (name === 'JSON of a Buffer' && bytes[0] === 1) continue // it may also be an attribute of DynamoDB
      expect(decoded(schema, print(bytes)), name).toEqual({ lines: [expected], fault: '' })
    }
    // These are written like other things too: they are right, or it is told what they could be.
    for (const text of [
      pairsOf(bytes).join(':'),
      pairsOf(bytes).join(' '),
      Buffer.from(bytes).toString('base64'),
      toEscapedText(bytes),
      redisText(bytes),
    ]) {
      if (text !== text.trim()) continue // nobody sees these spaces
      const { lines, fault } = decoded(schema, text)
      if (lines.length > 0 && !/^[0-9a-z+/=: -]+$/i.test(text)) expect(lines, text).toEqual([expected])
      else if (lines.length === 0) expect(fault, text).not.toBe('')
    }
    const { partitionBytes } = schema.layout.encodeKey(row)
    const attribute = (part: Uint8Array): string => Buffer.from([1, ...part]).toString('base64')
    const item = { rk_p: { B: attribute(bytes.subarray(0, partitionBytes)) }, rk_s: { B: attribute(bytes.subarray(partitionBytes)) } }
    for (const text of [JSON.stringify(item), JSON.stringify({ Items: [item] }, undefined, 4)])
      expect(decoded(schema, text)).toEqual({ lines: [expected], fault: '' })
    expect(decoded(schema, `${item.rk_p.B} ${item.rk_s.B}`, { store: 'dynamodb' })).toEqual({ lines: [expected], fault: '' })
    expect(decoded(schema, `00000001${toHex(bytes)}`, { store: 'lmdb' })).toEqual({ lines: [expected], fault: '' })
  }
})

const slip = fc.tuple(fc.nat(), fc.constantFrom('0', '7', 'a', 'f', 'g', 'O', '-', ' ', ''))

property(
  'one wrong character is told, or makes the key that is written there',
  fc.tuple(anyLayout, slip),
  ([random, [place, character]]) => {
    const schema = tableOf(random)
    if (schema === undefined) return
    const { decode, line } = decoderOf(schema)
    for (const key of random.keys) {
      const bytes = random.layout.encode(key)
      if (bytes.length < 4) continue
      for (const name of ['digits', '0x', 'Buffer', 'SQL', 'cqlsh', 'xxd', 'hexdump -C']) {
        const text = (forms[name] as (typeof forms)[string])(bytes)
        const digits = digitPlaces(name, text)
        const at = digits[place % digits.length] as number
        const slipped = text.slice(0, at) + character + text.slice(at + 1)
        if (slipped === text) continue
        const { lines, fault } = decoded(schema, slipped)
        const written = writtenIn(name, slipped)
        const row = written === undefined ? 'it is no key' : decode(written)
        if (lines.length > 0) expect(lines, slipped).toEqual([typeof row === 'string' ? row : line(row)])
        else expect(fault, slipped).not.toBe('')
      }
    }
  },
)

/** Where the digits of a key are in its text. */
function digitPlaces(name: string, text: string): readonly number[] {
  const [from, to] =
    name === 'xxd'
      ? [10, 10 + 39]
      : name === 'hexdump -C'
        ? [10, 58]
        : name === 'Buffer'
          ? [8, text.length]
          : name === 'cqlsh'
            ? [3, text.indexOf('|')]
            : [2, text.length]
  return [...text].flatMap((unit, at) => (at >= (name === 'digits' ? 0 : from) && at < to && /[0-9a-f]/i.test(unit) ? [at] : []))
}

/** The bytes that a text says, as a plain reader of its form has them; undefined for what is none. */
function writtenIn(name: string, text: string): Uint8Array | undefined {
  if (name === 'xxd' || name === 'hexdump -C') {
    const parts = text.split('\n').filter((line) => line.length > 10)
    const digits = parts.map((line) => line.slice(10, name === 'xxd' ? 49 : 58).replaceAll(' ', ''))
    return /^([0-9a-f]{2})+$/i.test(digits.join('')) ? fromHex(digits.join('')) : undefined
  }
  const [, digits = ''] = /^(?: ?0x|<Buffer |X')?([0-9a-f ]*?)(?:>|'| \| started)?$/i.exec(text) ?? []
  const joined = digits.replaceAll(' ', '')
  const isPairs = name !== 'Buffer' || digits.split(' ').every((pair) => pair.length === 2)
  return isPairs && /^([0-9a-f]{2})+$/i.test(joined) ? fromHex(joined) : undefined
}

test('what the command knows of stores is what their adapters do', () => {
  const { partition, sort, rowTag, systemTag } = rowkeyForm
  expect(stores['dynamodb']?.printed).toMatchObject({ tag: rowTag, own: systemTag })
  expect(stores['dynamodb']?.printed?.attributes?.[0]).toEqual([partition, sort])
  expect(stores['lmdb']?.printed).toEqual({ prefix: prefixLength })
})
