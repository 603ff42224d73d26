import { show } from '#codec/internal'
import type { Problems } from '../problems.js'

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const pattern = /^([1-9]\d*)(ms|s|m|h|d|w)$/

/** Far below the range of instants, so that the expiry of a row is always a valid instant. */
const maxMs = 1e14

/** A whole number of milliseconds, seconds, minutes, hours, days or weeks, such as `'30d'`. */
export type Duration = `${number}${keyof typeof units}`

/** What a duration must be, for messages. */
export const durationForm = "a whole number from 1 followed by ms, s, m, h, d or w, such as '30d', and at most 3,168 years"

/**
 * A duration in milliseconds; undefined for anything that is not a duration.
 *
 * @example
 * ```ts
 * durationMs('90m')  //=> 5400000
 * durationMs('1.5h') //=> undefined
 * ```
 */
export function durationMs(given: unknown): number | undefined {
  const [, count, unit] = typeof given === 'string' ? (pattern.exec(given) ?? []) : []
  if (count === undefined) return undefined
  const ms = Number(count) * units[unit as keyof typeof units]
  return ms <= maxMs ? ms : undefined
}

/**
 * The inverse, in the largest unit that says it exactly.
 *
 * @example
 * ```ts
 * durationText(5400000) //=> '90m'
 * ```
 */
export function durationText(ms: number): Duration {
  const [unit = 'ms'] = (['d', 'h', 'm', 's'] as const).filter((each) => ms % units[each] === 0)
  return `${ms / units[unit]}${unit}`
}

/** The milliseconds of `ttl`; undefined for `'never'`. What is neither a duration nor that is added to `problems`. */
export function ttlOf(given: unknown, problems: Problems): number | undefined {
  if (given === undefined || given === 'never') return undefined
  const ms = durationMs(given)
  if (ms === undefined) {
    problems.add({ code: 'INVALID_TTL', message: `ttl is ${show(given)}. Give ${durationForm}, or 'never'.` })
  }
  return ms
}
