// Tested by rules.test.ts and words.test.ts.
import { isRowkeyError, type RowkeyError } from 'rowkey/codec'
import {
  answerByIndex,
  compileIndexQuery,
  compileQuery,
  explain,
  explainIndex,
  indexNamed,
  type IndexQuery,
  type SchemaColumn,
  showName,
} from 'rowkey/internal'
import type { Duration, Explanation, TableSchema } from 'rowkey'
import { examples } from './example-values.js'
import { examplePeriods } from './period-columns.js'

/**
 * A condition of `scan` without its values: `'='` for a value, an operator by its name, two for a range (`['gte', 'lt']`), and `{ in: 5 }` for a list
 * of five.
 */
export type ConditionShape =
  '=' | 'gt' | 'gte' | 'lt' | 'lte' | 'startsWith' | 'isNull' | readonly [low: 'gt' | 'gte', high: 'lt' | 'lte'] | { readonly in: number }

/**
 * A query that an application will run, in the words of `scan` and without values. The logs of a host within a time, newest first, 50 times a second:
 * `{ table: 'logs', where: { host: '=', at: ['gte', 'lt'] }, order: { at: 'desc' }, perSecond: 50 }`.
 */
export interface QueryShape {
  readonly table: string
  readonly where: Readonly<Record<string, ConditionShape>>
  /**
   * `'reverse'` is the reverse of the key of the model, so of another key it is another order: name the column to judge changed models with the same
   * queries.
   */
  readonly order?: 'reverse' | Readonly<Record<string, 'asc' | 'desc'>>
  /**
   * The index by which it scans. Without one, a query that the table refuses is judged by the first of its indexes that answers it, because then an
   * application has to name that.
   */
  readonly index?: string
  /** How much time its range covers, as a `ttl` is written: `'7d'`. It decides how long periods should be. */
  readonly span?: Duration
  /** Rows that it reads at most. */
  readonly limit?: number
  /** Rows of a page, if it is read in pages: each of them is one of `perSecond`. */
  readonly size?: number
  readonly consistency?: 'strong' | 'eventual'
  /** How often it runs. 1 by default. */
  readonly perSecond?: number
}

/** A query shape and what the planner says of it. */
export interface AskedQuery {
  readonly shape: QueryShape
  readonly perSecond: number
  /** The index by which it reads; undefined if it reads the table, or is refused. */
  readonly index: string | undefined
  /** Whether it asks for the reverse of the key by that word, so that another key changes what it returns. */
  readonly isReverse: boolean
  /** The conditions on a table, if only those on its index are in `shape`. */
  readonly onRows?: QueryShape['where']
  /** As text: `host =, at gte lt, order at desc`. */
  readonly text: string
  /** How it runs; undefined if it is refused. */
  readonly explanation: Explanation | undefined
  readonly refusal: RowkeyError | undefined
}

/** Plans a query shape with values that stand for all others. */
export function askedQuery(schema: TableSchema, given: QueryShape): AskedQuery {
  const keyed = schema.indexes.find(({ name }) => name === given.index)?.schema ?? schema
  const shape = withNamedOrder(keyed, given)
  const { perSecond = 1, order, index } = shape
  const asked = { shape, perSecond, isReverse: given.order === 'reverse' }
  const [where, options] = [whereOf(schema, shape), order === undefined ? {} : { order }]
  const textBy = (name: string | undefined): string => `${shapeText(shape)}${name === undefined ? '' : `, by index ${showName(name)}`}`
  const refused = (refusal: unknown): AskedQuery => {
    if (!isRowkeyError(refusal)) throw refusal
    return { ...asked, text: textBy(index), index: undefined, explanation: undefined, refusal }
  }
  const read = (by: IndexQuery): AskedQuery => ({
    ...asked,
    text: textBy(by.index.name),
    index: by.index.name,
    explanation: explainIndex(schema, by, isCovered(schema, by), false),
    refusal: undefined,
  })
  try {
    if (index !== undefined) return read(compileIndexQuery(schema, indexNamed(schema, index), where, options))
    const explanation = explain(compileQuery(schema, where, options))
    return { ...asked, text: textBy(undefined), index: undefined, explanation, refusal: undefined }
  } catch (refusal) {
    const by = index === undefined ? answerByIndex(schema, where, options, refusal) : undefined
    return by === undefined ? refused(refusal) : read(by)
  }
}

/** Whether entries have all columns of their rows, and are written with them. */
const isCovered = ({ columns, keyLength, indexes }: TableSchema, { index }: IndexQuery): boolean =>
  indexes.some(({ unique, definition }) => unique || definition.include !== undefined) &&
  columns.every((_, at) => at < keyLength || index.sources.includes(at))

