import { toHex } from '../hex.js'

const longest = 48

/** A value as it appears in an error message: its type is visible and a long one is shortened. */
export function show(value: unknown): string {
  const text = whole(value)
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

function whole(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString()
  if (value instanceof Uint8Array) return `0x${toHex(value.subarray(0, longest))}${value.length > longest ? '…' : ''}`
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}
