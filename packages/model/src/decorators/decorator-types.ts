import type { Trait } from '@rowkey/codec'
import type { StandardSchema } from '../standard-schema.js'

/** What the compiler shows if a field is declared with another type than its column. */
export interface FieldTypeMustBe<V> {
  readonly 'the field must be declared as': V
}
type Matches<V, F, U> = [V] extends [F] ? ([F] extends [V | U] ? unknown : FieldTypeMustBe<V>) : FieldTypeMustBe<V>

/**
 * A decorator of a field, for standard and legacy (`experimentalDecorators`) mode. The field must be declared as exactly `V`, or as
 * optional if `U` is `undefined`.
 */
export interface FieldDecorator<V, U = never> {
  <T, F, N extends keyof T>(
    value: undefined,
    context: ClassFieldDecoratorContext<T, F> & { name: N; static: false } & Matches<V, F, U>,
  ): void
  <T, N extends keyof T & string>(target: T & Matches<V, T[N], U>, name: N): void
}

/** A column that may be left out on writes may be an optional field. */
export type MayBeAbsent<T extends Trait> = [T & ('null' | 'default')] extends [never] ? never : undefined

/** A decorator of a class that has the fields `N`, for both modes. */
export type ClassDecoratorFor<N extends string = never> = <T extends abstract new (...args: never) => Record<N, unknown>>(
  target: T,
  context?: ClassDecoratorContext<T>,
) => void

/** A decorator of a field of any type, for both modes. */
export interface AnyFieldDecorator {
  <T, F>(value: undefined, context: ClassFieldDecoratorContext<T, F> & { static: false }): void
  (target: object, name: string): void
}

/** Options of `@Table`. */
export interface TableOptions {
  /** `'plain'`: put and delete only. Default `'conditional'`. */
  writes?: 'plain' | 'conditional'
  /** Hints for individual stores, by adapter name; plain JSON data. */
  stores?: Readonly<Record<string, unknown>>
  /** What whole rows must pass before they are written: a Standard Schema (zod, valibot, arktype …) or several. */
  check?: StandardSchema | readonly StandardSchema[]
}
