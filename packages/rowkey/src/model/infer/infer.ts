// Tested by test/types/table.test-d.ts.
import type { Flat } from '#codec'
import type { TableSchema } from '../schema.js'
import type {
  ClassAmounts,
  ClassConditions,
  ClassInsert,
  ClassKey,
  ClassPatch,
  ClassWhere,
  ClassWrites,
  FirstOf,
  ModelClass,
} from './class-types.js'
import type {
  TableAmounts,
  TableConditions,
  TableInsert,
  TableKey,
  TableKeyOnly,
  TablePatch,
  TableRow,
  TableRowAsKey,
  TableWhere,
} from './table-types.js'

/** What describes a table: a schema of {@link defineTable} or a decorated class. */
export type Model = TableSchema | ModelClass

/**
 * A row as reads return it: all columns of a schema, including its version, or an instance of the class.
 *
 * @example
 * ```ts
 * type Event = InferRow<typeof Events> //=> { host: string; at: Date; message: string | null }
 * ```
 */
export type InferRow<M extends Model> = M extends TableSchema<infer S> ? TableRow<S> : M extends ModelClass<infer T> ? T : never

/**
 * A whole key.
 *
 * @example
 * ```ts
 * type EventKey = InferKey<typeof Events> //=> { host: string; at: Date }
 * ```
 */
export type InferKey<M extends Model> =
  M extends TableSchema<infer S> ? Flat<TableKey<S>> : M extends ModelClass<infer T> ? Flat<ClassKey<T>> : never

/**
 * What methods take as a key: the key columns alone, or a whole row, as a read returned it. Of what is neither, compilers name the columns that
 * the last one lacks.
 *
 * @example
 * ```ts
 * const [oldest] = await events.scan({ host: 'web-1' }, { order: 'reverse', limit: 1 }).toArray()
 * if (oldest !== undefined) await events.delete(oldest)
 * ```
 */
export type KeyOrRow<M extends Model> =
  M extends TableSchema<infer S> ? TableRowAsKey<S> | TableKeyOnly<S> : M extends ModelClass<infer T> ? T | Flat<ClassKey<T>> : never

/**
 * A row to insert or put: nullable columns, those with a default and the version may be left out.
 *
 * @example
 * ```ts
 * type NewEvent = InferInsert<typeof Events> //=> { host: string; at: Date; message?: string | null }
 * ```
 */
export type InferInsert<M extends Model> =
  M extends TableSchema<infer S> ? TableInsert<S> : M extends ModelClass<infer T> ? ClassInsert<T> : never

/**
 * Value columns to change in a row; key columns cannot be changed. A column that is undefined is left as it is.
 *
 * @example
 * ```ts
 * type Change = InferPatch<typeof Events> //=> { message?: string | null }
 * ```
 */
export type InferPatch<M extends Model> =
  M extends TableSchema<infer S> ? TablePatch<S> : M extends ModelClass<infer T> ? Flat<ClassPatch<T>> : never

/**
 * Conditions on value columns and the version that an existing row must meet before a write changes it.
 *
 * @example
 * ```ts
 * await orders.update(key, { state: 'paid' }, { if: { state: 'open', rev: order.rev } })
 * ```
 */
export type InferConditions<M extends Model> =
  M extends TableSchema<infer S> ? TableConditions<S> : M extends ModelClass<infer T> ? ClassConditions<T> : never

/**
 * Amounts to add to value columns of integers or decimals. The compiler takes floats, instants as numbers and ids for these, and in a class
 * text for a decimal: they are refused when they are used, as `INVALID_VALUE`.
 *
 * @example
 * ```ts
 * await pages.increment({ path: '/' }, { hits: 1 })
 * ```
 */
export type InferAmounts<M extends Model> =
  M extends TableSchema<infer S> ? TableAmounts<S> : M extends ModelClass<infer T> ? ClassAmounts<T> : never

/**
 * The predicate of a scan. With a schema, partition columns must be bound by a value or `in`, without partition columns the
 * first key column by anything, and a column only has the operators that its type supports.
 *
 * @example
 * ```ts
 * const where: InferWhere<typeof Events> = { host: 'web-1', at: { gte: new Date(0) } }
 * ```
 */
export type InferWhere<M extends Model> =
  M extends TableSchema<infer S> ? TableWhere<S, S['first']> : M extends ModelClass<infer T> ? Flat<ClassWhere<T, FirstOf<T>>> : never

/**
 * The predicate of `scan(where, { unbounded: true })`: as {@link InferWhere}, but the first key column may be left out.
 *
 * @example
 * ```ts
 * const where: InferFullWhere<typeof Events> = { message: { startsWith: 'disk' } }
 * ```
 */
export type InferFullWhere<M extends Model> =
  M extends TableSchema<infer S> ? TableWhere<S, never> : M extends ModelClass<infer T> ? Flat<ClassWhere<T, never>> : never

/** `'plain'`, `'conditional'`, or both if the compiler cannot know (a class, a schema read from JSON). */
export type InferWrites<M extends Model> =
  M extends TableSchema<infer S> ? S['writes'] : M extends ModelClass<infer T> ? ClassWrites<T> : 'plain' | 'conditional'
