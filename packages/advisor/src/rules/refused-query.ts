import { sentenceOf } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { indexForQuery } from '../subject/index-for-query.js'
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
    ).map((query): RuleFinding => {
      const { text, refusal, perSecond } = query
      const isOrder = refusal?.code === 'ORDER_UNAVAILABLE'
      const index = isOrder ? indexForQuery(subject, query) : undefined
      return {
        severity: 'error',
        evidence: `${refusal?.code ?? ''}, ${figure(perSecond)} a second: ${text}`,
        message: refusal === undefined ? '' : sentenceOf(refusal),
        fix:
          index?.fix ??
          (isOrder ? 'Declare an index whose key has that order, or another table.' : 'Change the query or the type of the column.'),
        ...(index === undefined ? {} : { change: index.change }),
      }
    }),
}

/** Those have a rule of their own. */
const hasPrefix = ({ schema }: Subject): boolean => schema.salt.some(({ digits }) => digits !== undefined)
