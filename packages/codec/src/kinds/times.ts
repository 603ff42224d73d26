import type { KindCode } from './kind-code.js'
import { dateEncoding, millisecondsEncoding, wideEncoding } from '../encodings/fixed.js'
import { dateCode, millisecondsCode, wideCode } from '../generated/wide-code.js'
import { quoted } from '../values/show.js'
import { dateForm, timestampForm } from '../values/time-form.js'

export const timestampKind: KindCode = {
  form: timestampForm,
  encoding: ({ unit }) => (unit === 'ms' ? millisecondsEncoding : wideEncoding(true)),
  code: ({ unit, as }, flip, shape) => (unit === 'ms' ? millisecondsCode(shape === 'key' ? as : 'number', flip) : wideCode(true, flip)),
  words: ({ unit = '' }) => [quoted(unit)],
}

export const dateKind: KindCode = {
  form: dateForm,
  encoding: () => dateEncoding,
  code: ({ as }, flip, shape) => dateCode(shape === 'key' ? as : 'number', flip),
}
