import type { Row, Value } from '#codec'
import type { TableSchema } from '#model'
import type { Conditions, Endpoint, Condition } from '../contract/reading.js'
import { latin1String, values } from '#codec/internal'

/**
 * A function that returns whether a row passes all conditions of a filter, in value order; null passes `isNull: true` only. Rows are
 * checked as they are read: a null in a required column counts as the column's constant default.
 */
export function compileFilter(schema: TableSchema, filter: Conditions): (row: Row) => boolean {
  const tests = filter.map((test) => compileTest(schema, test))
  const [first, second] = tests
  if (first === undefined) return () => true
  if (second === undefined) return first
  return (row) => tests.every((passes) => passes(row))
}

function compileTest(schema: TableSchema, test: Condition): (row: Row) => boolean {
  const { column } = test
  const type = schema.columns[column]
  if (type === undefined) throw new RangeError(`no column at position ${column}`)
  const { compare } = values(type.type, type.name)
  const absent = !type.type.nullable && type.type.default?.kind === 'constant' ? type.type.default.value : null
  const at = (row: Row): Value => row[column] ?? absent
  if ('isNull' in test) return (row) => (at(row) === null) === test.isNull
  if ('in' in test) return oneOf(test.in, at)
  const { low, high } = test
  return (row) => {
    const value = at(row)
    return value !== null && isWithin(value, low, high, compare)
  }
}

/** Whether a value lies between two limits, in value order. */
export function isWithin(
  value: Value,
  low: Endpoint | undefined,
  high: Endpoint | undefined,
  compare: (a: Value, b: Value) => number,
): boolean {
  if (low !== undefined) {
    const order = compare(value, low.value)
    if (order < 0 || (order === 0 && !low.inclusive)) return false
  }
  if (high === undefined) return true
  const order = compare(value, high.value)
  return order < 0 || (order === 0 && high.inclusive)
}

function oneOf(points: readonly Value[], at: (row: Row) => Value): (row: Row) => boolean {
  // NaN equals itself in a Set; -0 is never canonical; bytes are equal by content.
  const known = new Set(points.map((point) => (typeof point === 'object' && point !== null ? latin1String(point) : point)))
  return (row) => {
    const value = at(row)
    return value !== null && known.has(typeof value === 'object' ? latin1String(value) : value)
  }
}
