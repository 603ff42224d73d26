// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { OracleColumn } from './layout.js'

export type Row = Readonly<Record<string, unknown>>
export type Where = Readonly<Record<string, unknown>>

export const isOperators = (condition: unknown): condition is Record<string, unknown> =>
  typeof condition === 'object' && condition !== null && Object.getPrototypeOf(condition) === Object.prototype

/** The conditions of one column as a list of single conditions. */
export function testsOf(condition: unknown): readonly (readonly [operator: string, operand: unknown])[] {
  if (condition === null) return [['isNull', true]]
  return isOperators(condition) ? Object.entries(condition) : [['in', [condition]]]
}

/** Whether a value passes one condition, by the definition of the operators. */
export function passes({ kind }: OracleColumn, given: unknown, condition: unknown): boolean {
  const compare = kind.compare as (a: unknown, b: unknown) => number
  return testsOf(condition).every(([operator, operand]) => {
    if (operator === 'isNull') return (given === null) === operand
    if (given === null) return false
    switch (operator) {
      case 'in':
        return (operand as unknown[]).some((other) => compare(given, other) === 0)
      case 'gt':
        return compare(given, operand) > 0
      case 'gte':
        return compare(given, operand) >= 0
      case 'lt':
        return compare(given, operand) < 0
      case 'lte':
        return compare(given, operand) <= 0
      case 'startsWith':
        return (given as string).startsWith(operand as string)
      default:
        throw new Error(operator)
    }
  })
}

/** The distinct values that a column may have, if its conditions name them one by one. */
export function pointsOf(column: OracleColumn, where: Where): readonly unknown[] | undefined {
  if (!(column.name in where)) return undefined
  const condition = where[column.name]
  const tests = testsOf(condition)
  const compare = column.kind.compare as (a: unknown, b: unknown) => number
  const listed = tests.find(([operator]) => operator === 'in')
  if (listed !== undefined) {
    const distinct: unknown[] = []
    for (const value of listed[1] as unknown[]) {
      if (passes(column, value, condition) && !distinct.some((other) => compare(other, value) === 0)) distinct.push(value)
    }
    return distinct
  }
  if (isContradiction(column, where)) return []
  return tests.some(([operator, operand]) => operator === 'isNull' && operand === true) ? [null] : undefined
}

/** Whether the conditions of a column exclude each other. */
export function isContradiction(column: OracleColumn, where: Where): boolean {
  if (!(column.name in where)) return false
  const condition = where[column.name]
  const tests = testsOf(condition)
  const listed = tests.find(([operator]) => operator === 'in')
  if (listed !== undefined) return !(listed[1] as unknown[]).some((value) => passes(column, value, condition))
  const operands = Object.fromEntries(tests)
  if (operands.isNull === true) return tests.length > 1
  const low = 'gt' in operands ? operands.gt : operands.gte
  const high = 'lt' in operands ? operands.lt : operands.lte
  if (low === undefined || high === undefined || 'startsWith' in operands) return false // may still be empty, which is free
  const order = (column.kind.compare as (a: unknown, b: unknown) => number)(low, high)
  return order > 0 || (order === 0 && ('gt' in operands || 'lt' in operands))
}
