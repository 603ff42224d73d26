import type { TypeData } from '../types/column-type.js'
import type { Value } from './value.js'
import { codecError } from '../error.js'
import { byNumber, type Form } from './form.js'
import { integerRange } from './integer-range.js'
import { show } from './show.js'

/** 8 to 32 bits: a number. */
export function narrowForm(bytes: number, signed: boolean): Form {
  const range = integerRange(bytes, signed)
  const low = Number(range.min)
  const high = Number(range.max)
  const fits = (given: unknown): given is number => typeof given === 'number' && Number.isInteger(given) && given >= low && given <= high
  return { take: (given) => (fits(given) ? given + 0 : undefined), compare: byNumber, wants: `an integer from ${low} to ${high}`, range }
}

/** 64 bits: a bigint inside; outside too, or a safe integer. */
export function wideForm(type: TypeData, signed: boolean, column: string): Form {
  const range = integerRange(8, signed)
  if (type.as === 'number') {
    const from = signed ? '' : ' from 0'
    return {
      take(given) {
        if (typeof given !== 'number' || !Number.isSafeInteger(given) || (!signed && given < 0)) return undefined
        return BigInt(given)
      },
      give: (value) => safeNumber(value as bigint, type, column),
      compare: byNumber,
      wants: `a safe integer${from} (a number); beyond 2^53 leave out { as: 'number' } and use bigint`,
      range,
    }
  }
  const { min, max } = range
  const take = (given: unknown): Value | undefined => (typeof given === 'bigint' && given >= min && given <= max ? given : undefined)
  return { take, compare: byNumber, wants: `a bigint from ${min} to ${max}`, range }
}

/** What a stored 64-bit value looks like as a number; refuses to lose digits. */
function safeNumber(value: bigint, type: TypeData, column: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  const remedy = `Declare it without { as: 'number' } to read it as bigint.`
  throw codecError('INVALID_VALUE', `column '${column}' holds the ${type.kind} ${value}, which no number holds exactly. ${remedy}`, {
    column,
    value: show(value),
  })
}
