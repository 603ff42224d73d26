// Tested by test/types/table.test-d.ts.
import type { ColumnType, Json, Trait, TraitsOf, TypeWrapper, ValueOf } from '#codec'
import type { StandardSchema } from '../definition/standard-schema.js'
import type { FitsFields, FitsRowKey, FitsWrites, Mistake, Place } from './fits-row-key.js'

// A decorator that does not fit returns a Mistake, which the compiler refuses as its return type and shows: the one message that TypeScript 5.4
// to 7 word alike in both decorator modes. Of a parameter that does not fit, TypeScript 7 only says that undefined is no never.

/** What a decorator returns: nothing, or the first of what does not fit. */
type Verdict<First, Second = unknown> = First extends Mistake ? First : Second extends Mistake ? Second : undefined

/**
 * A decorator of a field, for standard and legacy (`experimentalDecorators`) mode. The field must be declared as exactly `V`, or as
 * optional if `U` is `undefined`. If the class declares `[RowKey]`, it must have the column at the place `P`.
 */
export interface FieldDecorator<V, U = never, P extends Place = Place> extends NoFieldDecorator {
  // In a generic function, as a class factory is, the compiler can only compare V with the field in a parameter: in what is returned, the
  // comparison stays open, and so would the verdict. What does not fit goes on to the signatures below, which say why.
  <T, F, N extends PropertyKey>(
    value: undefined,
    context: ClassFieldDecoratorContext<T, F> & { readonly name: N; readonly static: false } & Fitting<V, F, U>,
  ): Verdict<IsPublic<T, N>, FitsRowKey<T, N, P>>
  <T, N extends PropertyKey>(
    target: T & Fitting<V, TypeIn<T, N>, U>,
    name: N,
  ): Verdict<IsClass<T> extends true ? Mistake<NotPublic, N> : IsPublic<T, N>, FitsRowKey<T, N, P>>
  <T, F, N extends PropertyKey, S extends boolean>(
    value: undefined,
    context: ClassFieldDecoratorContext<T, F> & { readonly name: N; readonly static: S },
  ): Verdict<IsField<T, N, S>, Verdict<FitsType<V, F, U>, FitsRowKey<T, N, P>>>
  <T, N extends PropertyKey>(
    target: T,
    name: N,
  ): Verdict<IsField<T, N, IsClass<T>>, Verdict<FitsType<V, TypeIn<T, N>, U>, FitsRowKey<T, N, P>>>
}

/** The same decorator on something else. */
interface NoFieldDecorator {
  <N extends PropertyKey>(value: unknown, context: ClassMemberDecoratorContext & { readonly name: N }): Mistake<NoField, N>
  <N extends PropertyKey>(target: object, name: N, descriptor: unknown): Mistake<NoField, N>
}

type NotPublic = 'only a public field of instances can be a column, not'
type NoField = 'only a field can be a column, not a method, getter or accessor such as'
type IsClass<T> = T extends abstract new (...args: never) => unknown ? true : false
type TypeIn<T, N> = N extends keyof T ? T[N] : never
/** Private fields are no keys of their class. */
type IsField<T, N, Static> = Static extends true
  ? Mistake<NotPublic, N>
  : N extends keyof T & string
    ? IsMethod<T[N]> extends true
      ? Mistake<NoField, N>
      : unknown
    : Mistake<NotPublic, N>
type IsPublic<T, N> = N extends keyof T & string ? unknown : Mistake<NotPublic, N>
type IsMethod<F> = 0 extends 1 & F ? false : [F] extends [never] ? false : F extends (...args: never) => unknown ? true : false

/** Without strictNullChecks, null is in every type and cannot be seen. */
type IsLoose = null extends string ? true : false
type IsSame<A, B> = [A, B] extends [B, A] ? true : false

type Fitting<V, F, U> = [V] extends [F] ? ([F] extends [V | U] ? unknown : never) : never
type FitsType<V, F, U> = [V] extends [F] ? ([F] extends [V | U] ? unknown : Misfit<V, F>) : Misfit<V, F>
/** The column type cannot be guessed from the field, so the message says what to change where only one thing is wrong. */
type Misfit<V, F> =
  IsSame<NonNullable<V>, NonNullable<F>> extends true
    ? null extends V
      ? Mistake<'the column may be null: declare the field as', V>
      : null extends F
        ? Mistake<'the column is never null: write nullable(…) around its type, or declare the field as', V>
        : Mistake<'the column is never left out: declare the field without ? as', V>
    : [string, NonNullable<F>] extends [NonNullable<V>, string]
      ? Mistake<'write the column as text<…>() with the type of the field', Exclude<F, null | undefined>>
      : [Json] extends [V]
        ? Mistake<'write the column as json<…>() with the type of the field', F>
        : Mistake<'declare the field as', V>

