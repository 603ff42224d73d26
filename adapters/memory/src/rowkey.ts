import { oneByteString, type Row, type TableSchema } from '@rowkey/store'

/** The rowkey `P ‖ K` of a key or a whole row, as the tree holds it. */
export function rowkeyOf(schema: TableSchema, row: Row): string {
  return oneByteString(schema.layout.rowkey(row))
}
