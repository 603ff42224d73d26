// Tested by rules.test.ts.
import { isRowkeyError, type RowkeyError } from 'rowkey/codec'
import { compileQuery, explain, showName } from 'rowkey/internal'
import type { Explanation, TableSchema } from 'rowkey'
import { examples } from './example-values.js'

/** A condition without its values: `range` has two ends, `from` and `to` have one, `{ in: 5 }` names five values. */
export type ConditionShape = '=' | 'range' | 'from' | 'to' | 'startsWith' | 'isNull' | { readonly in: number }

/**
 * A query that an application will run, without values. The logs of a host within a time, newest first, 50 times a second:
 * `{ table: 'logs', where: { host: '=', at: 'range' }, order: { at: 'desc' }, perSecond: 50 }`.
 */
export interface QueryShape {
  readonly table: string
  readonly where: Readonly<Record<string, ConditionShape>>
  readonly order?: Readonly<Record<string, 'asc' | 'desc'>>
  /** How often it runs. 1 by default. */
  readonly perSecond?: number
  /** Rows that it reads at most. */
  readonly limit?: number
}

/** A query shape and what the planner says of it. */
export interface AskedQuery {
  readonly shape: QueryShape
  readonly perSecond: number
  /** As text: `host =, at range, order at desc`. */
  readonly text: string
  /** How it runs; undefined if it is refused. */
  readonly explanation: Explanation | undefined
  readonly refusal: RowkeyError | undefined
}

/** Plans a query shape with values that stand for all others. */
export function askedQuery(schema: TableSchema, shape: QueryShape): AskedQuery {
  const { perSecond = 1, order } = shape
  const asked = { shape, perSecond, text: shapeText(shape) }
  try {
    const query = compileQuery(schema, whereOf(schema, shape), order === undefined ? {} : { order })
    return { ...asked, explanation: explain(query), refusal: undefined }
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    return { ...asked, explanation: undefined, refusal: error }
  }
}

function whereOf(schema: TableSchema, { where }: QueryShape): Record<string, unknown> {
  return Object.fromEntries(Object.entries(where).map(([name, condition]) => [name, operand(schema, name, condition)]))
}

function operand(schema: TableSchema, name: string, condition: ConditionShape): unknown {
  const column = schema.columns.find((each) => each.name === name)
  // The planner names an unknown column in its refusal.
  const value = (place: number): unknown => (column === undefined ? place : examples(column, place + 1)[place])
  if (typeof condition === 'object') return { in: column === undefined ? [] : examples(column, condition.in) }
  switch (condition) {
    case '=':
      return value(0)
    case 'range': {
      // Far apart: a range that holds one number is planned as that number.
      const [low, high] = column === undefined ? [0, 1] : examples(column, 2, 1_000_000)
      return { gte: low, lt: high }
    }
    case 'from':
      return { gte: value(0) }
    case 'to':
      return { lt: value(1) }
    case 'startsWith':
      return { startsWith: 'a' }
    case 'isNull':
      return { isNull: true }
  }
}

const shapeText = ({ where, order = {} }: QueryShape): string =>
  [
    ...Object.entries(where).map(([name, shape]) => `${showName(name)} ${typeof shape === 'string' ? shape : `in ${shape.in}`}`),
    ...Object.entries(order).map(([name, direction]) => `order ${showName(name)} ${direction}`),
  ].join(', ') || 'no condition'

/** Whether a query binds a column to one value. */
export const binds = ({ shape }: AskedQuery, column: string): boolean => shape.where[column] === '='

/** Whether it needs the order of a column. */
export const ranges = ({ shape }: AskedQuery, column: string): boolean => {
  const condition = shape.where[column]
  return ['range', 'from', 'to', 'startsWith'].includes(condition as string) || shape.order?.[column] !== undefined
}

/** The queries that are refused with one of some codes. */
export const refusedQueries = (queries: readonly AskedQuery[], has: (code: string) => boolean): readonly AskedQuery[] =>
  queries.filter(({ refusal }) => refusal !== undefined && has(refusal.code))
