import { showName, showNames } from '@rowkey/codec/internal'
import type { AdviceRule } from '../finding.js'
import { keyForQueries } from '../subject/key-order.js'
import { figure } from '../subject/subject.js'
import { asExplained, explained, often } from './explained.js'

/** What the key does not narrow is read and dropped. */
export const filter: AdviceRule = explained('filter', ['G-02', 'G-15', 'G-16'], (subject) => {
  const { schema, stats } = subject
  const fitting = keyForQueries(subject)
  return (query, warning) => {
    const { column } = warning
    const distinct = stats?.columns[column ?? '']?.distinct
    const share = distinct === undefined ? '' : `, which 1 of ${figure(distinct)} values passes`
    // Only a column of the key can be read from another place in it.
    const order = schema.columns.slice(0, schema.keyLength).some(({ name }) => name === column) ? fitting : undefined
    const names = showNames(Object.keys(query.shape.where), "'")
    const checked = column === undefined ? 'Conditions on several columns are' : `The condition on '${showName(column)}' is`
    return {
      ...asExplained(`${often(query)}${share}`, query, warning),
      message: `${checked} checked after reading, so the scan may examine many more rows than it returns.`,
      fix:
        order?.fix ??
        `If few rows pass, declare another table with ${names} at the beginning of its key, and write '${schema.name}' and it together.`,
      ...(order === undefined ? {} : { change: order.change }),
    }
  }
})
