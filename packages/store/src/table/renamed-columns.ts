import type { TableSchema } from '@rowkey/model'
import { showName, showNames, typeFacts } from '@rowkey/codec/internal'
import { storeError } from '../errors.js'
import { brief } from './apart.js'
import { listed } from './listed.js'

type Column = TableSchema['columns'][number]

/**
 * Refuses to add a column to a table which has another one of the same storage class that the model does not declare. If the one was meant
 * to be the other, under a new name, rows would read as null, and the next put would erase their values, without a word.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH`
 */
export function refuseRenaming(schema: TableSchema, added: readonly Column[], stored: TableSchema): void {
  const { name, columns, retired } = schema
  const declared = new Set([...columns.map(({ physical }) => physical), ...retired])
  const left = new Map<string, Column[]>()
  for (const column of stored.columns.filter(({ role, physical }) => role === 'value' && !declared.has(physical))) {
    const known = left.get(classOf(column))
    if (known === undefined) left.set(classOf(column), [column])
    else known.push(column)
  }
  const pairs = added.flatMap((mine): (readonly [Column, readonly Column[]])[] => {
    const others = mine.role === 'value' ? left.get(classOf(mine)) : undefined
    return others === undefined ? [] : [[mine, others]]
  })
  const [first] = pairs
  if (first === undefined) return
  const differences = pairs.map(
    ([mine, others]) => `the model adds '${mine.physical}', the table has ${brief(quoted(others))}, which the model does not declare`,
  )
  const [mine, [other = mine]] = first
  const was = showName(other.physical)
  // All of them: whoever retires one after the other would be refused as often.
  const unused = [...new Set(pairs.flatMap(([, others]) => others))]
  const [all, them] = unused.length === 1 ? [`'${was}'`, 'it'] : ['all of them', 'them']
  throw storeError(
    'SCHEMA_MISMATCH',
    [
      `the model of '${name}' may have renamed a column, and rows would lose its values:`,
      ...listed(differences),
      `If '${showName(mine.name)}' is '${was}', give its type { name: '${was}' }. If it is another column, declare ${all} as well, or, if the ` +
        `application no longer uses ${them}, write retired: [${quoted(unused)}] in the model.`,
    ],
    { table: name, differences },
  )
}

const classOf = ({ type }: Column): string => typeFacts(type).storage.class

const quoted = (columns: readonly Column[]): string =>
  showNames(
    columns.map(({ physical }) => physical),
    "'",
  )
