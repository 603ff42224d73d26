const lastInstant = 8.64e15
const isoShape = /^([+-]\d{6}|\d{4})-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/

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
  const [, , fraction = '', zone] = parts
  if (/[1-9]/.test(fraction.slice(3))) throw new Error(`ts '${text}' is finer than a millisecond`)
  const date = text.includes(':') ? `${text.slice(0, text.search(/[T ]/))}T${timeOf(text, fraction)}${zoneOf(zone)}` : text
  const ms = Date.parse(date)
  // Date.parse rolls 31 February over on some engines; a date that does not come back is none.
  if (Number.isNaN(ms) || !sameDay(text, ms, zone)) throw new Error(`ts '${text}' is no date`)
  return ms
}

function timeOf(text: string, fraction: string): string {
  const [, clock = ''] = /[T ](\d\d:\d\d(?::\d\d)?)/.exec(text) ?? []
  return fraction === '' ? clock : `${clock}.${fraction.slice(0, 3)}`
}

function zoneOf(zone: string | undefined): string {
  if (zone === undefined || zone === 'Z') return 'Z'
  const digits = zone.slice(1).replace(':', '')
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2) || '00'}`
}

function sameDay(text: string, ms: number, zone: string | undefined): boolean {
  if (zone !== undefined && zone !== 'Z') return true
  const hour24 = /[T ]24:/.test(text)
  return hour24 || new Date(ms).toISOString().startsWith(text.slice(0, text.search(/[T ]|$/)))
}
