import type { Rule } from '../contract/finding.js'
import type { ReadSubject } from './read-facts.js'
import { showSome } from '#codec/internal'
import { conditionText } from './condition.js'
import { readsSplit } from './split-text.js'

/** What is said of conditions; `are`: they with their verb. */
export const checkedLate = (are: string): string => `${are} checked after reading, so the scan may examine many more rows than it returns.`

/** What the key does not narrow is checked row by row, however few rows pass. */
export const filter: Rule<ReadSubject, 'filter'> = (subject) => {
  const { schema, read } = subject
  // That of a split column is always checked, and has a finding of its own.
  const split = readsSplit(subject) ? schema.columns[schema.layout.splitColumn ?? -1]?.name : undefined
  const residual = read.residual.filter(({ column }) => column !== split)
  const [only, ...others] = residual
  if (only === undefined) return []
  const conditions = showSome(
    residual.map((condition) => conditionText(schema, condition)),
    ' and ',
  )
  return [
    {
      code: 'filter',
      severity: 'warning',
      ...(others.length === 0 ? { column: only.column } : {}),
      message: checkedLate(`${conditions} is`),
    },
  ]
}
