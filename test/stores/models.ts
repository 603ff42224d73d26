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
export const Conditional = defineTable('conditional', {
  columns: { part: text(), at: desc(timestamp('ms')), k: nullable(int32()), ...values },
  partition: ['part'],
  key: ['at', 'k'],
  salt: bucket({ of: 'part', count: 4 }),
  version: 'rev',
  ttl: '30d',
})
export const Plain = defineTable('plain', {
  columns: { host: text(), id: int32(), ok: bool(), ...values },
  key: ['host', 'id'],
  salt: bucket({ of: ['host', 'id'], count: 8 }),
  writes: 'plain',
})
