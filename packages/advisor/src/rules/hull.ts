import type { AdviceRule } from '../finding.js'
import { asExplained, explained, often } from './explained.js'

/** Lists that make more ranges than a query may have. */
export const hull: AdviceRule = explained('hull', ['G-10'], (_, query, warning) => asExplained(often(query), query, warning))
