// Tested by test/types/table.test-d.ts.
import type { ColumnType, Columns, Flat, TraitsOf, ValueOf, ValuesOf } from '#codec'
import type { TableShape } from '../schema.js'
import type { Condition, PartitionCondition, VersionCondition } from './condition.js'
import type { ByPeriods } from './period-where.js'
import type { Summand } from './summand.js'

// Key remapping (`as`) keeps the declared order of the columns; Pick and Omit would shuffle it in editors.

/** Key columns of a table. */
export type TableKey<S extends TableShape> = {
  -readonly [N in keyof S['columns'] as N extends S['partition'] | S['key'] ? N : never]: ValueOf<S['columns'][N]>
}

/** The same as calls take them: a period follows from the rest. */
export type TableKeyInput<S extends TableShape> =
  HasPeriods<S['columns']> extends true
    ? {
        -readonly [N in keyof S['columns'] as N extends Exclude<S['partition'] | S['key'], PeriodsIn<S['columns']>> ? N : never]: ValueOf<
          S['columns'][N]
        >
      } & { -readonly [N in keyof S['columns'] as N extends PeriodsIn<S['columns']> ? N : never]?: ValueOf<S['columns'][N]> }
    : TableKey<S>

/** Mostly not, so it asks all columns at once. */
type HasPeriods<C extends Columns> = string extends keyof C ? false : 'computed' extends TraitsOf<C[keyof C]> ? true : false
type PeriodsIn<C extends Columns> = keyof { [N in keyof C as 'computed' extends TraitsOf<C[N]> ? N : never]: never }

/** The version column, if the table has one and the compiler knows its name. */
type VersionOf<S extends TableShape> = string extends S['version'] ? unknown : Record<S['version'], string | null>

/** A row as reads return it. */
export type TableRow<S extends TableShape> = Flat<ValuesOf<S['columns']> & VersionOf<S>>

type MayOmit<C extends ColumnType> =
  'null' extends TraitsOf<C> ? true : 'default' extends TraitsOf<C> ? true : 'computed' extends TraitsOf<C> ? true : false

/** A row to write: what may be null, has a default or is computed may be left out. */
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
export type TableWhere<S extends TableShape, Bound extends string> =
  HasPeriods<S['columns']> extends true
    ? Flat<PeriodWhere<S, Bound, Sources<S, Bound>>>
    : Flat<
        { -readonly [N in keyof S['columns'] as N extends S['partition'] ? N : never]: PartitionCondition<ValueOf<S['columns'][N]>> } & {
          -readonly [N in keyof S['columns'] as N extends Bound ? N : never]: Condition<ValueOf<S['columns'][N]>, TraitsOf<S['columns'][N]>>
        } & {
          -readonly [N in keyof S['columns'] as N extends S['partition'] | Bound ? never : N]?: Condition<
            ValueOf<S['columns'][N]>,
            TraitsOf<S['columns'][N]>
          >
        }
      >

/** The periods that a predicate has to bind, with their sources. A partition that has the source too is bound by that. */
type Sources<S extends TableShape, Bound extends string> = {
  [
    N in keyof S['columns'] as N extends PeriodsIn<S['columns']> & (S['partition'] | Bound)
      ? S['columns'][N]['of'] extends Exclude<keyof S['columns'], S['partition']>
        ? N
        : never
      : never
  ]: S['columns'][N]['of']
}

/** Other periods are conditions like those of value columns. */
type PeriodWhere<S extends TableShape, Bound extends string, R> = Binding<S, Bound, PeriodsIn<S['columns']> | R[keyof R]> &
  ([keyof R] extends [never] ? unknown : ByPeriods<R, Conditions<S>, Binding<S, Bound, never>, ValuesOf<S['columns']>>) & {
    [
      N in keyof S['columns'] as N extends Exclude<S['partition'] | Bound, PeriodsIn<S['columns']>> | keyof R | R[keyof R] ? never : N
    ]?: Conditions<S>[N]
  }

type Conditions<S extends TableShape> = {
  -readonly [N in keyof S['columns']]: Condition<ValueOf<S['columns'][N]>, TraitsOf<S['columns'][N]>>
}
/** Of the columns that have to be bound, but for some. */
type Binding<S extends TableShape, Bound extends string, But> = {
  -readonly [N in keyof S['columns'] as N extends Exclude<S['partition'] | Bound, But> ? N : never]: N extends S['partition']
    ? PartitionCondition<ValueOf<S['columns'][N]>>
    : Conditions<S>[N]
}
