// Tested by wrong.test.ts and test/oracle/work.test.ts.
import type { OracleColumn, OracleLayout } from './layout.js'
import type { Random } from './random.js'
import { bySource, withPeriods } from './periods.js'

export type Row = Readonly<Record<string, unknown>>
export type Where = Readonly<Record<string, unknown>>

export function randomRow(random: Random, table: OracleLayout): Row {
  const columns = [...table.key, ...table.values]
  const row = Object.fromEntries(
    columns.map((column) => [column.name, column.nulls !== undefined && random.chance(0.25) ? null : random.pick(column.kind.pool)]),
  )
  return withPeriods(table.key, row)
}

/** Conditions on random columns; more often on leading key columns, so that most queries are not refused. */
export function randomWhere(random: Random, table: OracleLayout): Where {
  const where: Record<string, unknown> = {}
  table.key.forEach((column, i) => {
    if (i < table.partitionLength) {
      if (random.chance(0.95)) where[column.name] = random.chance(0.5) ? value(random, column) : { in: random.some(column.kind.pool, 3) }
    } else if (random.chance(i === 0 ? 0.85 : 0.5)) where[column.name] = condition(random, column)
  })
  for (const column of table.values) if (random.chance(0.25)) where[column.name] = condition(random, column)
  return bySource(random, table.key, where)
}

/**
 * Values of rows on the first columns and conditions on value columns: a merged feed that finds rows, if it is asked for in the order of the
 * column after them.
 */
export function randomFeed(random: Random, table: OracleLayout, rows: readonly Row[]): Where {
  const { key, values, partitionLength } = table
  const merged = Math.max(partitionLength, random.chance(0.8) ? 1 : 2)
  const where: Record<string, unknown> = {}
  key.slice(0, merged).forEach(({ name, kind }) => {
    const found = (rows.length === 0 ? [] : random.some(rows, 12)).flatMap((row) => (row[name] === null ? [] : [row[name]]))
    where[name] = { in: found.length > 0 ? found : random.some(kind.pool, 4) }
  })
  for (const column of values) if (random.chance(0.75)) where[column.name] = condition(random, column)
  return bySource(random, key, where)
}

const value = (random: Random, { kind, nulls }: OracleColumn): unknown =>
  nulls !== undefined && random.chance(0.15) ? null : random.pick(kind.pool)

function condition(random: Random, column: OracleColumn): unknown {
  const { kind, nulls, type } = column
  if (random.chance(0.35)) return value(random, column)
  const operators: Record<string, unknown> = {}
  const pick = (): unknown => random.pick(kind.pool)
  const add = [
    () => (operators.in = random.some(kind.pool, 4)),
    ...(type.ordered
      ? [
          () => (operators[random.pick(['gt', 'gte'])] = pick()),
          () => (operators[random.pick(['lt', 'lte'])] = pick()),
          () => ((operators[random.pick(['gt', 'gte'])] = pick()), (operators[random.pick(['lt', 'lte'])] = pick())),
        ]
      : []),
    ...(kind.isText === true
      ? [() => (operators.startsWith = random.pick(['', 'a', 'h', 'host1', '\0', '\ud7ff', '\u{10ffff}', '\u00ff']))]
      : []),
    ...(nulls === undefined ? [] : [() => (operators.isNull = random.chance(0.5))]),
  ]
  for (let n = random.chance(0.2) ? 2 : 1; n > 0; n--) random.pick(add)()
  return operators
}

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

export function matches(table: OracleLayout, row: Row, where: Where): boolean {
  return [...table.key, ...table.values].every((column) => !(column.name in where) || passes(column, row[column.name], where[column.name]))
}

/** Key order: column by column, including direction and position of nulls. */
export function compareKeys({ key }: OracleLayout, a: Row, b: Row): number {
  return compareColumns(key, a, b)
}

/** The order of the key by some of its columns. */
export function compareColumns(columns: readonly OracleColumn[], a: Row, b: Row): number {
  for (const { name, kind, desc, nulls } of columns) {
    const [x, y] = [a[name], b[name]]
    if (x === null || y === null) {
      const order = (Number(y === null) - Number(x === null)) * (nulls === 'last' ? -1 : 1)
      if (order !== 0) return order
      continue
    }
    const order = ((kind.keyOrder ?? kind.compare) as (p: unknown, q: unknown) => number)(x, y)
    if (order !== 0) return desc ? -order : order
  }
  return 0
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
