// Tested by test/types/table.test-d.ts.
import type { Flat } from '#codec'
import type { TableSchema } from '../schema.js'
import type {
  ClassAmounts,
  ClassConditions,
  ClassInsert,
  ClassKey,
  ClassKeyInput,
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
  TableKeyInput,
  TablePatch,
  TableRow,
  TableWhere,
} from './table-types.js'

/** What describes a table: a schema of {@link defineTable} or a decorated class. */
export type Model = TableSchema | ModelClass

// What is inferred from is `typeof Orders` of defineTable(), or a decorated class: `Order`, and `typeof Order` means the same.

type RowOf<M> = M extends new () => infer T ? T : M extends abstract new (...args: never) => unknown ? never : M

/**
 * A row as reads return it: all columns of a schema, including its version, or an instance of the class.
 *
 * @example
 * ```ts
 * type Event = InferRow<typeof Events> //=> { host: string; at: Date; message: string | null }
 * ```
 */
export type InferRow<M extends object> = M extends TableSchema<infer S> ? TableRow<S> : RowOf<M>

/**
 * A whole key, as calls take it. A period may be left out, because it follows from the rest.
 *
 * @example
 * ```ts
 * type EventKey = InferKey<typeof Events> //=> { host: string; at: Date }
 * ```
 */
export type InferKey<M extends object> = M extends TableSchema<infer S> ? Flat<TableKeyInput<S>> : Flat<ClassKeyInput<RowOf<M>>>

/** A whole key, as calls return it: with its periods. */
export type InferWholeKey<M extends object> = M extends TableSchema<infer S> ? Flat<TableKey<S>> : Flat<ClassKey<RowOf<M>>>

/**
 * A row to insert or put: nullable columns, those with a default, periods and the version may be left out.
 *
 * @example
 * ```ts
 * type NewEvent = InferInsert<typeof Events> //=> { host: string; at: Date; message?: string | null }
 * ```
 */
export type InferInsert<M extends object> = M extends TableSchema<infer S> ? TableInsert<S> : ClassInsert<RowOf<M>>

/**
 * Value columns to change in a row; key columns cannot be changed. A column that is undefined is left as it is.
 *
 * @example
 * ```ts
 * type Change = InferPatch<typeof Events> //=> { message?: string | null }
 * ```
 */
export type InferPatch<M extends object> = M extends TableSchema<infer S> ? TablePatch<S> : Flat<ClassPatch<RowOf<M>>>

/**
 * Conditions on value columns and the version that an existing row must meet before a write changes it.
 *
 * @example
 * ```ts
 * await orders.update(key, { state: 'paid' }, { if: { state: 'open', rev: order.rev } })
 * ```
 */
export type InferConditions<M extends object> = M extends TableSchema<infer S> ? TableConditions<S> : ClassConditions<RowOf<M>>

/**
 * Amounts to add to value columns of integers or decimals. The compiler takes floats, instants as numbers and ids for these, and in a class
 * text for a decimal: they are refused when they are used, as `INVALID_VALUE`.
 *
 * @example
 * ```ts
 * await pages.increment({ path: '/' }, { hits: 1 })
 * ```
 */
export type InferAmounts<M extends object> = M extends TableSchema<infer S> ? TableAmounts<S> : ClassAmounts<RowOf<M>>

/**
 * The predicate of a scan. With a schema, partition columns must be bound by a value or `in`, without partition columns the
 * first key column by anything, and a column only has the operators that its type supports. A period among these is bound by its own values or by
 * those of its source: a value, `in`, or a range with both ends.
 *
 * @example
 * ```ts
 * const where: InferWhere<typeof Events> = { host: 'web-1', at: { gte: new Date(0) } }
 * ```
 */
export type InferWhere<M extends object> =
  M extends TableSchema<infer S> ? TableWhere<S, S['first']> : Flat<ClassWhere<RowOf<M>, FirstOf<RowOf<M>>>>

/**
 * The predicate of `scan(where, { unbounded: true })`: as {@link InferWhere}, but the first key column may be left out.
 *
 * @example
 * ```ts
 * const where: InferFullWhere<typeof Events> = { message: { startsWith: 'disk' } }
 * ```
 */
export type InferFullWhere<M extends object> = M extends TableSchema<infer S> ? TableWhere<S, never> : Flat<ClassWhere<RowOf<M>, never>>

/** `'plain'`, `'conditional'`, or both if the compiler cannot know (a class, a schema read from JSON). */
export type InferWrites<M extends object> = M extends TableSchema<infer S> ? S['writes'] : ClassWrites<RowOf<M>>
