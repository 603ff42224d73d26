// Tested by test/types/class.test-d.ts.
import type { Trait } from '#codec'
import type { ColumnNames, DeclaredKey, IsKnown, ListIn, NamesIn, PeriodNames, PeriodsIn, RowKeyObject } from '../infer/row-key.js'

declare const mistake: unique symbol // type level only

/** What the compiler shows where a decorator does not fit: why, and for what. */
export interface Mistake<Why extends string = string, What = unknown> {
  readonly [mistake]: { readonly why: Why; readonly what: What }
}

/** What a decorator makes of its field. */
export interface Place {
  readonly role: 'partition' | 'key' | 'value' | 'version'
  /** Of a key column, from 1. */
  readonly ordinal?: number
  readonly traits: Trait
  /** Of a period, its source. */
  readonly of?: string | undefined
}

/** unknown if the `[RowKey]` of a class has the field `N` as its decorator does, or if there is none; otherwise why it does not fit. */
export type FitsRowKey<T, N, P extends Place> = [DeclaredKey<T>] extends [never]
  ? unknown
  : DeclaredKey<T> extends string
    ? FitsNames<DeclaredKey<T>, N, P>
    : FitsObject<T, DeclaredKey<T>, N, P>

type FitsNames<D, N, P extends Place> = P['role'] extends 'partition' | 'key'
  ? N extends D
    ? unknown
    : 'computed' extends P['traits']
      ? unknown // keys may leave it out
      : Mistake<'[RowKey] must name this key column', N>
  : N extends D
    ? Mistake<'[RowKey] names this column, which is not in the key', N>
    : unknown

type FitsObject<T, D, N, P extends Place> = D extends RowKeyObject
  ? [Exclude<keyof D, keyof RowKeyObject>] extends [never]
    ? [Exclude<ColumnNames<D>, keyof T>] extends [never] // others may be private, and so no keys of the class
      ? FitsRole<D, N, P> & FitsDefault<D, N, P>
      : Mistake<'[RowKey] names what is not a field', Exclude<ColumnNames<D>, keyof T>>
    : Mistake<
        '[RowKey] can have partition, key, period, value, default, version, other and writes, not',
        Exclude<keyof D, keyof RowKeyObject>
      >
  : Mistake<"[RowKey] must be 'a' | 'b' or { partition: ['a']; key: ['b', 'c']; value: 'd'; default: 'e'; version: 'f'; other: 'g' }", D>

type FitsRole<D, N, P extends Place> =
  N extends NamesIn<D, 'other'>
    ? Mistake<'other of [RowKey] names this column', N>
    : P['role'] extends 'version'
      ? N extends NamesIn<D, 'version'>
        ? unknown
        : Mistake<'version of [RowKey] must name this field', N>
      : N extends NamesIn<D, 'version'>
        ? Mistake<'version of [RowKey] names this column', N>
        : FitsKey<D, N, P>

type FitsKey<D, N, P extends Place> = P['role'] extends 'partition' | 'key'
  ? N extends ListIn<D, P['role']>[number]
    ? IsAt<[0, ...ListIn<D, 'partition'>, ...ListIn<D, 'key'>], N, P['ordinal']>
    : Mistake<`${P['role']} of [RowKey] must name this column`, N>
  : N extends ListIn<D, 'partition' | 'key'>[number]
    ? Mistake<'[RowKey] has this column in the key', N>
    : N extends NamesIn<D, 'value' | 'default'>
      ? unknown
      : [Extract<P['traits'], 'null' | 'default'>, 'default'] extends ['default', P['traits']]
        ? unknown // default has to name it
        : Mistake<'value of [RowKey] must name this column', N>

type IsAt<L extends readonly unknown[], N, O> = O extends number
  ? number extends O
    ? unknown
    : L[O] extends N
      ? unknown
      : Mistake<'[RowKey] has this column at another place of the key', N>
  : unknown

type FitsDefault<D, N, P extends Place> = 'computed' extends P['traits']
  ? N extends PeriodNames<D>
    ? P['of'] extends PeriodsIn<D>[N]
      ? unknown
      : Mistake<'period of [RowKey] must name as the source of this column', P['of']>
    : Mistake<'period of [RowKey] must name this column, with its source', N extends string ? Record<N, P['of']> : never>
  : N extends PeriodNames<D>
    ? Mistake<'period of [RowKey] names this column, which is none', N>
    : 'default' extends P['traits']
      ? N extends NamesIn<D, 'default'>
        ? unknown
        : 'null' extends P['traits']
          ? unknown
          : Mistake<'default of [RowKey] must name this column', N>
      : N extends NamesIn<D, 'default'>
        ? Mistake<'default of [RowKey] names this column, which has no default', N>
        : unknown

/**
 * The same for the class: decorators do not change its type, so the compiler knows a column from another field by these names alone. Without them
 * a field whose decorator was forgotten would be a column for it.
 */
export type FitsFields<T> =
  IsKnown<T> extends true
    ? [Unnamed<T, DeclaredKey<T>>] extends [never]
      ? unknown
      : Mistake<'name this field in value of [RowKey] if it is a column, otherwise in other', Unnamed<T, DeclaredKey<T>>>
    : unknown
type Unnamed<T, D> = FieldsIn<T, Exclude<Extract<keyof T, string>, ColumnNames<D> | NamesIn<D, 'other'>>>
/** Not those that only are methods. */
type FieldsIn<T, N extends keyof T> = N extends unknown ? (NonNullable<T[N]> extends (...args: never) => unknown ? never : N) : never

/** The same for the class and what its `@Table` says. */
export type FitsWrites<T, W> =
  DeclaredKey<T> extends { readonly writes: infer D }
    ? [W] extends [D]
      ? unknown
      : Mistake<'writes of [RowKey] must be that of @Table', W>
    : unknown
