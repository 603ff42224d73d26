const lastInstant = 8.64e15
const isoShape = /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/

/** Epoch milliseconds from the text of a ts_ms field. @throws Error */
export function epochMilliseconds(text: string): number {
  const ms = Number(text)
  if (!/^-?\d+$/.test(text) || Math.abs(ms) > lastInstant) throw new Error(`ts_ms '${text}' is not epoch milliseconds`)
  return ms + 0
}

/**
 * Epoch milliseconds from an ISO 8601 text; without a zone it is UTC. Digits finer than a millisecond are refused, not rounded,
 * unless they are zeros.
 *
 * @throws Error
 */
export function isoMilliseconds(text: string): number {
  const parts = isoShape.exec(text)
  if (parts === null) throw new Error(`ts '${text}' is not ISO 8601`)
  const [, year = '', month, day, hours = '0', minutes = '0', seconds = '0', fraction = '', zoneHours = '+00', zoneMinutes = '0'] = parts
  if (/[1-9]/.test(fraction.slice(3))) throw new Error(`ts '${text}' is finer than a millisecond`)
  const date = dayStart(Number(year), Number(month), Number(day))
  const time = clock(Number(hours), Number(minutes), Number(seconds), Number(fraction.slice(0, 3).padEnd(3, '0')))
  const zone = clock(Math.abs(Number(zoneHours)), Number(zoneMinutes), 0, 0)
  const ms = date + time - (zoneHours.startsWith('-') ? -zone : zone)
  // Comparisons that NaN, for a part that is out of range, fails too.
  if (!(Math.abs(ms) <= lastInstant && zone < oneDay) || year === '-000000') throw new Error(`ts '${text}' is no date`)
  return ms
}

const oneDay = 86_400_000

/** NaN for a day that its month does not have: Date would roll it over. */
function dayStart(year: number, month: number, day: number): number {
  const date = new Date(0).setUTCFullYear(year, month - 1, day)
  return new Date(date).getUTCMonth() === month - 1 && day > 0 ? date : NaN
}

/** NaN for what no clock shows; 24:00 ends a day. */
function clock(hours: number, minutes: number, seconds: number, ms: number): number {
  const all = ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
  return minutes < 60 && seconds < 60 && all <= oneDay ? all : NaN
}
