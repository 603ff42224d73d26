import type { Json, Trait } from '@rowkey/codec'
import type { StandardSchema } from '../standard-schema.js'
import type { DoesNotFit, FitsRowKey, FitsWrites, Place } from './fits-row-key.js'

/** What the compiler shows if a field is declared with another type than its column. */
export interface FieldTypeMustBe<V> {
  readonly 'the field must be declared as': V
}

/** A column of all texts, on a field of some: the column must be declared as `text<V>()`. */
interface ColumnMustBeTextOf<V> {
  readonly 'write the column as text<…>() with the type of the field': V
}

/** A column of any JSON, on a field of some: the column must be declared as `json<V>()`. */
interface ColumnMustBeJsonOf<V> {
  readonly 'write the column as json<…>() with the type of the field': V
}

type Matches<V, F, U> = [V] extends [F] ? ([F] extends [V | U] ? unknown : FieldTypeMustBe<V>) : Mismatch<V, F>
type Mismatch<V, F> = [string, F] extends [V, string]
  ? ColumnMustBeTextOf<F>
  : [Json] extends [V]
    ? ColumnMustBeJsonOf<F>
    : FieldTypeMustBe<V>

/**
 * A decorator of a field, for standard and legacy (`experimentalDecorators`) mode. The field must be declared as exactly `V`, or as
 * optional if `U` is `undefined`. If the class declares `[RowKey]`, it must have the column at the place `P`.
 */
export interface FieldDecorator<V, U = never, P extends Place = Place> {
  <T, F, N extends keyof T>(
    value: undefined,
    context: ClassFieldDecoratorContext<T, F> & { name: N; static: false } & Matches<V, F, U> & FitsRowKey<T, N, P>,
  ): void
  <T, N extends keyof T & string>(target: T & Matches<V, T[N], U> & FitsRowKey<T, N, P>, name: N): void
}

/**
 * A decorator of a field whose column type is inferred. Only legacy compilers say how a field is declared. `Null` is `'null'` for nullable().
 */
export interface InferringFieldDecorator<Null, P extends Place> {
  <T, F>(
    value: undefined,
    context: ClassFieldDecoratorContext<T, F> & DoesNotFit<'standard decorators infer no type: give one, such as text()', F>,
  ): void
  <T, N extends keyof T & string>(target: T & CanBeInferred<T[N], Null> & FitsRowKey<T, N, P>, name: N): void
}

/** Without strictNullChecks, null is in every type and cannot be seen. */
type IsLoose = null extends string ? true : false
type IsSame<A, B> = [A, B] extends [B, A] ? true : false
type CanBeInferred<F, Null> = IsLoose extends true
  ? HasOneType<F>
  : [Null] extends [never]
    ? null extends F
      ? DoesNotFit<'null is not inferred: write nullable() around a type', F>
      : undefined extends F
        ? DoesNotFit<'a column that is not nullable cannot be an optional field', F>
        : HasOneType<F>
    : DoesNotFit<'nullable() without a type is only inferred without strictNullChecks: write the type, such as nullable(text())', F>

type HasOneType<F> =
  IsSame<F, never> extends true
    ? NoType<F>
    : [F] extends [string]
      ? unknown
      : true extends IsSame<F, boolean> | IsSame<F, bigint> | IsSame<F, Date> | IsSame<F, Uint8Array>
        ? unknown
        : [F] extends [number]
          ? DoesNotFit<"numbers have several types: write int32(), uint32(), float64() or int64({ as: 'number' })", F>
          : NoType<F>
type NoType<F> = DoesNotFit<'only text, Date, bigint, boolean and Uint8Array are inferred: write the type, such as json<…>()', F>

/** A column that may be left out on writes may be an optional field. */
export type MayBeAbsent<T extends Trait> = [T & ('null' | 'default')] extends [never] ? never : undefined

/** A decorator of a class that has the fields `N`, for both modes. `W`: how `@Table` says that its rows are written. */
export type ClassDecoratorFor<N extends string = never, W = never> = <T extends abstract new (...args: never) => Record<N, unknown>>(
  target: T & FitsWrites<InstanceType<T>, W>,
  context?: ClassDecoratorContext<T>,
) => void

/** A decorator of a field of any type, for both modes. */
export interface AnyFieldDecorator {
  <T, F>(value: undefined, context: ClassFieldDecoratorContext<T, F> & { static: false }): void
  (target: object, name: string): void
}

/** Options of `@Table`. */
export interface TableOptions<W extends 'plain' | 'conditional' = 'plain' | 'conditional'> {
  /** `'plain'`: put and delete only. Default `'conditional'`. */
  writes?: W
  /** Hints for individual stores, by adapter name; plain JSON data. */
  stores?: Readonly<Record<string, unknown>>
  /**
   * Names in the store of columns that the application no longer uses. Without it, `ensureTables()` refuses to add a column to a table that
   * has another one of the same sort which the class does not declare: it might be renamed, and its values would be lost.
   */
  retired?: readonly string[]
  /** What whole rows must pass before they are written: a Standard Schema (zod, valibot, arktype …) or several. */
  check?: StandardSchema | readonly StandardSchema[]
}
