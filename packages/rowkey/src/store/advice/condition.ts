import type { Value, ValueJSON } from '#codec'
import type { TableSchema } from '#model'
import type { Condition, Endpoint } from '../contract/reading.js'
import { show, valueFromJSON, values, valueToJSON } from '#codec/internal'

/**
 * One condition of a query on one column, as JSON. Values are canonical, as in rows that adapters see: an instant is a number, a 64-bit integer
 * `{ bigint: '5' }`, bytes `{ bytes: '00ff' }`.
 */
export type ExplainedCondition = { readonly column: string } & (
  | { readonly operator: '='; readonly value: ValueJSON }
  | { readonly operator: 'in'; readonly values: readonly ValueJSON[] }
  /** At least one end. */
  | { readonly operator: 'range'; readonly from?: ExplainedEnd; readonly to?: ExplainedEnd }
  | { readonly operator: 'isNull' | 'isNotNull' }
)

/** One end of a range of values. */
export interface ExplainedEnd {
  readonly value: ValueJSON
  readonly inclusive: boolean
}

/** A condition as data. */
export function explainedCondition({ columns }: TableSchema, test: Condition): ExplainedCondition {
  const column = columns[test.column]?.name ?? ''
  if ('isNull' in test) return { column, operator: test.isNull ? 'isNull' : 'isNotNull' }
  if ('in' in test) {
    if (test.in.length === 1) return { column, operator: '=', value: valueToJSON(test.in[0] as Value) }
    return { column, operator: 'in', values: test.in.map(valueToJSON) }
  }
  const { low, high } = test
  return { column, operator: 'range', ...(low === undefined ? {} : { from: end(low) }), ...(high === undefined ? {} : { to: end(high) }) }
}

const end = ({ value, inclusive }: Endpoint): ExplainedEnd => ({ value: valueToJSON(value), inclusive })

/** A condition as readable text: `at >= 2026-01-01T00:00:00.000Z and at < …`. */
export function conditionText(schema: TableSchema, condition: ExplainedCondition): string {
  const { column } = condition
  const text = valueText(schema, column)
  switch (condition.operator) {
    case '=':
      return `${column} = ${text(condition.value)}`
    case 'in':
      return `${column} in (${listText(condition.values, text)})`
    case 'range': {
      const { from, to } = condition
      return [
        ...(from === undefined ? [] : [`${column} ${from.inclusive ? '>=' : '>'} ${text(from.value)}`]),
        ...(to === undefined ? [] : [`${column} ${to.inclusive ? '<=' : '<'} ${text(to.value)}`]),
      ].join(' and ')
    }
    case 'isNull':
      return `${column} is null`
    case 'isNotNull':
      return `${column} is not null`
  }
}

/** Shows values of a column as the application sees them. */
export function valueText({ columns }: TableSchema, name: string): (value: ValueJSON) => string {
  const column = columns.find((each) => each.name === name)
  const fromValue = column === undefined ? undefined : values(column.type, name).fromValue
  return (json) => {
    const value = valueFromJSON(json)
    return show(fromValue === undefined ? value : fromValue(value))
  }
}

function listText(list: readonly ValueJSON[], text: (value: ValueJSON) => string): string {
  const shown = (count: number): string => list.slice(0, count).map(text).join(', ')
  return list.length <= 4 ? shown(4) : `${shown(3)}, … ${list.length - 3} more`
}
