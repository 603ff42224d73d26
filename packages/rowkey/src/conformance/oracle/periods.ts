// Tested by wrong.test.ts and test/oracle/work.test.ts.
import { date, period, timestamp, type ColumnType, type Every } from '#codec'
import type { OracleKind } from './kinds.js'
import type { OracleColumn } from './layout.js'
import type { Random } from './random.js'
import { isOperators, passes, pointsOf, testsOf, type Row, type Where } from './query.js'

/** How a column follows from another one of the key. */
export interface OraclePeriod {
  /** Name of the source. */
  readonly of: string
  /** The first one that contains a value of the source, as a Date. */
  begin(value: unknown): Date
  /** All from one to another one. */
  between(first: Date, last: Date): readonly Date[]
  /** The next or previous value of the source. */
  step(value: unknown, by: 1 | -1): unknown
}

const dayMs = 86_400_000
const hourMs = 3_600_000

/** The year's end with its weeks, a leap day, a short February, 1970 and a year before 1900. */
const moments = [
  ...['2026-12-31T15:59:59.999Z', '2026-12-31T16:00:00.000Z', '2026-12-31T23:30:00.000Z', '2027-01-01T00:00:00.000Z'],
  ...['2027-01-03T12:00:00.000Z', '2027-01-04T00:00:00.000Z', '2026-12-28T00:00:00.000Z', '2026-12-27T23:59:59.999Z'],
  ...['2027-02-28T23:00:00.000Z', '2027-03-01T00:00:00.000Z', '2024-02-29T05:00:00.000Z', '2024-03-01T00:00:00.001Z'],
  ...['1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '1969-12-29T00:00:00.000Z', '1969-12-31T20:30:00.000Z'],
].map((at) => Date.parse(at))

interface SourceForm {
  readonly kind: string
  readonly type: ColumnType
  of(ms: number): unknown
  ms(value: never): number
  step(value: never, by: 1 | -1): unknown
}

const sources: readonly SourceForm[] = [
  {
    kind: 'timestamp ms',
    type: timestamp('ms'),
    of: (ms) => new Date(ms),
    ms: (value: Date) => value.getTime(),
    step: (value: Date, by) => new Date(value.getTime() + by),
  },
  {
    kind: 'timestamp us',
    type: timestamp('us'),
    of: (ms) => BigInt(ms) * 1000n + 7n,
    // Down, also before 1970.
    ms: (value: bigint) => Number((value - (((value % 1000n) + 1000n) % 1000n)) / 1000n),
    step: (value: bigint, by) => value + BigInt(by),
  },
  {
    kind: 'date',
    type: date(),
    of: (ms) => new Date(ms - (((ms % dayMs) + dayMs) % dayMs)),
    ms: (value: Date) => value.getTime(),
    step: (value: Date, by) => new Date(value.getTime() + by * dayMs),
  },
]

const compareTimes = (a: Date | bigint, b: Date | bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** By the fields of a Date, while types count days. */
function beginning(every: Every, east: number, ms: number): number {
  const local = new Date(ms + east)
  if (every === 'hour') return local.setUTCMinutes(0, 0, 0) - east
  local.setUTCHours(0, 0, 0, 0)
  if (every === 'week') local.setUTCDate(local.getUTCDate() - ((local.getUTCDay() + 6) % 7))
  if (every === 'month') local.setUTCDate(1)
  if (every === 'year') local.setUTCMonth(0, 1)
  return local.getTime()
}

function following(every: Every, begin: number): number {
  const next = new Date(begin)
  if (every === 'month') return next.setUTCMonth(next.getUTCMonth() + 1)
  if (every === 'year') return next.setUTCFullYear(next.getUTCFullYear() + 1)
  return begin + (every === 'hour' ? hourMs : every === 'day' ? dayMs : 7 * dayMs)
}

/** A random source, and a period of it, for a key. */
export function randomPeriod(
  random: Random,
  of: string,
): { readonly source: OracleKind; readonly kind: OracleKind; readonly period: OraclePeriod } {
  const form = random.pick(sources)
  const every = random.pick((['hour', 'day', 'week', 'month', 'year'] as const).slice(form.kind === 'date' ? 1 : 0))
  const offset = form.kind === 'date' ? undefined : random.pick([undefined, '+08:00', '-03:30'])
  const east = offset === undefined ? 0 : offset === '+08:00' ? 8 * hourMs : -3.5 * hourMs
  // A few neighbours: ranges between the farthest have millions of hours.
  const near = random.pick([moments.slice(0, 8), moments.slice(8, 12), moments.slice(12)])
  const pool = near.map((ms) => form.of(ms))
  const begin = (value: unknown): Date => new Date(beginning(every, east, form.ms(value as never)))
  const source: OracleKind = { name: form.kind, type: form.type, pool, compare: compareTimes, isInteger: typeof pool[0] === 'bigint' }
  const kind: OracleKind = {
    name: `${every} of ${of}${offset ?? ''}`,
    type: period(every, { of, ...(offset === undefined ? {} : { offset }) }),
    pool: near.map((ms) => begin(form.of(ms))),
    compare: compareTimes,
  }
  const between = (first: Date, last: Date): readonly Date[] => {
    const all: Date[] = []
    for (let at = first.getTime(); at <= last.getTime(); at = following(every, at)) all.push(new Date(at))
    return all
  }
  return { source, kind, period: { of, begin, between, step: (value, by) => form.step(value as never, by) } }
}

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
