// Tested by define-table.test.ts.
import type { Columns, RowLayout, Salt, TypeData, Value } from '#codec'
import type { SchemaChecks } from './definition/checks.js'
import type { ModelClass } from './infer/class-types.js'

/** One column at its position in a row. */
export interface SchemaColumn {
  /** Property name. */
  readonly name: string
  /** Name in the store; for expiry and version always `rk_expires` and `rk_version`. */
  readonly physical: string
  readonly role: 'partition' | 'key' | 'value' | 'expiry' | 'version'
  readonly type: TypeData
}

/** What a table is at the type level. */
export interface TableShape {
  readonly columns: Columns
  /** Names of the partition columns, as a union. */
  readonly partition: string
  /** Names of the other key columns, as a union. */
  readonly key: string
  /** The first key column of a table without partition columns, which a scan has to bind; otherwise never. */
  readonly first: string
  /** A plain table has no insert, update and modify. */
  readonly writes: 'plain' | 'conditional'
  /** Name of the version column; never if there is none. */
  readonly version: string
}

declare const shape: unique symbol // type level only

/** A compiled table: frozen data plus the layout of its rowkeys. Made by {@link defineTable} or from a decorated class. */
export interface TableSchema<out S extends TableShape = TableShape> {
  /** Physical name; a mapper's prefix is already in it. */
  readonly name: string
  /** The name in its declaration, which neither a prefix nor {@link renameTable} changes: cursors and checkpoints belong to it. */
  readonly declaredName: string
  /** partition ++ key ++ values sorted by physical name ++ expiry? ++ version? */
  readonly columns: readonly SchemaColumn[]
  readonly partitionLength: number
  /** Partition columns included. */
  readonly keyLength: number
  /** Position of the expiry column (value: epoch ms or null), -1 = not declared. */
  readonly expiryIndex: number
  /** Position of the version column, -1 = not declared. */
  readonly versionIndex: number
  /** Milliseconds after which a row expires, if it is written without an expiry of its own; undefined = never. */
  readonly ttl: number | undefined
  readonly writes: 'plain' | 'conditional'
  readonly salt: readonly Salt[]
  readonly layout: RowLayout
  /** Hints for individual stores, by adapter name; opaque to the core. */
  readonly stores: Readonly<Record<string, unknown>>
  /** Names in the store of columns that the application no longer uses. They are not in catalogs. */
  readonly retired: readonly string[]
  /** Other tables with the keys of its rows in another order, which its writes keep. */
  readonly indexes: readonly TableIndex[]
  /** What rows must pass before they are written; undefined if there is nothing. */
  readonly checks: SchemaChecks | undefined
  /** The decorated class that it was made from; undefined for `defineTable()` and JSON. The class may have checks of its own. */
  readonly class: ModelClass | undefined
  /** `key`: names, types and order of the key columns (cursors). `layout`: the salt too (catalog). Neither contains the table's name. */
  readonly fingerprints: { readonly key: string; readonly layout: string }
  /** Stable JSON, the input of {@link schemaFromJSON}. */
  toJSON(): SchemaJSON
  readonly [shape]: S
}

/** An index of a table. */
export interface TableIndex {
  readonly name: string
  /**
   * The table of its entries: the columns of the index, then those that are missing of the rows' key. If rows expire, the day at whose end the entry does is
   * the last key column, `expiry_day`, in days since 1970. Unless writes are plain, entries have a version.
   */
  readonly schema: TableSchema
  /** For each column of an entry, but for its version, its position in a row: of `expiry_day`, that of the expiry. */
  readonly sources: readonly number[]
  /** For each of these, what a row has there that is older than the column: its constant default, or null. */
  readonly absent: readonly Value[]
  /** Where the key of an entry has the day at whose end it expires; -1 if it has none. */
  readonly dayAt: number
  /** Whether no two rows have the same values in it. */
  readonly unique: boolean
  /** Whether entries are written with their rows, all or none, because an index of the table is unique or includes columns. */
  readonly exact: boolean
  /** For each key column of a row its position in an entry; -1 for a period, which is computed from another one. */
  readonly keySources: readonly number[]
  readonly definition: IndexJSON
}

/** An index as JSON: what its definition says. */
export interface IndexJSON {
  readonly name: string
  readonly partition: readonly string[]
  readonly key: readonly string[]
  readonly salt: readonly Salt[]
  readonly unique?: boolean
  readonly include?: readonly string[]
  readonly stores?: Readonly<Record<string, unknown>>
}

/** A schema as JSON. Keys are in a fixed order, so equal schemas make equal text. */
export interface SchemaJSON {
  readonly format: 1
  readonly name: string
  readonly writes: 'plain' | 'conditional'
  readonly salt: readonly Salt[]
  readonly columns: readonly ColumnJSON[]
  /** Milliseconds. */
  readonly ttl?: number
  readonly stores?: Readonly<Record<string, unknown>>
  readonly retired?: readonly string[]
  readonly indexes?: readonly IndexJSON[]
}

/** One column of {@link SchemaJSON}. */
export interface ColumnJSON {
  readonly name: string
  readonly physical: string
  readonly role: SchemaColumn['role']
  readonly type: Readonly<Record<string, unknown>>
}

/** The shape of a schema, at the type level. */
export type ShapeOf<T extends TableSchema> = T[typeof shape]

/** Registered, so that two loaded copies of the package recognise each other's schemas. */
export const schemaBrand: unique symbol = Symbol.for('rowkey.schema')

/**
 * Whether `model` is a {@link TableSchema}, including one of another copy of this package.
 *
 * @example
 * ```ts
 * isTableSchema(class Plain {}) //=> false
 * ```
 */
export function isTableSchema(model: unknown): model is TableSchema {
  return typeof model === 'object' && model !== null && schemaBrand in model
}
