import { toEscapedText, toHex } from 'rowkey/codec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { property } from '../../../test/kit/property.js'
import { anyLayout } from '../../rowkey/test/codec/random-layouts.js'
import { decoderOf, partsOf, verdicts } from '../src/keys/decode-key.js'
import { keyText, readKey, type KeyForm, type ReadKey } from '../src/keys/key-forms.js'
import { readLine } from '../src/keys/shell-lines.js'
import { tableOf } from './tables.js'

const keysOf = (text: string, form?: KeyForm): readonly ReadKey[] => {
  const read = readKey(text, form)
  return 'fault' in read ? [] : read.keys
}

test.each([
  ['7765', 'hex', '7765'],
  ['0x7765', 'hex', '7765'],
  ['0X77aF', 'hex', '77af'],
  ['web\\x00\\xFf', 'escaped', '77656200ff'],
  ['d2Vi', 'base64', '776562'],
  ['dw==', 'base64', '77'],
  ['-_-_', 'base64', 'fbffbf'],
  ['we b', 'escaped', '77652062'],
])('%s is %s', (text, form, hex) => {
  expect(keysOf(text).map((key) => [key.form, toHex(key.bytes)])).toContainEqual([form, hex])
})

test('hexadecimal digits are never taken for text or base64', () => {
  expect(readKey('deadbeef')).toMatchObject({ keys: [{ form: 'hex' }], others: [{ form: 'escaped' }, { form: 'base64' }] })
  expect(keysOf('web-1').map(({ form }) => form)).toEqual(['escaped'])
  expect(keysOf('deadbeef', 'base64').map(({ form }) => form)).toEqual(['base64'])
})

test.each(['', 'é', 'a\\x0', 'a\\n', 'a\nb'])('%j is no key', (text) => {
  expect(readKey(text)).toHaveProperty('fault')
})

const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 40 })

property('bytes in each form are read as the same bytes', anyBytes, (bytes) => {
  for (const form of ['hex', 'escaped', 'base64'] as const) {
    expect(keysOf(keyText(bytes, form), form).map((key) => toHex(key.bytes))).toEqual([toHex(bytes)])
  }
  expect(keysOf(`0x${toHex(bytes)}`)[0]?.bytes).toEqual(bytes)
})

/** As redis-cli prints text: `sdscatrepr` of Redis. */
const redisText = (bytes: Uint8Array): string => {
  const escapes: Readonly<Record<number, string>> = { 92: '\\\\', 34: '\\"', 10: '\\n', 13: '\\r', 9: '\\t', 7: '\\a', 8: '\\b' }
  const shown = Array.from(bytes, (byte) => {
    if (escapes[byte] !== undefined) return escapes[byte]
    return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`
  })
  return `"${shown.join('')}"`
}

property('keys of all types come back from every form, also as the shells of stores print them', anyLayout, (random) => {
  const schema = tableOf(random)
  if (schema === undefined) return
  const decoders = [decoderOf(schema)]
  const [decoder] = decoders
  for (const key of random.keys) {
    const bytes = random.layout.encode(key)
    const row = decoder?.decode(bytes)
    if (row === undefined || typeof row === 'string') throw new Error(`its own key is refused: ${String(row)}`)
    const expected = decoder?.line(row)
    const escaped = toEscapedText(bytes)
    const lines = [
      toHex(bytes),
      `0x${toHex(bytes)}`,
      ` ${escaped}   column=f:line, timestamp=2026-01-01T00:00:00, value=x`,
      `1) ${redisText(bytes)}`,
      `1) 2) ${redisText(bytes)}`,
      redisText(bytes),
    ]
    for (const line of lines) {
      const read = readLine(line)
      // Of several that it can mean, the first one that is a key of the table is taken: it is this one, or begins like it.
      const [verdict] = verdicts({ any: decoders }, read === 'nothing' ? { fault: '' } : read)
      expect(verdict?.row === undefined ? verdict?.reason : verdict.decoder.line(verdict.row), line).toBe(expected)
    }
    expect(keysOf(keyText(bytes, 'base64'), 'base64')[0]?.bytes).toEqual(bytes)
    expect(
      partsOf(schema, bytes)
        .map(({ hex }) => hex)
        .join(''),
    ).toBe(toHex(bytes))
  }
})

property('what is cut off or changed is refused with its place, or is another key', anyLayout, (random) => {
  const schema = tableOf(random)
  if (schema === undefined) return
  const { decode } = decoderOf(schema)
  for (const key of random.keys) {
    const bytes = random.layout.encode(key)
    for (const broken of [bytes.subarray(0, -1), Uint8Array.of(...bytes, 1), new Uint8Array()]) {
      const found = decode(broken)
      if (typeof found === 'string') expect(found).toMatch(/^byte \d+, (column '.+'|the salt): .+[^.]$/s)
      else expect(schema.layout.rowkey([...found])).toEqual(broken)
    }
  }
})
