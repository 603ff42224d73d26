import type { Row, TableCatalog, TableSchema } from 'rowkey/adapter'
import { keyTooLong } from './errors.js'
import { rowKey, tablePrefix } from './keys.js'

/** Where a row is for other programs that read LMDB files. */
export interface LmdbAddress {
  /** In the unnamed database: the number of the table, four bytes big-endian, and the rowkey. */
  readonly key: Uint8Array
}

/** @throws RowkeyError `LIMIT_EXCEEDED` for a key that no row can have */
export function locate(schema: TableSchema, catalog: TableCatalog, key: Row): LmdbAddress {
  const bytes = schema.layout.rowkey(key)
  const native = rowKey(tablePrefix(catalog.store?.['table'] as number), bytes)
  if (native === undefined) throw keyTooLong(schema.name, bytes.length)
  return { key: native }
}
