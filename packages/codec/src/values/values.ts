import type { TypeData } from '../types/column-type.js'
import type { Value } from './value.js'
import { compareBytes, compareFloats, compareText } from '../compare.js'
import { codecError } from '../error.js'
import { isBytes } from './built-in.js'
import type { Form } from './form.js'
import { narrowForm, wideForm } from './integer-form.js'
import { integerKinds } from './integer-range.js'
import { decimalForm } from './decimal-form.js'
import { deepest, jsonText } from './json.js'
import { show } from './show.js'
import { textForm } from './text-form.js'
import { dateForm, timestampForm } from './time-form.js'

/** How the values of one column look outside and inside. */
export interface Values {
  /** The canonical form; refuses what the column cannot hold exactly. Bytes are not copied. */
  toValue(given: unknown): Value
  /** Back to what the user sees. */
  fromValue(value: Value): unknown
  /** Value order: neither direction nor null placement, nulls lowest. */
  compare(a: Value, b: Value): number
  /** Inclusive bounds of an integer column. */
  readonly range?: { readonly min: bigint; readonly max: bigint }
}

/**
 * The strict conversions of one column; errors name `column` and, if it is given, `table`.
 *
 * @example
 * ```ts
 * values(int8(), 'level').toValue(300)              //=> throws INVALID_VALUE: column 'level' cannot hold 300. Give an integer from -128 to 127.
 * values(timestamp('ms'), 'at').toValue(new Date(5)) //=> 5
 * values(timestamp('ms'), 'at').fromValue(5)         //=> 1970-01-01T00:00:00.005Z
 * ```
 */
export function values(type: TypeData, column: string, table?: string): Values {
  const form = formOf(type, column)
  const refuse = (given: unknown): never => {
    throw codecError(
      'INVALID_VALUE',
      `column '${column}'${table === undefined ? '' : ` of '${table}'`} cannot hold ${show(given)}. Give ${form.wants}${type.nullable ? ', or null' : ''}.`,
      { column, value: show(given) },
    )
  }
  const compare = form.compare as (a: Value, b: Value) => number
  return {
    toValue(given) {
      if (given === null) return type.nullable ? null : refuse(given)
      const value = form.take(given)
      return value === undefined ? refuse(given) : value
    },
    fromValue: (value) => (value === null || form.give === undefined ? value : form.give(value)),
    compare(a, b) {
      if (a === null || b === null) return Number(b === null) - Number(a === null)
      return compare(a, b)
    },
    ...(form.range === undefined ? {} : { range: form.range }),
  }
}

function formOf(type: TypeData, column: string): Form {
  const integer = integerKinds[type.kind]
  if (integer !== undefined) return integer.bytes === 8 ? wideForm(type, integer.signed, column) : narrowForm(integer.bytes, integer.signed)
  switch (type.kind) {
    case 'bool':
      return boolForm
    case 'float32':
      return float32Form
    case 'float64':
      return float64Form
    case 'timestamp':
      return timestampForm(type, column)
    case 'date':
      return dateForm(type)
    case 'bytes':
      return bytesForm
    case 'fixedBytes':
      return fixedBytesForm(type.width ?? 0)
    case 'json':
      return jsonForm
    case 'decimal':
      return decimalForm(type.precision ?? 0, type.scale ?? 0)
    case 'reversed':
      return formOf(type.inner as TypeData, column)
    default:
      return textForm(type)
  }
}

const boolForm: Form = {
  take: (given) => (typeof given === 'boolean' ? given : undefined),
  compare: (a: boolean, b: boolean) => Number(a) - Number(b),
  wants: 'true or false',
}

const float64Form: Form = {
  take: (given) => (typeof given === 'number' ? plainFloat(given) : undefined),
  compare: compareFloats,
  wants: 'a number',
}

const float32Form: Form = {
  take: (given) => (typeof given === 'number' && Object.is(Math.fround(given), given) ? plainFloat(given) : undefined),
  compare: compareFloats,
  wants: 'a number that 32-bit floats hold exactly (Math.fround)',
}

// NaN + 0 may keep a payload; -0 + 0 is 0.
const plainFloat = (given: number): number => (Number.isNaN(given) ? NaN : given + 0)

const bytesForm: Form = { take: (given) => (isBytes(given) ? given : undefined), compare: compareBytes, wants: 'a Uint8Array' }

const fixedBytesForm = (width: number): Form => ({
  take: (given) => (isBytes(given) && given.length === width ? given : undefined),
  compare: compareBytes,
  wants: `a Uint8Array of ${width} bytes`,
})

const jsonForm: Form = {
  take: jsonText,
  give: (text) => JSON.parse(text as string) as unknown,
  compare: compareText,
  wants: `plain JSON data: null, booleans, finite numbers, well-formed strings, lists and plain objects, at most ${deepest} levels deep`,
}
