import type { TypeData } from '../types/column-type.js'
import type { Value } from '../values/value.js'
import type { Encoding } from './encoding.js'
import { integerKinds, integerRange } from '../values/integer-range.js'
import { textEncoding } from './escaped.js'

/** Back to front by code point. */
export const turned = (value: Value): string => Array.from(String(value)).reverse().join('')

/** Text, or an integer's decimal digits, back to front by code point, in the escape of text. */
export function reversedEncoding(inner: TypeData): Encoding {
  const parse = parserOf(inner)
  const integer = integerKinds[inner.kind]
  const digits = integer === undefined ? undefined : digitsOf(integer.bytes, integer.signed)
  return {
    minBytes: textEncoding.minBytes + (digits === undefined ? 0 : 1),
    maxBytes: digits === undefined ? Infinity : textEncoding.minBytes + digits,
    size: (value) => textEncoding.size(turned(value)),
    write: (target, at, value) => textEncoding.write(target, at, turned(value)),
    read: (reader, flip) => parse(turned(textEncoding.read(reader, flip))) ?? reader.fail(`this is no reversed ${inner.kind}`),
  }
}

/** The most characters an integer takes. */
function digitsOf(bytes: number, signed: boolean): number {
  const { min, max } = integerRange(bytes, signed)
  return Math.max(String(min).length, String(max).length)
}

function parserOf(inner: TypeData): (text: string) => Value | undefined {
  const integer = integerKinds[inner.kind]
  if (integer === undefined) return (text) => text
  const { min, max } = integerRange(integer.bytes, integer.signed)
  return (text) => {
    if (!/^-?\d{1,20}$/.test(text)) return undefined
    const value = BigInt(text)
    if (String(value) !== text || value < min || value > max) return undefined
    return integer.bytes === 8 ? value : Number(value)
  }
}
