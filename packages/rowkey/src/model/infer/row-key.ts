// Tested by test/types/table.test-d.ts.
/**
 * Tells the compiler what a decorated class is in its table, which decorators cannot: declare it as a property that only exists for the
 * compiler. The names of the key columns are enough for keys to be checked. With an object, a class has the types that `defineTable` has:
 *
 * - `partition`, `key`: the names of the columns in order, as in `defineTable`. Keys are checked, and scans must bind the first columns.
 * - `period`: columns of `period()`, each with its source, as in `{ day: 'at' }`. Rows to write and keys may leave them out.
 * - `value`: the other columns. Those of `default` need not be repeated here.
 * - `default`: columns with a default, which rows to write may leave out.
 * - `version`: the version, which patches cannot contain.
 * - `other`: fields and accessors that are not columns, which rows to write do not contain.
 * - `writes`: `'plain'` if `@Table` says so; then there is no insert and update.
 *
 * The decorators compare it with their field: a column that it does not name, or names in another place, does not compile, nor does a class with a
 * field that it does not name at all. Nothing reads it at run time. Without it, a missing column of a key or of a scan is only refused when the call is made.
 *
 * @example
 * ```ts
 * class LogEvent {
 *   declare [RowKey]?: { key: ['host', 'at', 'seq']; value: 'message'; default: 'seq' } // or only 'host' | 'at' | 'seq'
 *   @KeyColumn(1, text()) host!: string
 *   @KeyColumn(2, timestamp('ms')) at!: Date
 *   @KeyColumn(3, uint32({ default: random(100) })) seq!: number
 *   @Column(text()) message!: string
 * }
 * ```
 */
export const RowKey: unique symbol = Symbol.for('rowkey.key')

/** What a class declares as `[RowKey]`; never if it declares nothing. */
export type DeclaredKey<T> = typeof RowKey extends keyof T ? NonNullable<T[typeof RowKey]> : never

/** What an object as `[RowKey]` may contain. */
export interface RowKeyObject {
  readonly partition?: readonly string[]
  readonly key: readonly string[]
  readonly period?: Readonly<Record<string, string>>
  readonly value?: string
  readonly default?: string
  readonly version?: string
  readonly other?: string
  readonly writes?: 'plain' | 'conditional'
}

/** The list that `[RowKey]` has for a part of the key; empty if it has none. */
export type ListIn<D, Part extends 'partition' | 'key'> = Part extends unknown
  ? D extends Readonly<Record<Part, infer L extends readonly string[]>>
    ? L
    : []
  : never

/** The names that `[RowKey]` has for something else; never if it has none. */
export type NamesIn<D, What extends 'value' | 'default' | 'version' | 'other'> = What extends unknown
  ? D extends Readonly<Record<What, infer N extends string>>
    ? N
    : never
  : never

/** The sources that the object has for periods, by these. */
export type PeriodsIn<D> = D extends { readonly period: infer P } ? P : never
/** The names of these periods; never if it has none. */
export type PeriodNames<D> = D extends { readonly period: infer P } ? keyof P : never

/** All names that the object has for columns. */
export type ColumnNames<D> = ListIn<D, 'partition' | 'key'>[number] | NamesIn<D, 'value' | 'default' | 'version'>

/** Key columns, partition columns included; never if the class does not name them. */
export type KeyNames<T> =
  DeclaredKey<T> extends infer D
    ? D extends string
      ? Extract<D, keyof T>
      : [...ListIn<D, 'partition'>, ...ListIn<D, 'key'>][number]
    : never

/** Whether the class declares the object, so that the compiler knows all about it. */
export type IsKnown<T> = [DeclaredKey<T>] extends [never] ? false : DeclaredKey<T> extends RowKeyObject ? true : false
