import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'

/** Whether a row has expired; at the exact instant of its expiry it has. The row must contain its expiry, if the table has one. */
export function isExpired({ expiryIndex }: TableSchema, row: Row, now: number): boolean {
  if (expiryIndex < 0) return false
  const at = row[expiryIndex]
  return typeof at === 'number' && at <= now
}
