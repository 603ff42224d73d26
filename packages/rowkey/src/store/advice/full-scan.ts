import type { Rule } from '../contract/finding.js'
import { readsLimited, type ReadSubject } from './read-facts.js'

/** Nothing narrows the read, so its cost is the whole table. */
export const fullScan: Rule<ReadSubject, 'full-scan'> = ({ schema, read }) => {
  if (read.kind !== 'FULL SCAN' || readsLimited(read)) return []
  const column = schema.columns[0]?.name ?? ''
  const message = `It reads the whole table '${read.table}'.`
  return [{ code: 'full-scan', severity: 'warning', column, message, fix: `Give '${column}', the first key column, a value or a range.` }]
}
