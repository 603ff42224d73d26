// Tested by test/types/table.test-d.ts.
import type { ColumnType, Columns, Flat, TraitsOf, ValueOf, ValuesOf } from '#codec'
import type { TableShape } from '../schema.js'
import type { Condition, PartitionCondition, VersionCondition } from './condition.js'
import type { Summand } from './summand.js'

// Key remapping (`as`) keeps the declared order of the columns; Pick and Omit would shuffle it in editors.

/** Key columns of a table. */
export type TableKey<S extends TableShape> = {
  -readonly [N in keyof S['columns'] as N extends S['partition'] | S['key'] ? N : never]: ValueOf<S['columns'][N]>
}

/** The version column, if the table has one and the compiler knows its name. */
type VersionOf<S extends TableShape> = string extends S['version'] ? unknown : Record<S['version'], string | null>

/** A row as reads return it. */
export type TableRow<S extends TableShape> = Flat<ValuesOf<S['columns']> & VersionOf<S>>

type MayOmit<C extends ColumnType> = 'null' extends TraitsOf<C> ? true : 'default' extends TraitsOf<C> ? true : false

/** A row to write: what may be null or has a default may be left out. */
export type TableInsert<S extends TableShape> = InsertOf<S['columns'], Partial<VersionOf<S>>>

type InsertOf<C extends Columns, Version> = Flat<
  { -readonly [N in keyof C as MayOmit<C[N]> extends true ? never : N]: ValueOf<C[N]> } & {
    -readonly [N in keyof C as MayOmit<C[N]> extends true ? N : never]?: ValueOf<C[N]>
  } & Version
>

type ValueColumns<S extends TableShape> = {
  [N in keyof S['columns'] as N extends S['partition'] | S['key'] ? never : N]: S['columns'][N]
}

declare const none: unique symbol // type level only

/** What a table has no columns for. Of a type without any properties, the compiler would accept every object. */
interface NoColumns {
  readonly [none]?: never
}

/** Value columns to change. A table without value columns only accepts `{}`, and one that is only known at run time accepts anything. */
export type TablePatch<S extends TableShape> = string extends keyof S['columns']
  ? Record<string, unknown>
  : [keyof ValueColumns<S>] extends [never]
    ? NoColumns
    : Flat<{ [N in keyof ValueColumns<S>]?: ValueOf<ValueColumns<S>[N]> | undefined }>

/** Conditions on the value columns and the version of an existing row. A table that is only known at run time accepts anything. */
export type TableConditions<S extends TableShape> = string extends keyof S['columns']
  ? Record<string, unknown>
  : Flat<
      { [N in keyof ValueColumns<S>]?: Condition<ValueOf<ValueColumns<S>[N]>, TraitsOf<ValueColumns<S>[N]>> } & (string extends S['version']
        ? unknown
        : Partial<Record<S['version'], VersionCondition>>)
    >

/**
 * What can be added to a column. Integers and decimals have ranges but no prefixes. So have floats, instants as numbers, uuids and ulids,
 * which are refused when they are used.
 */
type Amount<C extends ColumnType> =
  'range' extends TraitsOf<C> ? ('prefix' extends TraitsOf<C> ? never : Summand<NonNullable<ValueOf<C>>>) : never

type Summands<S extends TableShape> = {
  [N in keyof ValueColumns<S> as [Amount<ValueColumns<S>[N]>] extends [never] ? never : N]: Amount<ValueColumns<S>[N]>
}

/** Amounts for value columns of numbers or decimals. A table without such columns accepts none. */
export type TableAmounts<S extends TableShape> = string extends keyof S['columns']
  ? Record<string, unknown>
  : [keyof Summands<S>] extends [never]
    ? NoColumns
    : Flat<{ [N in keyof Summands<S>]?: Summands<S>[N] | undefined }>

/** A predicate in which the columns `Bound` are required. */
export type TableWhere<S extends TableShape, Bound extends string> = Flat<
  { -readonly [N in keyof S['columns'] as N extends S['partition'] ? N : never]: PartitionCondition<ValueOf<S['columns'][N]>> } & {
    -readonly [N in keyof S['columns'] as N extends Bound ? N : never]: Condition<ValueOf<S['columns'][N]>, TraitsOf<S['columns'][N]>>
  } & {
    -readonly [N in keyof S['columns'] as N extends S['partition'] | Bound ? never : N]?: Condition<
      ValueOf<S['columns'][N]>,
      TraitsOf<S['columns'][N]>
    >
  }
>
