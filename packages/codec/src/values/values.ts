import type { TypeData } from '../types/column-type.js'
import type { Value } from './value.js'
import { codecError } from '../error.js'
import { kindCode } from '../kinds/kind-code.js'
import { show } from './show.js'

/** How the values of one column look outside and inside. */
export interface Values {
  /** The canonical form; refuses what the column cannot hold exactly. Bytes are not copied. */
  toValue(given: unknown): Value
  /**
   * No fewer bytes than the canonical form takes, for whoever refuses what is too long before it is converted. Counts no further than
   * `enough`; 0 for what does not fit.
   */
  leastBytes(given: unknown, enough: number): number
  /** Back to what the user sees. */
  fromValue(value: Value): unknown
  /** Whether `fromValue` gives every value as it is. */
  readonly isPlain: boolean
  /** Value order: neither direction nor null placement, nulls lowest. */
  compare(a: Value, b: Value): number
  /** Inclusive bounds of an integer column. */
  readonly range?: { readonly min: bigint; readonly max: bigint }
}

/**
 * The strict conversions of one column; errors name `column` and, if it is given, `table`.
 *
 * @example
 * ```ts
 * values(int8(), 'level').toValue(300)              //=> throws INVALID_VALUE: column 'level' cannot hold 300. Give an integer from -128 to 127.
 * values(timestamp('ms'), 'at').toValue(new Date(5)) //=> 5
 * values(text(), 'host').leastBytes('wéb', 1000)     //=> 3
 * values(timestamp('ms'), 'at').fromValue(5)         //=> 1970-01-01T00:00:00.005Z
 * ```
 */
export function values(type: TypeData, column: string, table?: string): Values {
  const form = kindCode(type).form(type, column)
  const refuse = (given: unknown): never => {
    throw codecError(
      'INVALID_VALUE',
      `column '${column}'${table === undefined ? '' : ` of '${table}'`} cannot hold ${show(given)}. Give ${form.wants}${type.nullable ? ', or null' : ''}.`,
      { column, value: show(given) },
    )
  }
  const compare = form.compare as (a: Value, b: Value) => number
  return {
    toValue(given) {
      if (given === null) return type.nullable ? null : refuse(given)
      const value = form.take(given)
      return value === undefined ? refuse(given) : value
    },
    leastBytes: (given, enough) => form.least?.(given, enough) ?? 0,
    fromValue: (value) => (value === null || form.give === undefined ? value : form.give(value)),
    isPlain: form.give === undefined,
    compare(a, b) {
      if (a === null || b === null) return Number(b === null) - Number(a === null)
      return compare(a, b)
    },
    ...(form.range === undefined ? {} : { range: form.range }),
  }
}
