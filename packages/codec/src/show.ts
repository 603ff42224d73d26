import { hexOf, isBytes, timeOf, view } from './built-in.js'

const maxShown = 48
/** Far beyond the largest integer that any column holds. Printing all digits of a longer one would take time. */
const widest = 2n ** 256n

/**
 * A value as it appears in an error message: its type is visible and a long one is shortened.
 *
 * @example
 * ```ts
 * show('1')                    //=> '"1"'
 * show(1n)                     //=> '1n'
 * show(new Uint8Array([1, 2])) //=> '0x0102'
 * ```
 */
export function show(value: unknown): string {
  // Of a long value, only the part that is shown is read.
  if (isBytes(value) && value.length > 16) return `0x${hexOf(view(value, 0, 16))}… (${value.length} bytes)`
  if (typeof value === 'string' && value.length > maxShown)
    return `${cut(JSON.stringify(value.slice(0, maxShown)))} (${value.length} characters)`
  if (typeof value === 'bigint' && (value >= widest || value <= -widest)) return `${value < 0n ? 'a negative' : 'a'} bigint beyond 256 bits`
  const text = showWhole(value)
  return text.length > maxShown ? `${cut(text)} (${text.length} characters)` : text
}

const cut = (text: string): string => `${text.slice(0, maxShown).toWellFormed()}…`

/**
 * As {@link show}, but never shortened: two values of columns that differ have different texts.
 *
 * @internal
 * @example
 * ```ts
 * showWhole(new Uint8Array(20)) //=> '0x0000000000000000000000000000000000000000'
 * ```
 */
export function showWhole(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  const time = timeOf(value)
  if (time !== undefined) return Number.isNaN(time) ? 'an invalid Date' : new Date(time).toISOString()
  if (isBytes(value)) return `0x${hexOf(value)}`
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Text in single quotes, as code has it; different texts look different. */
export const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
