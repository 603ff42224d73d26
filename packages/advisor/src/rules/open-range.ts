import type { AdviceRule } from '../finding.js'
import { rowsAtMost } from '../subject/queries.js'
import { figure } from '../subject/subject.js'
import { asExplained, explained, often } from './explained.js'

/** A range with one end grows with the table, unless the query has a limit. */
export const openRange: AdviceRule = explained('open-range', ['G-10', 'G-11'], ({ stats }) => (query, warning) => {
  const most = rowsAtMost(query)
  if (most !== undefined) return { ...asExplained(`${often(query)}, ${figure(most)} rows at most`, query, warning), severity: 'info' }
  return asExplained(`${often(query)}${stats?.total === undefined ? '' : `, up to ${figure(stats.total)} rows`}`, query, warning)
})
