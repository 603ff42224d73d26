import type { Row } from '@rowkey/store'

/** Whether a record has expired: at its very instant it already has. `place` < 0: the schema declares no expiry. */
export function expired(record: Row, place: number, now: number): boolean {
  if (place < 0 || place >= record.length) return false
  const at = record[place]
  return typeof at === 'number' && at <= now
}
