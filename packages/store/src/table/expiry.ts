import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'

/** Whether a row has expired: at its very instant it already has. It was read with its expiry, where the table has one. */
export function isExpired({ expiryAt }: TableSchema, row: Row, now: number): boolean {
  if (expiryAt < 0) return false
  const at = row[expiryAt]
  return typeof at === 'number' && at <= now
}
