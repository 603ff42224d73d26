import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import { latin1String } from '@rowkey/codec/internal'

/** The rowkey P‖K of a row as a string of one character per byte, for maps. */
export function rowkeyOf(schema: TableSchema, row: Row): string {
  return latin1String(schema.layout.rowkey(row))
}
