// Tested by period.test.ts and packages/rowkey/test/mapper/growth.test.ts.
import type { TypeData, Value } from '../type/column-type.js'

// Apart from the column type, because salts need these, and a program whose keys have no period does not load its calendars.

export const dayMs = 86_400_000

/** Milliseconds east of Greenwich. */
export function offsetMs(offset: string | undefined): number {
  if (offset === undefined) return 0
  const [hours, minutes] = [offset.slice(1, 3), offset.slice(4)].map(Number) as [number, number]
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/**
 * Days from 1970 to one as text; NaN for what is not one.
 *
 * @example
 * ```ts
 * dayOfText('1970-01-02') //=> 1
 * dayOfText('2026-02-30') //=> NaN
 * ```
 */
export const dayOfText = (text: string): number => (/^\d{4}-\d\d-\d\d$/.test(text) && isDayText(text) ? Date.parse(text) / dayMs : NaN)

// Date.parse() takes the 30th of February for the 2nd of March.
const isDayText = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

/** Whose values are the first days of their periods, by their offset, or hours: the first day of a value. */
export function dayOfPeriod({ every, offset }: TypeData): (value: Value) => number {
  const east = offsetMs(offset)
  return every === 'hour' ? (value) => Math.floor(((value as number) + east) / dayMs) : (value) => value as number
}

/**
 * When a period begins, in milliseconds.
 *
 * @example
 * ```ts
 * periodBegin(period('day', { of: 'at', offset: '+01:00' }))(1) //=> 82800000
 * ```
 */
export function periodBegin({ every, offset }: TypeData): (value: Value) => number {
  const east = offsetMs(offset)
  return every === 'hour' ? (value) => value as number : (value) => (value as number) * dayMs - east
}
