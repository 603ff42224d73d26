import type { Row } from '#codec'
import type { TableSchema } from '#model'
import type { TableCatalog } from './adapter.js'

/** An adapter whose rows other clients of the store can find. */
export interface SupportsLocate<Address = unknown> {
  /** Where the row of a key is, whether it exists or not. No I/O. */
  locate(schema: TableSchema, catalog: TableCatalog, key: Row): Address
}
