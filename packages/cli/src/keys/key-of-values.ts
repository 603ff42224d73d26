import { computedColumns, type SchemaColumn, show, showName, showNames } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import { Failure } from '../failure.js'
import { valueFromText } from '../values/value-from-text.js'

/** The key columns of a table, in order. */
export const keyColumns = ({ columns, keyLength }: TableSchema): readonly SchemaColumn[] => columns.slice(0, keyLength)

/**
 * A key as the application has it, from `name=value` pairs, one for each key column that is not computed.
 *
 * @throws Failure for what is missing, twice or no column; RowkeyError `INVALID_VALUE`
 */
export function keyOfPairs(schema: TableSchema, pairs: readonly string[]): Readonly<Record<string, unknown>> {
  const columns = keyColumns(schema)
  const names = showNames(columns.map(({ name }) => name))
  const given = new Map<string, string>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new Failure(`${show(pair)} is not of the form column=value.`)
    const name = pair.slice(0, at)
    if (!columns.some((column) => column.name === name)) {
      throw new Failure(`'${showName(name)}' is not a key column of '${schema.name}'. Its key is (${names}).`)
    }
    if (given.has(name)) throw new Failure(`column '${showName(name)}' is given twice.`)
    given.set(name, pair.slice(at + 1))
  }
  const computed = new Set(computedColumns(schema).map(({ position }) => position))
  const missing = columns.filter(({ name }, at) => !given.has(name) && !computed.has(at))
  if (missing.length > 0) {
    const gone = showNames(
      missing.map(({ name }) => name),
      "'",
    )
    throw new Failure(`a key of '${schema.name}' needs all of (${names}), and ${gone} ${missing.length === 1 ? 'is' : 'are'} missing.`)
  }
  return Object.fromEntries(
    columns.flatMap((column) => {
      const text = given.get(column.name)
      return text === undefined ? [] : [[column.name, valueFromText(column, text)]]
    }),
  )
}
