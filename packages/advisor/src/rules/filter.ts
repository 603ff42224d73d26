import { showNames } from '@rowkey/codec/internal'
import type { AdviceRule } from '../finding.js'
import { figure } from '../subject/subject.js'
import { asExplained, explained, often } from './explained.js'

/** What the key does not narrow is read and dropped. */
export const filter: AdviceRule = explained('filter', ['G-15', 'G-16'], ({ schema, stats }, query, warning) => {
  const column = stats?.columns[warning.column ?? '']
  const share = column === undefined ? '' : `, which 1 of ${figure(column.distinct)} values passes`
  const names = showNames(Object.keys(query.shape.where), "'")
  return {
    ...asExplained(`${often(query)}${share}`, query, warning),
    fix: `If few rows pass, declare another table with ${names} at the beginning of its key, and write '${schema.name}' and it together.`,
  }
})
