/** What the instants of a log are counted in, in its tables: the coarsest unit that holds all of them exactly. */
export type Unit = 'ms' | 'us' | 'ns'

/** An instant as a column of the unit holds it: milliseconds are a `Date`, finer units a bigint. */
export type Instant = Date | bigint

export const units: Readonly<Record<'s' | Unit, { readonly nanoseconds: bigint; readonly name: string }>> = {
  s: { nanoseconds: 1_000_000_000n, name: 'second' },
  ms: { nanoseconds: 1_000_000n, name: 'millisecond' },
  us: { nanoseconds: 1_000n, name: 'microsecond' },
  ns: { nanoseconds: 1n, name: 'nanosecond' },
}

const lastMillisecond = 8_640_000_000_000_000n
const lastInteger = 2n ** 63n - 1n // of columns with finer units: nanoseconds end in 2262
const oneDay = 86_400_000
const isoShape = /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/

/** Epoch nanoseconds from a decimal number of a unit. No digit is lost. @throws Error */
export function epochNanoseconds(text: string, unit: 's' | Unit, name = 'ts'): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,30})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '') throw new Error(`${name} '${text}' is not epoch ${units[unit].name}s`)
  const digits = units[unit].nanoseconds.toString().length - 1
  const size = BigInt(whole) * units[unit].nanoseconds + fractionOf(fraction, digits, name, text)
  return inRange(sign === '-' ? -size : size, name, text)
}

/** Epoch nanoseconds from an ISO 8601 text; without a zone it is UTC. No digit is lost. @throws Error */
export function isoNanoseconds(text: string, name = 'ts'): bigint {
  const parts = isoShape.exec(text)
  if (parts === null) throw new Error(`${name} '${text}' is not ISO 8601`)
  const [, year = '', month, day, hours = '0', minutes = '0', seconds = '0', fraction = '', zoneHours = '+00', zoneMinutes = '0'] = parts
  const part = fractionOf(fraction, 9, name, text)
  const date = dayStart(Number(year), Number(month), Number(day))
  const time = clock(Number(hours), Number(minutes), Number(seconds), part > 0n)
  const zone = clock(Math.abs(Number(zoneHours)), Number(zoneMinutes), 0, false)
  const ms = date + time - (zoneHours.startsWith('-') ? -zone : zone)
  // Comparisons that NaN, for a part that is out of range, fails too.
  if (!(Math.abs(ms) <= Number(lastMillisecond) && zone < oneDay) || year === '-000000') throw noDate(name, text)
  return inRange(BigInt(ms) * units.ms.nanoseconds + part, name, text)
}

export const isIso = (text: string): boolean => isoShape.test(text)

/** The coarsest unit that holds the instant exactly. */
export function unitOf(nanoseconds: bigint): Unit {
  if (nanoseconds % units.ms.nanoseconds === 0n) return 'ms'
  return nanoseconds % units.us.nanoseconds === 0n ? 'us' : 'ns'
}

/** The first instant of the unit that is not before this one; the nearest one if a column cannot hold it. */
export function ceiling(nanoseconds: bigint, unit: Unit): bigint {
  const size = units[unit].nanoseconds
  const ticks = nanoseconds / size
  const first = ticks * size < nanoseconds ? ticks + 1n : ticks
  return first > lastInteger ? lastInteger : first < -lastInteger - 1n ? -lastInteger - 1n : first
}

export const instantOf = (ticks: bigint, unit: Unit): Instant => (unit === 'ms' ? new Date(Number(ticks)) : ticks)

export const ticksOf = (instant: Instant): bigint => (typeof instant === 'bigint' ? instant : BigInt(instant.getTime()))

/** As a number of JSON, if it holds every instant: finer ones are texts. */
export const jsonOf = (ticks: bigint, unit: Unit): number | string => (unit === 'ms' ? Number(ticks) : String(ticks))

/** ISO 8601 with all digits of the unit. */
export function isoText(instant: Instant, unit: Unit): string {
  const perMillisecond = units.ms.nanoseconds / units[unit].nanoseconds
  const ticks = ticksOf(instant)
  const rest = ((ticks % perMillisecond) + perMillisecond) % perMillisecond
  const text = new Date(Number((ticks - rest) / perMillisecond)).toISOString()
  return unit === 'ms' ? text : text.replace('Z', `${String(rest).padStart(unit === 'us' ? 3 : 6, '0')}Z`)
}

/** Decimals of a unit, as nanoseconds: zeros beyond them are no finer. */
function fractionOf(fraction: string, digits: number, name: string, text: string): bigint {
  if (/[1-9]/.test(fraction.slice(digits))) throw new Error(`${name} '${text}' is finer than a nanosecond`)
  return BigInt(fraction.slice(0, digits).padEnd(digits, '0') || '0')
}

function inRange(nanoseconds: bigint, name: string, text: string): bigint {
  const last = lastMillisecond * units.ms.nanoseconds
  if (nanoseconds > last || nanoseconds < -last) throw noDate(name, text)
  return nanoseconds
}

const noDate = (name: string, text: string): Error => new Error(`${name} '${text}' is no date`)

/** NaN for a day that its month does not have: Date would roll it over. */
function dayStart(year: number, month: number, day: number): number {
  const date = new Date(0).setUTCFullYear(year, month - 1, day)
  return new Date(date).getUTCMonth() === month - 1 && day > 0 ? date : NaN
}

/** Milliseconds, NaN for what no clock shows; 24:00 ends a day. */
function clock(hours: number, minutes: number, seconds: number, hasFraction: boolean): number {
  const all = ((hours * 60 + minutes) * 60 + seconds) * 1000
  return minutes < 60 && seconds < 60 && (all < oneDay || (all === oneDay && !hasFraction)) ? all : NaN
}
