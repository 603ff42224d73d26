import { showWhole, visible } from '#codec/internal'

/**
 * A value as text that is equal for equal values: bytes and dates by content, −0 different from 0, properties in the order of their names.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return showWhole(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value !== 'object' || value === null) return visible(String(value))
  if (value instanceof Uint8Array) return `0x${Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid Date' : value.toISOString()
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{ ${entries.map(([name, each]) => `${visible(name)}: ${textOf(each)}`).join(', ')} }`
}
