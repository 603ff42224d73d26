import type { TypeData } from '../types/column-type.js'
import type { Value } from './value.js'
import { compareBytes, compareFloats, compareText } from '../compare.js'
import { codecError } from '../error.js'
import { isBytes, isDate } from './built-in.js'
import { integerKinds, integerRange, lastInstant } from './integer-range.js'
import { jsonText } from './json.js'
import { show } from './show.js'

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

interface Form {
  /** The canonical form, or undefined where `given` does not fit. */
  take(given: unknown): Value | undefined
  give?(value: Value): unknown
  compare(a: never, b: never): number
  readonly wants: string
  readonly range?: { readonly min: bigint; readonly max: bigint }
}

/**
 * The strict conversions of one column; errors name `column`.
 *
 * @example
 * ```ts
 * values(int8(), 'level').toValue(300)              //=> throws INVALID_VALUE: column 'level' cannot hold 300. Give an integer from -128 to 127.
 * values(timestamp('ms'), 'at').toValue(new Date(5)) //=> 5
 * values(timestamp('ms'), 'at').fromValue(5)         //=> 1970-01-01T00:00:00.005Z
 * ```
 */
export function values(type: TypeData, column: string): Values {
  const form = formOf(type, column)
  const refuse = (given: unknown): never => {
    throw codecError(
      'INVALID_VALUE',
      `column '${column}' cannot hold ${show(given)}. Give ${form.wants}${type.nullable ? ', or null' : ''}.`,
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

const byNumber = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0)

function formOf(type: TypeData, column: string): Form {
  const integer = integerKinds[type.kind]
  if (integer !== undefined) return integerForm(type, integerRange(integer.bytes, integer.signed), integer.bytes === 8, column)
  switch (type.kind) {
    case 'bool':
      return { take: (given) => (typeof given === 'boolean' ? given : undefined), compare: (a: boolean, b: boolean) => Number(a) - Number(b), wants: 'true or false' }
    case 'float32':
      return { take: (given) => floatOf(given, true), compare: compareFloats, wants: 'a number that 32-bit floats hold exactly (Math.fround)' }
    case 'float64':
      return { take: (given) => floatOf(given, false), compare: compareFloats, wants: 'a number' }
    case 'timestamp':
      return timestampForm(type, column)
    case 'date':
      return dateForm(type)
    case 'bytes':
      return { take: (given) => (isBytes(given) ? given : undefined), compare: compareBytes, wants: 'a Uint8Array' }
    case 'fixedBytes':
      return { take: (given) => (isBytes(given) && given.length === type.width ? given : undefined), compare: compareBytes, wants: `a Uint8Array of ${type.width} bytes` }
    case 'json':
      return { take: jsonText, give: (text) => JSON.parse(text as string) as unknown, compare: compareText, wants: 'plain JSON data: null, booleans, finite numbers, well-formed strings, lists and plain objects' }
    default:
      return textForm(type, column)
  }
}

function integerForm(type: TypeData, range: { readonly min: bigint; readonly max: bigint }, wide: boolean, column: string): Form {
  const { min, max } = range
  const span = `from ${min} to ${max}`
  if (!wide) {
    const low = Number(min)
    const high = Number(max)
    const take = (given: unknown): Value | undefined =>
      typeof given === 'number' && Number.isInteger(given) && given >= low && given <= high ? given + 0 : undefined
    return { take, compare: byNumber, wants: `an integer ${span}`, range }
  }
  if (type.as === 'number') {
    const take = (given: unknown): Value | undefined => {
      if (typeof given !== 'number' || !Number.isSafeInteger(given)) return undefined
      const value = BigInt(given)
      return value >= min ? value : undefined
    }
    return { take, give: (value) => safeNumber(value as bigint, type, column), compare: byNumber, wants: `a safe integer ${min < 0n ? '' : 'from 0 '}(a number); beyond 2^53 leave out { as: 'number' } and use bigint`, range }
  }
  const take = (given: unknown): Value | undefined => (typeof given === 'bigint' && given >= min && given <= max ? given : undefined)
  return { take, compare: byNumber, wants: `a bigint ${span}`, range }
}

/** What a stored 64-bit value looks like as a number; refuses to lose digits. */
function safeNumber(value: bigint, type: TypeData, column: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw codecError(
    'INVALID_VALUE',
    `column '${column}' holds the ${type.kind} ${value}, which no number holds exactly. Declare it without { as: 'number' } to read it as bigint.`,
    { column, value: show(value) },
  )
}

function floatOf(given: unknown, single: boolean): number | undefined {
  if (typeof given !== 'number') return undefined
  if (Number.isNaN(given)) return NaN
  return single && Math.fround(given) !== given ? undefined : given + 0 // -0 + 0 is 0
}

function timestampForm(type: TypeData, column: string): Form {
  if (type.unit !== 'ms') return integerForm({ ...type, as: 'bigint' }, integerRange(8, true), true, column)
  const inRange = (ms: number): boolean => Number.isInteger(ms) && Math.abs(ms) <= lastInstant
  if (type.as === 'number') {
    return { take: (given) => (typeof given === 'number' && inRange(given) ? given + 0 : undefined), compare: byNumber, wants: 'epoch milliseconds, an integer within ±8.64e15' }
  }
  if (type.as === 'bigint') {
    return {
      take: (given) => (typeof given === 'bigint' && inRange(Number(given)) ? Number(given) : undefined),
      give: (value) => BigInt(value as number),
      compare: byNumber,
      wants: 'epoch milliseconds as bigint, within ±8.64e15',
    }
  }
  return {
    take: (given) => (isDate(given) && inRange(given.getTime()) ? given.getTime() : undefined),
    give: (value) => new Date(value as number),
    compare: byNumber,
    wants: 'a valid Date',
  }
}

const dayMs = 86_400_000

function dateForm(type: TypeData): Form {
  const last = lastInstant / dayMs
  const inRange = (days: number): boolean => Number.isInteger(days) && Math.abs(days) <= last
  if (type.as === 'number') {
    return { take: (given) => (typeof given === 'number' && inRange(given) ? given + 0 : undefined), compare: byNumber, wants: 'days since 1970-01-01, an integer within ±100,000,000' }
  }
  return {
    take: (given) => (isDate(given) && inRange(given.getTime() / dayMs) ? given.getTime() / dayMs : undefined),
    give: (value) => new Date((value as number) * dayMs),
    compare: byNumber,
    wants: 'a Date at midnight UTC',
  }
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function textForm(type: TypeData, column: string): Form {
  if (type.kind === 'reversed') return formOf(type.inner as TypeData, column)
  const [wants, fits] = textRule(type)
  const take = (given: unknown): Value | undefined =>
    typeof given === 'string' && given.isWellFormed() && fits(given) ? given : undefined
  return { take, compare: compareText, wants }
}

function textRule(type: TypeData): [wants: string, fits: (text: string) => boolean] {
  switch (type.kind) {
    case 'uuid':
      return ['a UUID in lower case, 8-4-4-4-12', (text) => uuidShape.test(text)]
    case 'paddedText': {
      const { width = 0, pad = '' } = type
      return [`text of at most ${width} UTF-16 units that does not end in ${show(pad)}, the padding`, (text) => text.length <= width && !text.endsWith(pad)]
    }
    case 'separatedText': {
      const { separator = '' } = type
      return [`text without ${show(separator)}, the separator`, (text) => !text.includes(separator)]
    }
    case 'dictionary': {
      const known = new Set((type.codes ?? []).map(([value]) => value))
      const listed = [...known].slice(0, 8).map((value) => show(value)).join(', ')
      return [`one of ${listed}${known.size > 8 ? ` and ${known.size - 8} more` : ''}`, (text) => known.has(text)]
    }
    default:
      return ['well-formed text (no lone surrogate)', () => true]
  }
}
