import { showNames } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { figure } from '../subject/subject.js'

/** A value column that the model no longer declares stays in the table. */
export const columnDropped: AdviceRule = {
  code: 'column-dropped',
  stage: 'existing',
  guides: ['G-113'],
  find({ schema, existing }) {
    if (existing === undefined) return []
    const declared = new Set([...schema.columns.map(({ physical }) => physical), ...schema.retired])
    const left = existing.columns
      .filter(({ role, physical }) => role === 'value' && !declared.has(physical))
      .map(({ physical }) => physical)
    if (left.length === 0) return []
    return [
      {
        severity: 'warning',
        evidence: `${figure(left.length)} of ${figure(existing.columns.length)} columns`,
        message: `The model does not declare ${showNames(left, "'")} any more. A put of a row erases what it has there, and a new column of the same type is refused as a renaming.`,
        fix: `Declare ${left.length === 1 ? 'it' : 'them'}, or write retired: [${showNames(left, "'")}] if the application no longer uses ${left.length === 1 ? 'it' : 'them'}.`,
      },
    ]
  },
}
