// Tested by query-fixes.test.ts.
import { sentenceOf, showName, typeFacts } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { retyped } from '../retyped.js'
import { smallerFanOut } from '../subject/bound-salt.js'
import { indexForQuery } from '../subject/index-for-query.js'
import { ranges, refusedQueries, type AskedQuery } from '../subject/queries.js'
import { figure, type Subject } from '../subject/subject.js'

/** What the planner refuses for another reason than a full scan: an order, an operator, too many buckets, … */
export const refusedQuery: AdviceRule = {
  code: 'refused-query',
  stage: 'queries',
  guides: ['G-02', 'G-08', 'G-17'],
  find: (subject) =>
    refusedQueries(
      subject.queries,
      (code) => !['FULL_SCAN_REFUSED', 'PARTITION_REQUIRED'].includes(code) && !(code === 'FAN_OUT_EXCEEDED' && hasPrefix(subject)),
    ).map((query): RuleFinding => ({
      severity: 'error',
      evidence: `${query.refusal?.code ?? ''}, ${figure(query.perSecond)} a second: ${query.text}`,
      message: query.refusal === undefined ? '' : sentenceOf(query.refusal),
      ...fixOf(subject, query),
    })),
}

/** Those have a rule of their own. */
const hasPrefix = ({ schema }: Subject): boolean => schema.salt.some(({ digits }) => digits !== undefined)

type Fix = Pick<RuleFinding, 'fix' | 'change' | 'column'>

/** What was wrong with the query decides what helps. */
function fixOf(subject: Subject, query: AskedQuery): Fix {
  switch (query.refusal?.code) {
    case 'ORDER_UNAVAILABLE':
      return indexForQuery(subject, query) ?? { fix: 'Declare an index whose key has that order, or another table.' }
    case 'FAN_OUT_EXCEEDED':
      return smallerFanOut(subject, query) ?? { fix: 'Give values for the columns of the salt, or use fewer buckets.' }
    case 'TOO_MANY_RANGES':
      return { fix: 'Ask for fewer values at a time, in several queries.' }
    default:
      return ofCondition(subject, query)
  }
}

/** A condition that its column does not answer. */
function ofCondition({ schema }: Subject, query: AskedQuery): Fix {
  const named = query.refusal?.details as { readonly column?: string } | undefined
  const column = schema.columns.find(({ name }) => name === named?.column)
  if (column === undefined) return { fix: 'Ask only what columns can answer.' }
  const [name, { type }] = [showName(column.name), column]
  const { storage } = typeFacts(type)
  const of = { column: column.name }
  const condition = query.shape.where[column.name]
  if (condition === 'isNull') return { ...of, fix: `'${name}' is never null: leave the condition out, or declare it as nullable.` }
  if (storage.class === 'json')
    return { ...of, fix: `Keep what the query looks for of '${name}' in a column of its own as well, and ask for that.` }
  if (!type.ordered && ranges(query, column.name)) {
    // Only a text is the same value as text().
    const change = storage.class === 'text' && storage.format === undefined ? retyped(column, 'text', {}) : undefined
    const fix = `Ask for values of '${name}' by = or in, or declare it as a type that has the order of its values${change === undefined ? '' : ', text()'}.`
    return { ...of, fix, ...(change === undefined ? {} : { change }) }
  }
  if (condition === 'startsWith') return { ...of, fix: `'${name}' is not a text: ask for a range of it, ['gte', 'lt'].` }
  return { ...of, fix: `Ask for '${name}' by = or in.` }
}
