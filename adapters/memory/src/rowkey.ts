import type { Row, TableSchema } from '@rowkey/store'
import { oneByteString } from './one-byte-string.js'

/** The rowkey `P ‖ K` of a key or a whole row, as the tree holds it. */
export function rowkeyOf(schema: TableSchema, row: Row): string {
  const { layout, keyLength, partitionLength } = schema
  if (partitionLength === 0 && layout.salts.length === 0) return oneByteString(layout.rest(row))
  const key = row.length === keyLength ? row : row.slice(0, keyLength)
  return oneByteString(layout.rowkeyBound(layout.bucketOf(key), { prefix: key, edge: 'before' }) as Uint8Array)
}
