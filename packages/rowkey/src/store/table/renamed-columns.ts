import type { TableSchema } from '#model'
import { showName, showNames, typeFacts } from '#codec/internal'
import { storeError } from '../errors.js'
import { brief } from './apart.js'
import { listed } from './listed.js'

type Column = TableSchema['columns'][number]

/**
 * Refuses to add a value column to a table that has another one which the model neither declares nor has retired. The new column may be the old
 * one under a new name. Then it would read as null in all rows, and the next put would erase the old values without an error.
 *
 * @throws RowkeyError `SCHEMA_MISMATCH`
 */
export function refuseRenaming(schema: TableSchema, added: readonly Column[], stored: TableSchema): void {
  const { name, columns, retired } = schema
  const declared = new Set([...columns.map(({ physical }) => physical), ...retired])
  const left = stored.columns.filter(({ role, physical }) => role === 'value' && !declared.has(physical))
  const news = added.filter(({ role }) => role === 'value')
  if (left.length === 0 || news.length === 0) return
  const differences = news.map(
    (mine) => `the model adds '${mine.physical}', the table has ${brief(quoted(left))}, which the model does not declare`,
  )
  const same = news.flatMap((mine) => left.filter((other) => classOf(other) === classOf(mine)).map((other) => [mine, other] as const))[0]
  // It lists all of them, so that one change of the model is enough.
  const [all, them] = left.length === 1 ? [quoted(left), 'it'] : ['all of them', 'them']
  const retire = `declare ${all} as well, or, if the application no longer uses ${them}, write retired: [${quoted(left)}] in the model.`
  throw storeError(
    'SCHEMA_MISMATCH',
    [
      `the model of '${name}' may have renamed a column, and rows would lose its values:`,
      ...listed(differences),
      same === undefined
        ? `A column of another type cannot have the old values: ${retire}`
        : `If '${showName(same[0].name)}' is '${showName(same[1].physical)}', give its type { name: '${showName(same[1].physical)}' }. If it is another column, ${retire}`,
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
