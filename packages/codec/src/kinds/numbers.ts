import type { KindCode } from './kind-code.js'
import type { TypeData } from '../types/column-type.js'
import { compareFloats } from '../compare.js'
import { decimalEncoding } from '../encodings/decimal.js'
import { boolEncoding, floatEncoding, integerEncoding, wideEncoding } from '../encodings/fixed.js'
import { boolCode, float32Code, float64Code, narrowCode } from '../generated/fixed-code.js'
import { wideCode, wideNumberCode } from '../generated/wide-code.js'
import { decimalForm } from '../values/decimal-form.js'
import { narrowForm, wideForm } from '../values/integer-form.js'
import { integerKinds } from '../values/integer-range.js'

export const boolKind: KindCode = {
  form: () => ({
    take: (given) => (typeof given === 'boolean' ? given : undefined),
    compare: (a: boolean, b: boolean) => Number(a) - Number(b),
    wants: 'true or false',
  }),
  encoding: () => boolEncoding,
  code: (_, flip) => boolCode(flip),
}

const narrow = ({ kind }: TypeData): { readonly bytes: 1 | 2 | 4; readonly signed: boolean } => integerKinds[kind] as never
const isSigned = ({ kind }: TypeData): boolean => integerKinds[kind]?.signed === true

/** 8 to 32 bits. */
export const narrowKind: KindCode = {
  form: (type) => narrowForm(narrow(type).bytes, narrow(type).signed),
  encoding: (type) => integerEncoding(narrow(type).bytes, narrow(type).signed),
  code: (type, flip) => narrowCode(narrow(type).bytes, narrow(type).signed, flip),
}

/** 64 bits. */
export const wideKind: KindCode = {
  form: (type, column) => wideForm(type, isSigned(type), column),
  encoding: (type) => wideEncoding(isSigned(type)),
  code: (type, flip, shape) =>
    shape === 'key' && type.as === 'number' ? wideNumberCode(isSigned(type), flip) : wideCode(isSigned(type), flip),
}

// A NaN may have a payload, which stores would keep or lose. -0 stays: only in keys it becomes 0, by its encoding.
const plainFloat = (given: number): number => (Number.isNaN(given) ? NaN : given)

export const float32Kind: KindCode = {
  form: () => ({
    take: (given) => (typeof given === 'number' && Object.is(Math.fround(given), given) ? plainFloat(given) : undefined),
    compare: compareFloats,
    wants: 'a number that 32-bit floats hold exactly (Math.fround)',
  }),
  encoding: () => floatEncoding(4),
  code: (_, flip) => float32Code(flip),
}

export const float64Kind: KindCode = {
  form: () => ({
    take: (given) => (typeof given === 'number' ? plainFloat(given) : undefined),
    compare: compareFloats,
    wants: 'a number',
  }),
  encoding: () => floatEncoding(8),
  code: (_, flip) => float64Code(flip),
}

export const decimalKind: KindCode = {
  form: ({ precision = 0, scale = 0 }) => decimalForm(precision, scale),
  encoding: ({ precision = 0, scale = 0 }) => decimalEncoding(precision, scale),
  words: ({ precision, scale }) => [String(precision), String(scale)],
}
