import type { Row } from '#codec'
import type { TableSchema } from '#model'
import { latin1String } from '#codec/internal'

/** Whether a row has expired; at the exact instant of its expiry it has. The row must contain its expiry, if the table has one. */
export function isExpired({ expiryIndex }: TableSchema, row: Row, now: number): boolean {
  if (expiryIndex < 0) return false
  const at = row[expiryIndex]
  return typeof at === 'number' && at <= now
}

/** The rowkey P‖K of a row as a string of one character per byte, for maps. */
export function rowkeyOf(schema: TableSchema, row: Row): string {
  return latin1String(schema.layout.rowkey(row))
}

/** Roughly how many bytes a row takes in memory and on the wire: a byte per character of text, 8 per number, bool or null. */
export function rowWeight(row: Row): number {
  let weight = 0
  for (const value of row) weight += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return weight
}
