// Tested by value-from-text.test.ts.

/** Units of one second, and the digits after the point that they make. */
export type InstantUnit = 'ms' | 'us' | 'ns'
const digitsOf: Readonly<Record<InstantUnit, number>> = { ms: 3, us: 6, ns: 9 }

const dayMs = 86_400_000
const shape = /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.](\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?$/i

/**
 * The units from 1970 of an instant as text. Without a zone it is in UTC. Undefined for what is not an instant, or has more digits than the unit.
 *
 * @example
 * ```ts
 * instantOf('2026-01-01', 'ms')              //=> 1767225600000n
 * instantOf('2026-01-01T01:00:00+01:00', 'us') //=> 1767225600000000n
 * instantOf('1767225600000', 'ms')           //=> 1767225600000n
 * ```
 */
export function instantOf(text: string, unit: InstantUnit): bigint | undefined {
  if (/^-?\d{1,20}$/.test(text)) return BigInt(text)
  const match = shape.exec(text)
  if (match === null) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const digits = digitsOf[unit]
  if (/[1-9]/.test(fraction.slice(digits))) return undefined
  const date = `${year}-${month}-${day}`
  const seconds = Date.parse(`${date}T${hour}:${minute}:${second}${zone.toUpperCase()}`)
  // Date.parse() turns the 30th of February into the 2nd of March.
  if (Number.isNaN(seconds) || !new Date(Date.parse(`${date}T00:00:00Z`)).toISOString().startsWith(date)) return undefined
  return BigInt(seconds / 1000) * 10n ** BigInt(digits) + BigInt(fraction.slice(0, digits).padEnd(digits, '0'))
}

/** The day from 1970 of text: an instant at midnight UTC, or the number of the day. */
export function dayOf(text: string): number | undefined {
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  const ms = instantOf(text, 'ms')
  return ms === undefined || ms % BigInt(dayMs) !== 0n ? undefined : Number(ms) / dayMs
}

/** An instant of some unit as text, in UTC. */
export function instantText(units: bigint, unit: InstantUnit): string {
  const perMs = 10n ** BigInt(digitsOf[unit] - 3)
  const ms = units >= 0n || units % perMs === 0n ? units / perMs : units / perMs - 1n
  const date = new Date(Number(ms))
  if (Number.isNaN(date.getTime())) return String(units) // beyond what a Date holds
  const rest = unit === 'ms' ? '' : String(units - ms * perMs).padStart(digitsOf[unit] - 3, '0')
  return date.toISOString().replace('Z', `${rest}Z`)
}

export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, -14)
