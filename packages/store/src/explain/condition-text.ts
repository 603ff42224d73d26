import type { Value } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Condition } from '../contract/reading.js'
import { show, values } from '@rowkey/codec/internal'

/** A condition as readable text: `at >= 2026-01-01T00:00:00.000Z and at < …`. */
export function conditionText(schema: TableSchema, test: Condition): string {
  const column = schema.columns[test.column]
  if (column === undefined) return ''
  const { name, type } = column
  const { fromValue } = values(type, name)
  const text = (value: Value): string => show(fromValue(value))
  if ('isNull' in test) return `${name} is ${test.isNull ? '' : 'not '}null`
  if ('in' in test) return test.in.length === 1 ? `${name} = ${text(test.in[0] as Value)}` : `${name} in (${listText(test.in, text)})`
  const parts = []
  if (test.low !== undefined) parts.push(`${name} ${test.low.inclusive ? '>=' : '>'} ${text(test.low.value)}`)
  if (test.high !== undefined) parts.push(`${name} ${test.high.inclusive ? '<=' : '<'} ${text(test.high.value)}`)
  return parts.join(' and ')
}

function listText(values: readonly Value[], text: (value: Value) => string): string {
  const shown = (count: number): string => values.slice(0, count).map(text).join(', ')
  return values.length <= 4 ? shown(4) : `${shown(3)}, … ${values.length - 3} more`
}
