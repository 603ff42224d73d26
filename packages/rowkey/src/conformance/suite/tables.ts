import { defineTable, type TableSchema } from '#model'
import { bucket, desc, fixedText, int32, nullable, separatedText, text, uint16 } from '#codec'

/** n → v. Reads and writes without conditions. */
export const Numbers = defineTable('numbers', {
  columns: { n: int32(), v: nullable(text()) },
  key: ['n'],
  writes: 'plain',
})

/** host, n → a, b, c in four buckets. */
export const Things = defineTable('things', {
  columns: { host: text(), n: uint16(), a: nullable(text()), b: nullable(text()), c: nullable(int32()) },
  key: ['host', 'n'],
  salt: bucket({ of: 'host', count: 4 }),
})

/** The same without conditions. */
export const PlainThings = defineTable('plain_things', {
  columns: { host: text(), n: uint16(), a: nullable(text()), b: nullable(text()), c: nullable(int32()) },
  key: ['host', 'n'],
  salt: bucket({ of: 'host', count: 4 }),
  writes: 'plain',
})

/** Partition tenant, then host and newest first, in eight buckets. */
export const Timeline = defineTable('timeline', {
  columns: { tenant: text(), host: text(), at: desc(uint16()), v: nullable(text()) },
  partition: ['tenant'],
  key: ['host', 'at'],
  salt: bucket({ of: ['tenant', 'host'], count: 8 }),
  writes: 'plain',
})

/** k → a, b, with expiry and version. */
export const Sessions: TableSchema = defineTable('sessions', {
  columns: { k: int32(), a: nullable(text()), b: nullable(text()) },
  key: ['k'],
  ttl: '30d',
  version: 'rev',
})

/** A row of {@link Sessions}. */
export const session = (k: number, a: string | null, expires: number | null = null, version: string | null = null) =>
  [k, a, null, expires, version] as const

/** Its keys only have the order of their bytes. */
export const Split = defineTable('split', {
  columns: { user: separatedText('_', { split: 'last' }), day: fixedText(2) },
  key: ['user', 'day'],
  writes: 'plain',
})
