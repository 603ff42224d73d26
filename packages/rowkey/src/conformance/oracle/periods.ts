// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { isOperators, passes, pointsOf, testsOf, type Row, type Where } from './conditions.js'
import type { OracleColumn } from './layout.js'
import type { OraclePeriod } from './period-kinds.js'
import type { Random } from './random.js'

/** A row with the periods of its values. */
export function withPeriods(key: readonly OracleColumn[], row: Row): Row {
  const periods = key.flatMap(({ name, period }) => (period === undefined ? [] : [[name, period.begin(row[period.of])] as const]))
  return { ...row, ...Object.fromEntries(periods) }
}

/** The same without them: they may be left out. */
export function withoutPeriods(key: readonly OracleColumn[], row: Row): Row {
  const periods = new Set(key.filter(({ period }) => period !== undefined).map(({ name }) => name))
  return Object.fromEntries(Object.entries(row).filter(([name]) => !periods.has(name)))
}

/** Mostly a query says nothing of the period, but of its source: a value, a list, or both ends of a range. */
export function bySource(random: Random, key: readonly OracleColumn[], where: Where): Where {
  const column = key.find(({ period }) => period !== undefined)
  const source = key.find(({ name }) => name === column?.period?.of)
  if (column === undefined || source === undefined || random.chance(0.35)) return where
  const pick = (): unknown => random.pick(source.kind.pool)
  const { [column.name]: _, ...rest } = where
  const closed = { [random.pick(['gt', 'gte'])]: pick(), [random.pick(['lt', 'lte'])]: pick() }
  const condition = random.chance(0.6) ? closed : random.chance(0.5) ? pick() : { in: random.some(source.kind.pool, 4) }
  return { ...rest, [source.name]: condition }
}

/** Whether a query names the values of a column: itself, or by conditions on the source. */
export function isNamed(column: OracleColumn, where: Where): boolean {
  const isListed =
    column.name in where &&
    testsOf(where[column.name]).some(([operator, operand]) => operator === 'in' || (operator === 'isNull' && operand === true))
  return isListed || sourceCondition(column, where) !== undefined
}

function sourceCondition({ period }: OracleColumn, where: Where): unknown {
  const condition = period === undefined ? undefined : where[period.of]
  if (condition === undefined || !isOperators(condition)) return condition
  const has = (...operators: readonly string[]): boolean => operators.some((operator) => operator in condition)
  return has('in') || (has('gt', 'gte') && has('lt', 'lte')) ? condition : undefined
}

/** The values that a column may have, if the query names them: of a period, also by conditions on its source. */
export function valuesOf(key: readonly OracleColumn[], column: OracleColumn, where: Where): readonly unknown[] | undefined {
  const own = pointsOf(column, where)
  const condition = sourceCondition(column, where)
  const { period } = column
  const source = key.find(({ name }) => name === period?.of)
  if (period === undefined || condition === undefined || source === undefined) return own
  const points = pointsOf(source, where)
  const begins = points === undefined ? inRange(period, source, condition) : points.map(period.begin)
  const distinct = [...new Map(begins.map((begin) => [begin.getTime(), begin])).values()]
  return column.name in where ? distinct.filter((begin) => passes(column, begin, where[column.name])) : distinct
}

function inRange(period: OraclePeriod, source: OracleColumn, condition: unknown): readonly Date[] {
  const compare = source.kind.compare as (a: unknown, b: unknown) => number
  const [lows, highs]: [unknown[], unknown[]] = [[], []]
  for (const [operator, operand] of testsOf(condition)) {
    if (operator === 'gt' || operator === 'gte') lows.push(operator === 'gt' ? period.step(operand, 1) : operand)
    if (operator === 'lt' || operator === 'lte') highs.push(operator === 'lt' ? period.step(operand, -1) : operand)
  }
  const [low, high] = [lows.sort(compare).at(-1), highs.sort(compare)[0]]
  return compare(low, high) > 0 ? [] : period.between(period.begin(low), period.begin(high))
}
