import type { Columns, Salt, Salts, TypeData } from '#codec'
import { isPlainObject, show } from '#codec/internal'
import type { TableSchema } from '../schema.js'
import { compileTable } from './compile-table.js'
import { namesOf } from '../definition/definition.js'
import { indexesOf, type IndexDefinition } from '../definition/index-definition.js'
import { ttlOf, type Duration } from '../definition/duration.js'
import { isObject, refuseOptions, Problems } from '../problems.js'
import type { StandardSchema } from '../definition/standard-schema.js'

/** What {@link defineTable} takes. */
export interface TableDefinition<
  C extends Columns,
  K extends readonly string[],
  P extends readonly string[],
  W extends 'plain' | 'conditional',
  V extends string = never,
> {
  /** All columns by property name; their order does not matter. */
  columns: C
  /** Names of the partition columns, in order: every scan binds them with `=` or `in`. Default none. */
  partition?: P
  /** Names of the other key columns, in order. The full key is partition, then key. Without any, a partition has one row: a table by id. */
  key: K
  /** One salt or a list of levels over key columns. Default none. */
  salt?: Salts<K[number] | P[number]>
  /** `'plain'`: put and delete only. Default `'conditional'`. */
  writes?: W
  /** Hints for individual stores, by adapter name; plain JSON data. */
  stores?: Readonly<Record<string, unknown>>
  /**
   * Rows expire this long after they were written, such as `'30d'`; a write can set another expiry for its row. `'never'`: only rows that are
   * written with an expiry expire. Default: no row expires, and no write can ask for it.
   */
  ttl?: Duration | 'never'
  /** Name of one more column that holds the version of a row: every write makes a new one, and a condition (`if`) may name it. */
  version?: V
  /**
   * Names in the store of columns that the application no longer uses. Without it, `ensureTables()` refuses to add a column to a table that
   * has another one which the model does not declare: it might be renamed, and its values would be lost.
   */
  retired?: readonly string[]
  /** Other keys to scan the rows by, each in a table of its own that the writes of the rows keep. Default none. */
  indexes?: Readonly<Record<string, IndexDefinition<keyof C & string>>>
  /** What whole rows must pass before they are written: a Standard Schema (zod, valibot, arktype …) or several. */
  check?: StandardSchema | readonly StandardSchema[]
  /** The same for values of single columns; a null is not checked. */
  checks?: { readonly [N in keyof C]?: StandardSchema | readonly StandardSchema[] }
}

/**
 * A table, fully typed: keys, rows and predicates are checked at compile time.
 *
 * @throws RowkeyError `INVALID_SCHEMA` with all problems of the definition in `details.problems`.
 * @example
 * ```ts
 * const Events = defineTable('events', {
 *   columns: { host: text(), at: desc(timestamp('ms')), message: nullable(text()) },
 *   key: ['host', 'at'],
 *   salt: bucket({ of: 'host', count: 16 }),
 * })
 * Events.columns.map(({ name }) => name) //=> ['host', 'at', 'message']
 * Events.fingerprints.key                //=> 16 hex digits, the same for the same key
 * ```
 */
export function defineTable<
  C extends Columns,
  const K extends readonly [NotIn<P, C>, ...NotIn<P, C>[]] | NoneAfter<P>,
  const P extends readonly (keyof C & string)[] = readonly [],
  W extends 'plain' | 'conditional' = 'conditional',
  const V extends string = never,
>(
  name: string,
  definition: TableDefinition<C, K, P, W, V>,
): TableSchema<{
  readonly columns: C
  readonly partition: P[number]
  readonly key: K[number]
  readonly first: P extends readonly [] ? FirstIn<K> : never
  readonly writes: W
  readonly version: V
}> {
  const problems = new Problems()
  if (!isObject(definition)) {
    problems.add({ code: 'INVALID_OPTION', message: `the definition is ${show(definition)}. Give an object with columns and key.` })
    throw problems.error(name)
  }
  refuseOptions(
    definition,
    ['columns', 'partition', 'key', 'salt', 'writes', 'stores', 'ttl', 'version', 'check', 'checks', 'retired', 'indexes'],
    problems,
  )
  const {
    columns,
    partition,
    key,
    salt = [],
    writes = 'conditional',
    stores = {},
    ttl,
    version,
    check,
    checks = {},
    retired,
    indexes,
  } = definition as Given
  if (!isPlainObject(columns)) {
    // `{ __proto__: text() }` is not a plain object: it sets the prototype and declares no column.
    problems.add({
      code: 'INVALID_TYPE',
      message: 'columns is not a plain object of column types. Give { name: type }, without a column called __proto__.',
    })
  }
  if (!isObject(checks)) problems.add({ code: 'INVALID_CHECK', message: `checks is ${show(checks)}. Give an object of checks by column.` })
  const entries = isPlainObject(columns) ? Object.entries(columns) : []
  const levels: readonly Salt[] = Array.isArray(salt) ? (salt as Salt[]) : [salt as Salt]
  const names = { partition: namesOf('partition', partition, problems), key: namesOf('key', key, problems) }
  const added = {
    expires: ttl !== undefined,
    ttl: ttlOf(ttl, problems),
    version,
    retired: namesOf('retired', retired, problems),
    indexes: indexesOf(indexes, problems),
    checks: { row: check, columns: isObject(checks) ? Object.entries(checks) : [], classValidator: false },
  }
  return compileTable({ name, columns: entries, ...names, salt: [...levels], writes, stores, ...added }, problems) as never
}

/** Columns that are not in the partition; any column if names are only known at run time. */
type NotIn<P extends readonly string[], C extends Columns> = string extends P[number]
  ? keyof C & string
  : Exclude<keyof C & string, P[number]>

/** No key column, which only partition columns allow. */
type NoneAfter<P extends readonly string[]> = P extends readonly [] ? never : readonly []

type FirstIn<K extends readonly string[]> = K extends readonly [infer F extends string, ...(readonly string[])] ? F : never

/** The same without the literal types, for JavaScript callers, who may leave out anything. */
interface Given {
  readonly columns?: Readonly<Record<string, TypeData>>
  readonly partition?: readonly string[]
  readonly key?: readonly string[]
  readonly salt?: Salt | readonly Salt[]
  readonly writes?: 'plain' | 'conditional'
  readonly stores?: Readonly<Record<string, unknown>>
  readonly ttl?: string
  readonly version?: string
  readonly retired?: readonly string[]
  readonly indexes?: unknown
  readonly check?: unknown
  readonly checks?: Readonly<Record<string, unknown>>
}
