// Tested by test/types/table.test-d.ts.
import type { Flat } from '#codec'
import type { Condition, PartitionCondition, VersionCondition } from './condition.js'
import type { ByPeriods } from './period-where.js'
import type { ColumnNames, DeclaredKey, IsKnown, KeyNames, ListIn, NamesIn, PeriodNames, PeriodsIn } from './row-key.js'
import type { Summand } from './summand.js'

/** A model class: constructed without arguments, then assigned. */
export type ModelClass<T = object> = new () => T

type Method = (...args: never) => unknown
/** The properties of an instance that are columns, or can be if the class does not say. One mapped type costs the compiler less than two. */
type Fields<T> = { [N in keyof T as N extends MayBeColumn<T> ? (T[N] extends Method ? never : N) : never]: T[N] }
type MayBeColumn<T> = IsKnown<T> extends true ? ColumnNames<DeclaredKey<T>> : string

type Equal<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false
/**
 * What rows may leave out: nullable columns, and if the class declares them, those with a default, periods and the version. Of other classes also
 * read-only fields that are not in the key, because a getter looks like a read-only field.
 */
type MayOmit<T, N extends keyof T> = null extends T[N]
  ? true
  : IsKnown<T> extends true
    ? N extends NamesIn<DeclaredKey<T>, 'default' | 'version'> | PeriodNames<DeclaredKey<T>>
      ? true
      : false
    : N extends KeyNames<T>
      ? false
      : Equal<Pick<T, N>, Readonly<Pick<T, N>>>

/** Key columns of a class that names them, but for some; without names, any of its fields, all optional. */
export type ClassKey<T, But = never> = [KeyNames<T>] extends [never]
  ? Partial<Fields<T>>
  : { -readonly [N in keyof T as N extends Exclude<KeyNames<T>, But> ? N : never]-?: T[N] }

/** The same as calls take them: a period follows from the rest. P is unknown, which has no keys, if nothing is declared. */
export type ClassKeyInput<T> =
  DeclaredKey<T> extends { readonly period: infer P }
    ? ClassKey<T, keyof P> & { -readonly [N in keyof T as N extends keyof P ? N : never]?: T[N] }
    : ClassKey<T>

/** A row to write. */
export type ClassInsert<T> = Flat<
  { -readonly [N in keyof Fields<T> as MayOmit<T, N> extends true ? never : N]: Fields<T>[N] } & {
    -readonly [N in keyof Fields<T> as MayOmit<T, N> extends true ? N : never]?: Fields<T>[N]
  }
>

/** Fields to change. */
export type ClassPatch<T> = {
  -readonly [N in keyof Fields<T> as N extends KeyNames<T> | NamesIn<DeclaredKey<T>, 'version'> ? never : N]?: Fields<T>[N] | undefined
}

/**
 * Amounts for fields that may be integers or decimals. The type of a class does not tell a decimal from text, nor an integer from a float or
 * an instant: those are refused when they are used. Text of a few values is no decimal.
 */
export type ClassAmounts<T> = {
  [N in keyof ClassPatch<T> as [FieldAmount<NonNullable<ClassPatch<T>[N]>>] extends [never] ? never : N]?:
    FieldAmount<NonNullable<ClassPatch<T>[N]>> | undefined
}

/** All values of the field must be numbers, or all bigints, or all text. */
type FieldAmount<V> = [V] extends [number] | [bigint] ? Summand<V> : [V] extends [string] ? (string extends V ? string : never) : never

// The type of a class does not contain its column types. Operators follow from the field's type; the rest is checked when the scan is
// created.
type FieldTraits<F> = ([NonNullable<F>] extends [string] ? 'range' | 'prefix' : 'range') | (null extends F ? 'null' : never)
type FieldCondition<F> = Condition<Exclude<F, undefined>, FieldTraits<F>>

/** Conditions on the value columns and the version of an existing row. */
export type ClassConditions<T> = { [N in keyof ClassPatch<T>]?: FieldCondition<ClassPatch<T>[N]> } & Partial<
  Record<NamesIn<DeclaredKey<T>, 'version'>, VersionCondition>
>

type PartitionOf<T> = ListIn<DeclaredKey<T>, 'partition'>[number]
/** The first key column, if there are no partition columns before it: a scan that is not a full scan binds it. */
export type FirstOf<T> = ListIn<DeclaredKey<T>, 'partition'> extends readonly [] ? ListIn<DeclaredKey<T>, 'key'>[0] : never
type VersionOf<T> = NamesIn<DeclaredKey<T>, 'version'>

/** A predicate over a class; it binds what the class declares as partition, and in `Bound`. */
export type ClassWhere<T, Bound> = [PeriodNames<DeclaredKey<T>>] extends [never]
  ? { -readonly [N in keyof T as N extends PartitionOf<T> ? N : never]: PartitionCondition<T[N]> } & {
      -readonly [N in keyof T as N extends Bound ? N : never]: FieldCondition<T[N]>
    } & { -readonly [N in keyof Fields<T> as N extends PartitionOf<T> | VersionOf<T> | Bound ? never : N]?: FieldCondition<Fields<T>[N]> }
  : PeriodWhere<T, Bound, Sources<T, PartitionOf<T> | Bound>, PeriodNames<DeclaredKey<T>>>

/** The periods that a predicate has to bind, with their sources. A partition that has the source too is bound by that. */
type Sources<T, Bound> = {
  [
    N in keyof PeriodsIn<DeclaredKey<T>> as N extends Bound ? (PeriodsIn<DeclaredKey<T>>[N] extends PartitionOf<T> ? never : N) : never
  ]: PeriodsIn<DeclaredKey<T>>[N]
}

type PeriodWhere<T, Bound, R, Periods> = Binding<T, Bound, Periods | R[keyof R]> &
  ([keyof R] extends [never] ? unknown : ByPeriods<R, Conditions<T>, Binding<T, Bound, never>, T>) & {
    [N in keyof Conditions<T> as N extends Exclude<PartitionOf<T> | Bound, Periods> | keyof R | R[keyof R] ? never : N]?: Conditions<T>[N]
  }

type Conditions<T> = { -readonly [N in keyof Fields<T> as N extends VersionOf<T> ? never : N]-?: FieldCondition<Fields<T>[N]> }
/** Of the columns that have to be bound, but for some. */
type Binding<T, Bound, But> = {
  -readonly [N in keyof T as N extends Exclude<PartitionOf<T> | Bound, But> ? N : never]-?: N extends PartitionOf<T>
    ? PartitionCondition<Exclude<T[N], undefined>>
    : FieldCondition<T[N]>
}

/** `'plain'`, `'conditional'`, or both if the class does not say. */
export type ClassWrites<T> =
  DeclaredKey<T> extends { readonly writes: infer W extends 'plain' | 'conditional' } ? W : 'plain' | 'conditional'
