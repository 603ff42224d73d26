// Tested by adapter-kit.test.ts.
import type { SchemaColumn, TableSchema } from '#model'
import type { Definition } from './definition.js'
import type { StoreOpening } from './opening.js'
import type { StoreFacts } from './store-facts.js'

/** What a store can do, as data. Nothing above the adapter checks its name. */
export interface Capabilities {
  /** false: reverse scans are NOT_SUPPORTED. */
  readonly reverse: boolean
  /**
   * presence: insert and update, but no version, no expiry. version: these too. columns: also conditions on other columns, additions, and
   * updates that create the row.
   */
  readonly conditions: 'none' | 'presence' | 'version' | 'columns'
  /** scope partition = one table, one P. bytes: max of all rows of a batch, as far as the core can count them; absent = the store has no limit. */
  readonly atomic: {
    readonly scope: 'row' | 'partition' | 'store'
    readonly max: number
    readonly bytes?: number
    readonly isolated: boolean
  }
  /** false: reads with consistency 'eventual' are strong. */
  readonly eventual: boolean
  /**
   * `columns`: rows are ordered column by column, so a key in which only the bytes of several columns together have an order is
   * NOT_SUPPORTED. Absent: the order is that of the rowkeys.
   */
  readonly keyOrder?: 'columns'
  /**
   * Calls of `write` with up to so many mutations take effect in the order of the calls, also those that are made before the last one was answered, and
   * leave no mutation unprocessed for a reason that passes. Absent: the core hands over a write of a row when those before it have ended.
   */
  readonly ordered?: number
  /** A put can leave columns as they are instead of writing nulls, which cost something in this store. Absent: it cannot. */
  readonly unsetNulls?: true
  readonly limits: { readonly partitionBytes: number; readonly sortKeyBytes: number; readonly valueBytes: number }
}

/**
 * The hints that a model may contain for its table on a store, by name. Unknown hints are refused when a model is first used.
 *
 * @example
 * ```ts
 * const hints: Hints = { shards: { fits: (value) => Number.isInteger(value), wants: 'a whole number' } }
 * ```
 */
export type Hints = Readonly<Record<string, Hint>>

/** One hint: plain JSON data. */
export interface Hint {
  /** Whether a table may have this value. */
  readonly fits: (value: unknown, schema: TableSchema) => boolean
  /** Completes the sentence "Give …" of a refusal: text, or a function that says what is wrong with a value. */
  readonly wants: string | ((value: unknown, schema: TableSchema) => string)
  /** Why a table without it is refused, as a message with the remedy; absent, or undefined: a table needs none. */
  readonly lacking?: (schema: TableSchema) => string | undefined
}

/**
 * The names that a store accepts, where it accepts fewer than models do. Others are refused when a model is first used.
 *
 * @example
 * ```ts
 * const names: NameRules = { table: { fits: (name) => name.length <= 48, wants: 'up to 48 characters' } }
 * ```
 */
export interface NameRules {
  readonly table?: NameRule
  readonly column?: NameRule
}

/** Which names, of those that models accept. */
export interface NameRule {
  readonly fits: (name: string) => boolean
  /** Completes the sentence "it accepts …" of a refusal. */
  readonly wants: string
}

/**
 * What a store is, as data and without a client: a tool judges a model for it, or shows the definition of a table, before there is a server.
 * The adapter of the store has the same `name`, `capabilities`, `hints`, `names` and `widens`.
 *
 * @example
 * ```ts
 * const tinyStore: StoreDescription = { name: 'tiny', capabilities, names: { table: { fits: (name) => name.length <= 8, wants: 'up to 8 characters' } } }
 * ```
 */
export interface StoreDescription {
  readonly name: string
  readonly capabilities: Capabilities
  /**
   * The hints that it accepts under its name in `stores` of a model; absent = none. The core refuses all others before it reads or writes.
   */
  readonly hints?: Hints
  /** Which names of tables and columns it accepts; absent = all that models accept. */
  readonly names?: NameRules
  /**
   * Whether a column can become a wider one of the same storage class without a change of what is stored; absent = always. A store with typed
   * columns may have another type for it.
   */
  readonly widens?: (stored: SchemaColumn, wider: SchemaColumn) => boolean
  /** What tools know of it; absent: nothing but its name. */
  readonly facts?: StoreFacts
  /** How a tool opens it; absent: no URL names it. */
  readonly opening?: StoreOpening
  /**
   * What `ensureTable` executes for a table that does not exist; absent: the store has no table definitions.
   *
   * @param options those of its adapter that matter to the definition
   * @throws RowkeyError `INVALID_OPTION`, `NOT_SUPPORTED`
   */
  ddl?(schema: TableSchema, options?: object): Definition
}

/** The description of a store with table definitions; `Options`: those of its adapter. */
export interface StoreWithDdl<Options extends object = object, D extends Definition = Definition> extends StoreDescription {
  ddl(schema: TableSchema, options?: Options): D
}