/**
 * A query that asks a changed key for the same order: `'reverse'` as the direction of the first key column that it leaves free. It stays if that
 * column has no order, or there is none.
 */
export function withNamedOrder({ columns, keyLength }: TableSchema, shape: QueryShape): QueryShape {
  const first = columns.slice(0, keyLength).find(({ name }) => shape.where[name] !== '=')
  if (shape.order !== 'reverse' || first?.type.ordered !== true) return shape
  return { ...shape, order: { [first.name]: first.type.desc ? 'asc' : 'desc' } }
}

function whereOf(schema: TableSchema, { where }: QueryShape): Record<string, unknown> {
  return Object.fromEntries(Object.entries(where).map(([name, condition]) => [name, operand(schema, name, condition)]))
}

function operand(schema: TableSchema, name: string, condition: ConditionShape): unknown {
  const column = schema.columns.find((each) => each.name === name)
  // The planner names an unknown column in its refusal.
  const all = (count: number, step?: number): readonly unknown[] => (column === undefined ? [] : valuesOf(schema, column, count, step))
  const value = (place: number): unknown => (column === undefined ? place : all(place + 1)[place])
  if (isRange(condition)) {
    // Far apart: a range that holds one number is planned as that number.
    const ends = column === undefined ? [0, 1] : all(3, 1_000_000)
    const [low, high] = condition
    return { [low]: ends[0], [high]: ends.at(-1) }
  }
  if (typeof condition === 'object') return { in: all(condition.in) }
  switch (condition) {
    case '=':
      return value(0)
    case 'gt':
    case 'gte':
      return { [condition]: value(0) }
    case 'lt':
    case 'lte':
      return { [condition]: value(1) }
    case 'startsWith':
      return { startsWith: 'a' }
    case 'isNull':
      return { isNull: true }
  }
}

/** Those of a period begin with that of the first example of its source, so that conditions on both have rows. */
function valuesOf(schema: TableSchema, column: SchemaColumn, count: number, step?: number): readonly unknown[] {
  const source = schema.columns.find(({ name }) => name === column.type.of)
  return source === undefined ? examples(column, count, step) : examplePeriods(schema, column, count, examples(source, 1)[0])
}

type RangeShape = Extract<ConditionShape, readonly unknown[]>

const isRange = (condition: ConditionShape | undefined): condition is RangeShape => Array.isArray(condition)

const conditionText = (condition: ConditionShape): string =>
  typeof condition === 'string' ? condition : isRange(condition) ? condition.join(' ') : `in ${condition.in}`

const shapeText = ({ where, order = {} }: QueryShape): string =>
  [
    ...Object.entries(where).map(([name, condition]) => `${showName(name)} ${conditionText(condition)}`),
    ...(order === 'reverse' ? ['order reverse'] : Object.entries(order).map(([name, direction]) => `order ${showName(name)} ${direction}`)),
  ].join(', ') || 'no condition'

/** Whether a query binds a column to one value. */
export const binds = ({ shape }: AskedQuery, column: string): boolean => shape.where[column] === '='

/** How many values a query lists for a column; undefined if it has no list. */
export function listed({ shape }: AskedQuery, column: string): number | undefined {
  const condition = shape.where[column]
  return typeof condition === 'object' && !isRange(condition) ? condition.in : undefined
}

/** Whether a query gives values for a column, and not a range of them. */
export const isNamed = (query: AskedQuery, column: string): boolean => binds(query, column) || listed(query, column) !== undefined

/** Whether a condition has a lower end. */
export const hasLowEnd = (condition: ConditionShape | undefined): boolean => condition === 'gt' || condition === 'gte' || isRange(condition)

/** The order that it wants, by column. */
export const orderOf = ({ shape: { order } }: AskedQuery): Readonly<Record<string, 'asc' | 'desc'>> =>
  typeof order === 'object' ? order : {}

/** Rows that it reads at most each time; undefined if nothing says so. */
export function rowsAtMost({ shape: { limit, size } }: AskedQuery): number | undefined {
  const most = Math.min(limit ?? Infinity, size ?? Infinity)
  return most === Infinity ? undefined : most
}

/** Whether it needs the order of a column. */
export const ranges = (query: AskedQuery, column: string): boolean => {
  const condition = query.shape.where[column]
  return (
    isRange(condition) || ['gt', 'gte', 'lt', 'lte', 'startsWith'].includes(condition as string) || orderOf(query)[column] !== undefined
  )
}

/** The queries that are refused with one of some codes. */
export const refusedQueries = (queries: readonly AskedQuery[], has: (code: string) => boolean): readonly AskedQuery[] =>
  queries.filter(({ refusal }) => refusal !== undefined && has(refusal.code))
