import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'

/** The rowkey P‖K of a row, in an array of its own. */
export function rowkeyBytes({ layout }: TableSchema, row: Row): Uint8Array {
  const partition = layout.partition(layout.bucketOf(row), row)
  const rest = layout.rest(row)
  const bytes = new Uint8Array(partition.length + rest.length)
  bytes.set(partition)
  bytes.set(rest, partition.length)
  return bytes
}

/** The rowkey as a string of one character per byte, for maps. */
export function rowkeyOf(schema: TableSchema, row: Row): string {
  return String.fromCharCode(...rowkeyBytes(schema, row))
}