/** A decorator of a field with the column type `C`, or with the one that is inferred from the field. */
export type ColumnDecorator<C extends ColumnType | TypeWrapper<'null'>, P extends Place> = [C] extends [never]
  ? InferringFieldDecorator<never, P>
  : [C] extends [ColumnType]
    ? FieldDecorator<ValueOf<C>, MayBeAbsent<TraitsOf<C>>, WithType<P, C>>
    : [C] extends [TypeWrapper<infer Null>]
      ? InferringFieldDecorator<Null, P>
      : AnyFieldDecorator // after a type that was refused already

interface WithType<P extends Place, C extends ColumnType> extends Place {
  readonly role: P['role']
  readonly ordinal: P extends { readonly ordinal: infer O extends number } ? O : never
  readonly traits: TraitsOf<C>
  readonly of: C['of']
}

/**
 * A decorator of a field whose column type is inferred. Only legacy compilers say how a field is declared. `Null` is `'null'` for nullable().
 */
export interface InferringFieldDecorator<Null, P extends Place> extends NoFieldDecorator {
  <T, F>(
    value: undefined,
    context: ClassFieldDecoratorContext<T, F>,
  ): Mistake<'without experimentalDecorators no type is inferred: give one, such as text(), for', F>
  <T, N extends PropertyKey>(
    target: T,
    name: N,
  ): Verdict<IsField<T, N, IsClass<T>>, Verdict<CanBeInferred<TypeIn<T, N>, Null>, FitsRowKey<T, N, P>>>
}

type CanBeInferred<F, Null> = IsLoose extends true
  ? HasOneType<F>
  : [Null] extends [never]
    ? null extends F
      ? Mistake<'null is not inferred: write nullable(…) around the type, such as nullable(text())', F>
      : undefined extends F
        ? Mistake<'the column is never left out: declare the field without ?', F>
        : HasOneType<F>
    : Mistake<'nullable() without a type is only inferred without strictNullChecks: write the type, such as nullable(text())', F>

type HasOneType<F> =
  IsSame<F, never> extends true
    ? NoType<F>
    : [F] extends [string]
      ? unknown
      : true extends IsSame<F, boolean> | IsSame<F, bigint> | IsSame<F, Date> | IsSame<F, Uint8Array>
        ? unknown
        : [F] extends [number]
          ? Mistake<"numbers have several types: write int32(), uint32(), float64() or int64({ as: 'number' })", F>
          : NoType<F>
type NoType<F> = Mistake<'only text, Date, bigint, boolean and Uint8Array are inferred: write the type, such as json<…>()', F>

/** A column that may be left out on writes may be an optional field. */
type MayBeAbsent<T extends Trait> = [T & ('null' | 'default' | 'computed')] extends [never] ? never : undefined

/**
 * What a decorator without its parentheses returns. The compiler also takes it for what a wrong call returns, and only reports one mistake
 * if that can be called.
 */
export interface Uncalled<Why extends string> extends Mistake<Why> {
  (...given: readonly unknown[]): void
}

/** What `@Table` returns: a decorator of a class for both modes. `W`: how its rows are written. */
export type TableDecorator<W> = <T extends abstract new (...args: never) => object>(
  target: T,
  context?: ClassDecoratorContext<T>,
) => Verdict<FitsFields<InstanceType<T>>, FitsWrites<InstanceType<T>, W>>

/** A decorator of a class that has the fields `N`, for both modes. */
export type ClassDecoratorFor<N extends string = never> = <T extends abstract new (...args: never) => object>(
  target: T,
  context?: ClassDecoratorContext<T>,
) => Verdict<HasFields<InstanceType<T>, N>>

type HasFields<T, N extends string> = string extends N
  ? unknown
  : [Exclude<N, keyof T>] extends [never]
    ? unknown
    : Mistake<'the class has no field', Exclude<N, keyof T>>

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
   * has another one which the class does not declare: it might be renamed, and its values would be lost.
   */
  retired?: readonly string[]
  /** What whole rows must pass before they are written: a Standard Schema (zod, valibot, arktype …) or several. */
  check?: StandardSchema | readonly StandardSchema[]
}
