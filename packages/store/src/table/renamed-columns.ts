import type { TableSchema } from '@rowkey/model'
import { showName, typeFacts } from '@rowkey/codec/internal'
import { storeError } from '../errors.js'

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
  const left = stored.columns.filter(({ role, physical }) => role === 'value' && !declared.has(physical))
  const pairs = added.flatMap((mine): (readonly [Column, Column])[] => {
    const other = mine.role === 'value' ? left.find((each) => classOf(each) === classOf(mine)) : undefined
    return other === undefined ? [] : [[mine, other]]
  })
  const [first] = pairs
  if (first === undefined) return
  const differences = pairs.map(
    ([mine, other]) => `the model adds '${mine.physical}', the table has '${other.physical}', which the model does not declare`,
  )
  const [mine, other] = first
  const was = showName(other.physical)
  throw storeError(
    'SCHEMA_MISMATCH',
    [
      `the model of '${name}' may have renamed a column, and rows would lose its values:`,
      ...differences.map((each) => `  - ${each}`),
      `If '${showName(mine.name)}' is '${was}', give its type { name: '${was}' }. If it is another column, declare '${was}' as well, or, if the ` +
        `application no longer uses it, write retired: ['${was}'] in the model.`,
    ],
    { table: name, differences },
  )
}

const classOf = ({ type }: Column): string => typeFacts(type).storage.class
