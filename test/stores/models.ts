import { bool, bucket, bytes, decimal, defineTable, desc, float64, int32, int64, json, nullable, text, timestamp, uint64 } from 'rowkey'

/** A column of every sort that stores have their own idea of. */
const values = {
  n: nullable(int64()),
  u: nullable(uint64()),
  f: float64(),
  d: nullable(decimal(20, 3)),
  t: nullable(text()),
  b: nullable(bytes()),
  j: nullable(json()),
}
const conditional = {
  columns: { part: text(), at: desc(timestamp('ms')), k: nullable(int32()), ...values },
  partition: ['part'],
  key: ['at', 'k'],
  salt: bucket({ of: 'part', count: 4 }),
} as const
export const Conditional = defineTable('conditional', { ...conditional, version: 'rev', ttl: '30d' })
/** The same for stores whose conditions are of the presence of rows. */
export const Present = defineTable('conditional', conditional)
export const Plain = defineTable('plain', {
  columns: { host: text(), id: int32(), ok: bool(), ...values },
  key: ['host', 'id'],
  salt: bucket({ of: ['host', 'id'], count: 8 }),
  writes: 'plain',
})
/** Rows that expire without conditions; in several ranges on stores that have ranges of time. */
export const Expiring = defineTable('expiring', {
  columns: { host: text(), at: timestamp('ms'), ...values },
  key: ['host', 'at'],
  ttl: '30d',
  writes: 'plain',
  stores: { kudu: { range: { of: 'at', every: 'year', from: '2033-01-01' }, expire: 'rotate' } },
})
