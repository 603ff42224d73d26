import type { Row } from '@rowkey/codec'

/** Roughly how many bytes a row takes in memory and on the wire: a byte per character of text, 8 per number, bool or null. */
export function rowWeight(row: Row): number {
  let weight = 0
  for (const value of row) weight += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  return weight
}
