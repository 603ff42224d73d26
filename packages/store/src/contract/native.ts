import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { TableCatalog } from './adapter.js'

/** What `ensureTable` executes in a store that has definitions of its own. */
export interface Definition<Statement = unknown> {
  /** In order: CQL, requests of an API, … */
  readonly statements: readonly Statement[]
  /** The same to read, with comments that say why. */
  readonly text: string
  /** What will hurt when the table grows, one sentence or two each. */
  readonly warnings: readonly string[]
}

/** An adapter of a store that has definitions of tables. */
export interface Defining<D extends Definition = Definition> {
  /** No I/O. */
  ddl(schema: TableSchema): D
}

/** An adapter whose rows other clients of the store can find. */
export interface Locating<Address = unknown> {
  /** Where the row of a key is, whether there is one or not. No I/O. */
  locate(schema: TableSchema, catalog: TableCatalog, key: Row): Address
}
