import { sentenceOf } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { refusedQueries } from '../subject/queries.js'
import { figure, type Subject } from '../subject/subject.js'

/** An order that the key does not have, a range over a type that has none, a condition on an unknown column, … */
export const refusedQuery: AdviceRule = {
  code: 'refused-query',
  stage: 'queries',
  guides: ['G-02', 'G-08', 'G-17'],
  find: (subject) =>
    refusedQueries(
      subject.queries,
      (code) => !['FULL_SCAN_REFUSED', 'PARTITION_REQUIRED'].includes(code) && !(code === 'FAN_OUT_EXCEEDED' && hasPrefix(subject)),
    ).map(({ text, refusal, perSecond }): RuleFinding => ({
      severity: 'error',
      evidence: `${refusal?.code ?? ''}, ${figure(perSecond)} a second: ${text}`,
      message: refusal === undefined ? '' : sentenceOf(refusal),
      fix:
        refusal?.code === 'ORDER_UNAVAILABLE'
          ? 'Declare an index whose key has that order, or another table.'
          : 'Change the query or the type of the column.',
    })),
}

/** Those have a rule of their own. */
const hasPrefix = ({ schema }: Subject): boolean => schema.salt.some(({ digits }) => digits !== undefined)
