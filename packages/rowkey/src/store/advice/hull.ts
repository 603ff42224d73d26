import type { Rule } from '../contract/finding.js'
import type { ReadSubject } from './read-facts.js'
import { conditionText } from './condition.js'

/** What is said of lists; `make`: they with their verb. */
export const readAsOne = (make: string, values: string): string =>
  `${make} more ranges than maxRanges, so everything between ${values} is read.`

/** A key column that narrows the read and is also filtered: its `in` made too many ranges, so it is read as one range. */
export const hull: Rule<ReadSubject, 'hull'> = ({ schema, read }) => {
  // From a split column on, conditions are checked for another reason.
  const exact = Math.min(read.key.used, schema.layout.splitColumn ?? Infinity)
  const used = new Set(schema.columns.slice(0, exact).map(({ name }) => name))
  return read.residual
    .filter(({ column }) => used.has(column))
    .map((condition) => ({
      code: 'hull',
      severity: 'warning',
      column: condition.column,
      message: readAsOne(`${conditionText(schema, condition)} makes`, 'its lowest and highest value'),
      fix: 'Request fewer values in one query, or raise maxRanges.',
    }))
}
