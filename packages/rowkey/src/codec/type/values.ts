// Tested by column-type.test.ts.
import type { TypeData, Value } from './column-type.js'
import { codecError } from '../error.js'
import { show, showName } from '../show.js'
import { typeImpl } from './type-impl.js'

/** The values of one column, as the application sees them and in canonical form. */
export interface Values {
  /** The canonical form. It refuses what the column cannot hold exactly, and does not copy bytes. */
  toValue(given: unknown): Value
  /**
   * A lower bound of the bytes of the canonical form, so that a value which is too long can be refused before it is converted. It stops
   * counting at `enough`; 0 for a value that does not fit.
   */
  leastBytes(given: unknown, enough: number): number
  /** Back to what the application sees. */
  fromValue(value: Value): unknown
  /** The same for what is not null; undefined: `fromValue` returns every value as it is. */
  readonly format: ((value: Value) => unknown) | undefined
  /** Value order: neither direction nor null placement, nulls lowest. */
  compare(a: Value, b: Value): number
}

/**
 * The strict conversions of one column; errors name `column` and, if it is given, `table`.
 *
 * @internal
 * @example
 * ```ts
 * values(int8(), 'level').toValue(300)              //=> throws INVALID_VALUE: column 'level' cannot hold 300. Give an integer from -128 to 127.
 * values(timestamp('ms'), 'at').toValue(new Date(5)) //=> 5
 * values(text(), 'host').leastBytes('wéb', 1000)     //=> 3
 * values(timestamp('ms'), 'at').fromValue(5)         //=> 1970-01-01T00:00:00.005Z
 * ```
 */
export function values(type: TypeData, column: string, table?: string): Values {
  const conversion = typeImpl(type).conversion(type, column)
  const refuse = (given: unknown): never => {
    const fault = conversion.fault?.(given)
    throw codecError(
      'INVALID_VALUE',
      `column '${showName(column)}'${table === undefined ? '' : ` of '${showName(table)}'`} cannot hold ${show(given)}${fault === undefined ? '' : `: ${fault}`}. Give ${conversion.expected}${type.nullable ? ', or null' : given === null ? ', or declare the column nullable' : ''}.`,
      { column: showName(column), value: show(given) },
    )
  }
  const { format } = conversion
  const compare = conversion.compare as (a: Value, b: Value) => number
  return {
    toValue(given) {
      if (given === null) return type.nullable ? null : refuse(given)
      const value = conversion.parse(given)
      return value === undefined ? refuse(given) : value
    },
    leastBytes: conversion.leastBytes ?? (() => 0),
    fromValue: (value) => (value === null || format === undefined ? value : format(value)),
    format,
    compare(a, b) {
      if (a === null || b === null) return Number(b === null) - Number(a === null)
      return compare(a, b)
    },
  }
}

/** As {@link values}, but `toValue` takes what rows hold, the canonical form, whatever the application sees. */
export function storedValues(type: TypeData, column: string): Values {
  return values(typeImpl(type).canonical?.(type) ?? type, column)
}
