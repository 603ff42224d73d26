import type { TableSchema } from '#model'
import type { Finding } from './finding.js'

/** What `ensureTable` executes in a store that has table definitions of its own. */
export interface Definition<Statement = unknown, Code extends string = string> {
  /** In order: CQL, requests of an API, … */
  readonly statements: readonly Statement[]
  /** The same as text, with comments that say why. */
  readonly text: string
  /** What is allowed but may hurt. */
  readonly warnings: readonly Finding<Code>[]
}

/** An adapter of a store that has table definitions. */
export interface SupportsDdl<D extends Definition = Definition> {
  /** No I/O. */
  ddl(schema: TableSchema): D
}
