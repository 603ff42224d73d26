import type { Flat } from '@rowkey/codec'
import type { Condition } from './condition.js'

/**
 * Lets the compiler check the key of a decorated class: declare the names of its key columns. It is for the compiler only. Nothing reads it
 * at run time, so it is not checked against the decorators: a missing or extra name is refused when a key is used. Without it, all keys of
 * the class are checked only then.
 *
 * @example
 * ```ts
 * class LogEvent {
 *   declare [RowKey]?: 'host' | 'at'
 *   @KeyColumn(1, text()) host!: string
 *   @KeyColumn(2, timestamp('ms')) at!: Date
 * }
 * ```
 */
export const RowKey: unique symbol = Symbol.for('rowkey.key')

/** A model class: constructed without arguments, then assigned. */
export type ModelClass<T = object> = new () => T

type Method = (...args: never) => unknown
/** The properties of an instance that can be columns. */
export type Fields<T> = { [N in keyof T as N extends string ? (T[N] extends Method ? never : N) : never]: T[N] }

type Equal<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false
/** Nullable and read-only fields may be left out, because a getter looks like a read-only field. */
type MayOmit<F, N extends keyof F> = null extends F[N] ? N : Equal<Pick<F, N>, Readonly<Pick<F, N>>> extends true ? N : never

type KeyNames<T> = T extends { readonly [RowKey]?: infer N } ? Extract<N, keyof T & string> : never

/** Key columns of a class with the marker; without it, any of its fields, all optional. */
export type ClassKey<T> = [KeyNames<T>] extends [never] ? Partial<Fields<T>> : { [N in keyof T as N extends KeyNames<T> ? N : never]: T[N] }

/** A row to write. */
export type ClassInsert<F> = Flat<
  { [N in keyof F as N extends MayOmit<F, N> ? never : N]: F[N] } & { [N in keyof F as N extends MayOmit<F, N> ? N : never]?: F[N] }
>

/** Fields to change. */
export type ClassPatch<T> = { [N in keyof Fields<T> as N extends KeyNames<T> ? never : N]?: Fields<T>[N] }

/** Amounts for fields of numbers or decimals. */
export type ClassAmounts<T> = {
  [N in keyof ClassPatch<T> as NonNullable<ClassPatch<T>[N]> extends number | bigint | string ? N : never]?:
    NonNullable<ClassPatch<T>[N]> | undefined
}

// The type of a class does not contain its column types. Operators follow from the field's type; the rest is checked when the scan is
// created.
type FieldTraits<F> = ([NonNullable<F>] extends [string] ? 'range' | 'prefix' : 'range') | (null extends F ? 'null' : never)

/** A predicate over a class. */
export type ClassWhere<F> = { [N in keyof F]?: Condition<Exclude<F[N], undefined>, FieldTraits<F[N]>> }
