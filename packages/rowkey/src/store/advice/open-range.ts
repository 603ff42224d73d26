import type { Rule } from '../contract/finding.js'
import { readsLimited, readsRanges, type ReadSubject } from './read-facts.js'

/** A first column with one limit narrows the read only from one side: it grows with the table. */
export const openRange: Rule<ReadSubject, 'open-range'> = ({ schema, read }) => {
  const column = schema.columns[0]?.name ?? ''
  const first = read.conditions.find((condition) => condition.column === column)
  if (!readsRanges(read) || schema.partitionLength > 0 || read.bounds.length > 0 || first?.operator !== 'range') return []
  if ((first.from !== undefined && first.to !== undefined) || readsLimited(read)) return []
  const [side, end] = first.from === undefined ? ['lower', 'from the start'] : ['upper', 'to the end']
  const message = `'${column}' has no ${side} limit, so it reads ${end} of the table.`
  return [
    {
      code: 'open-range',
      severity: 'warning',
      column,
      message,
      fix: read.limit === undefined ? 'Give it one, or a limit of rows.' : 'Give it one.',
    },
  ]
}
