import type { TableSchema } from '#model'
import type { Conditions } from '../contract/reading.js'
import { testOf } from './column-set.js'
import { refusal } from './column-rules.js'
import { parsePredicate } from './parse.js'

/**
 * The conditions of a write on the existing row: like a predicate, but on value columns only, and never without a column.
 *
 * @throws RowkeyError `INVALID_PREDICATE`
 */
export function compileConditions(schema: TableSchema, where: Readonly<Record<string, unknown>>): Conditions {
  const { sets, bound } = parsePredicate(schema, where)
  const [first] = Object.keys(where)
  if (first === undefined) throw refusal(schema, '', 'the condition names no column. Name at least one, or leave the condition out.')
  for (const at of bound) {
    const name = schema.columns[at]?.name ?? ''
    if (at < schema.keyLength)
      throw refusal(schema, name, 'a key column is not a condition of a write: the key already names its value. Leave it out.')
  }
  return [...sets].map(([column, set]) => {
    if (set.kind !== 'none') return testOf(column, set)
    throw refusal(schema, schema.columns[column]?.name ?? '', 'no value meets the condition. Correct it.')
  })
}
