import type { TypeData } from '../types/column-type.js'
import { timeOf } from './built-in.js'
import { byNumber, type Form } from './form.js'
import { wideForm } from './integer-form.js'
import { lastInstant } from './integer-range.js'

const isInstant = (ms: number): boolean => Number.isInteger(ms) && Math.abs(ms) <= lastInstant

/** Milliseconds are a number inside; microseconds and nanoseconds a bigint, inside and outside. */
export function timestampForm(type: TypeData, column: string): Form {
  if (type.unit !== 'ms') return wideForm({ ...type, as: 'bigint' }, true, column)
  if (type.as === 'number') {
    return {
      take: (given) => (typeof given === 'number' && isInstant(given) ? given + 0 : undefined),
      compare: byNumber,
      wants: 'epoch milliseconds, an integer within ±8.64e15',
    }
  }
  if (type.as === 'bigint') {
    return {
      take: (given) => (typeof given === 'bigint' && isInstant(Number(given)) ? Number(given) : undefined),
      give: (value) => BigInt(value as number),
      compare: byNumber,
      wants: 'epoch milliseconds as bigint, within ±8.64e15',
    }
  }
  return {
    take(given) {
      const ms = timeOf(given)
      return ms !== undefined && isInstant(ms) ? ms : undefined
    },
    give: (value) => new Date(value as number),
    compare: byNumber,
    wants: 'a valid Date',
  }
}

const dayMs = 86_400_000
const isDay = (days: number): boolean => Number.isInteger(days) && Math.abs(days) <= lastInstant / dayMs

/** Days since 1970-01-01 inside. */
export function dateForm(type: TypeData): Form {
  if (type.as === 'number') {
    return {
      take: (given) => (typeof given === 'number' && isDay(given) ? given + 0 : undefined),
      compare: byNumber,
      wants: 'days since 1970-01-01, an integer within ±100,000,000',
    }
  }
  return {
    take(given) {
      const days = (timeOf(given) ?? NaN) / dayMs
      return isDay(days) ? days : undefined
    },
    give: (value) => new Date((value as number) * dayMs),
    compare: byNumber,
    wants: 'a Date at midnight UTC',
  }
}
