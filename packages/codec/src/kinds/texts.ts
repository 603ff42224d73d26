import type { KindCode } from './kind-code.js'
import type { Value } from '../values/value.js'
import { compareText } from '../compare.js'
import { dictionaryEncoding, paddedTextEncoding, separatedTextEncoding } from '../encodings/bare.js'
import { textEncoding } from '../encodings/escaped.js'
import { timedUuidEncoding, ulidEncoding, uuidEncoding } from '../encodings/ids.js'
import { textCode } from '../generated/text-code.js'
import { quoted, show } from '../values/show.js'
import { longTextForm, textForm } from '../values/text-form.js'
import { timedHex } from '../values/timed-uuid.js'

export const textKind: KindCode = {
  form: () => longTextForm('well-formed text (no lone surrogate)', () => true),
  encoding: () => textEncoding,
  code: (_, flip) => textCode(flip),
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ulidShape = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export const uuidKind: KindCode = {
  form({ order }) {
    const form = textForm('a UUID in lower case, 8-4-4-4-12', (text) => uuidShape.test(text))
    return order === 'time' ? { ...form, compare: (a: string, b: string) => compareText(timedHex(a), timedHex(b)) } : form
  },
  encoding: ({ order }) => (order === 'time' ? timedUuidEncoding : uuidEncoding),
  words: ({ order }) => (order === undefined ? [] : [`{ order: ${quoted(order)} }`]),
}

export const ulidKind: KindCode = {
  form: () => textForm('a ULID, 26 characters of base 32 in upper case, the first from 0 to 7', (text) => ulidShape.test(text)),
  encoding: () => ulidEncoding,
}

export const paddedKind: KindCode = {
  form({ width = 0, pad = '' }) {
    const wants = `text of at most ${width} UTF-16 units that does not end in ${show(pad)}, the padding`
    return textForm(wants, (text) => text.length <= width && !text.endsWith(pad))
  },
  encoding: ({ width = 0, pad = '' }) => paddedTextEncoding(width, pad),
  keyOrder: ({ width = 0, pad }) => byText((value) => value.padEnd(width, pad)),
  words: ({ width, pad = '' }) => [String(width), quoted(pad)],
}

export const separatedKind: KindCode = {
  form: ({ separator = '' }) => longTextForm(`text without ${show(separator)}, the separator`, (text) => !text.includes(separator)),
  encoding: ({ separator = '' }) => separatedTextEncoding(separator),
  // Of two where one begins the other, the separator of the shorter meets a character of the longer. Nothing is joined: see the encoding.
  keyOrder({ separator = '' }) {
    return (one, other) => {
      const [a, b] = [one as string, other as string]
      if (a.length < b.length && b.startsWith(a)) return compareText(separator, b.charAt(a.length))
      if (b.length < a.length && a.startsWith(b)) return compareText(a.charAt(b.length), separator)
      return compareText(a, b)
    }
  },
  words: ({ separator = '' }) => [quoted(separator)],
}

export const dictionaryKind: KindCode = {
  form({ codes = [] }) {
    const known = new Set(codes.map(([value]) => value))
    const listed = [...known].slice(0, 8).map((value) => show(value))
    const more = known.size > 8 ? ` and ${known.size - 8} more` : ''
    return textForm(`one of ${listed.join(', ')}${more}`, (text) => known.has(text))
  },
  encoding: ({ codes = [] }) => dictionaryEncoding(codes),
  keyOrder({ codes = [] }) {
    const codeOf = new Map(codes)
    return byText((value) => codeOf.get(value) as string)
  },
  words: ({ codes = [] }) => codes.map(([value, code]) => `${plainName.test(value) ? value : quoted(value)}: ${quoted(code)}`).sort(),
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

const byText =
  (form: (value: string) => string) =>
  (a: Value, b: Value): number =>
    compareText(form(a as string), form(b as string))
