import type { Row } from 'rowkey/adapter'
import type { TableContext } from './context.js'
import { keyTooLong } from './errors.js'
import { familyName, maxRowkeyBytes } from './keys.js'

/** Where a row is for other clients. */
export interface HBaseAddress {
  /** With its namespace. */
  readonly table: string
  readonly row: Uint8Array
  readonly family: string
}

/** @throws RowkeyError `LIMIT_EXCEEDED` for a key that no row can have */
export function locate({ schema, server }: TableContext, key: Row): HBaseAddress {
  const row = schema.layout.rowkey(key)
  if (row.length > maxRowkeyBytes) throw keyTooLong(schema.name, row.length)
  return { table: server.name, row, family: familyName }
}
