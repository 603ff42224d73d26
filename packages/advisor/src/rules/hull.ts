import { showName } from 'rowkey/internal'
import { readAsOne } from 'rowkey/adapter'
import type { AdviceRule } from '../finding.js'
import { asExplained, explained, often } from './explained.js'

/** Lists that make more ranges than a query may have. */
export const hull: AdviceRule = explained('hull', ['G-10'], () => (query, warning) => ({
  ...asExplained(often(query), query, warning),
  message: readAsOne('The lists make', `the lowest and the highest value of '${showName(warning.column)}'`),
}))
