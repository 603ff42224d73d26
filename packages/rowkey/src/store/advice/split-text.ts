import type { TableSchema } from '#model'
import type { Rule } from '../contract/finding.js'
import type { ReadSubject } from './read-facts.js'
import { show, showName } from '#codec/internal'

/** Keys that start with a value of a column which ends at its last separator may have another value. */
export const splitText: Rule<TableSchema, 'split-text'> = ({ columns, layout }) => {
  const column = layout.splitColumn === undefined ? undefined : columns[layout.splitColumn]
  if (column === undefined) return []
  const { separator } = column.type
  const name = showName(column.name)
  const values =
    separator === ''
      ? 'has neither a separator nor a fixed length: a scan of one value also reads the rows of values that begin with it, and drops them'
      : `ends at its last ${show(separator)}, and its values may contain others: a scan of one value also reads the rows of values that continue it with ${show(separator)}, and drops them`
  return [
    {
      code: 'split-text',
      severity: 'info',
      column: column.name,
      message: `'${name}' ${values}. From '${name}' on, keys have the order of their bytes.`,
    },
  ]
}

/** It matters to a scan whose ranges start with values of that column. */
export const splitTextRead: Rule<ReadSubject, 'split-text'> = ({ schema, read }) => (readsSplit({ schema, read }) ? splitText(schema) : [])

/** Whether the ranges of a scan start with values of such a column, so that its condition is checked on every row. */
export function readsSplit({ schema: { columns, layout }, read }: ReadSubject): boolean {
  const split = layout.splitColumn
  return split !== undefined && read.key.used > split && read.residual.some(({ column }) => column === columns[split]?.name)
}
