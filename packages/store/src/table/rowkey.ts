import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import { oneByteString } from '@rowkey/codec'

/** The rowkey P‖K of a row as a string of one character per byte, for maps. */
export function rowkeyOf(schema: TableSchema, row: Row): string {
  return oneByteString(schema.layout.rowkey(row))
}
