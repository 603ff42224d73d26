import type { RuleFinding } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { spreadRows } from '../subject/key-order.js'
import { figure, ratesOf, type Subject } from '../subject/subject.js'
import { severityOnOnePlace } from '../subject/weight.js'

// What all rules say of a table whose new rows of a moment go to one place.

/** Its new rows, with a space after them. */
export function newRows(subject: Subject): string {
  const inserts = ratesOf(subject).inserts ?? 0
  return inserts === 0 ? 'new rows ' : `${figure(inserts)} new rows a second `
}

/** How to spread them, and how much it matters. */
export function spreadFix(subject: Subject): Pick<RuleFinding, 'severity' | 'fix' | 'change'> {
  const severity = severityOnOnePlace(subject)
  const spread = spreadRows(subject)
  if (spread !== undefined) return { severity, ...spread }
  const other = keyColumns(subject).length === 1 ? 'an id that is not a counter' : 'a column that differs from row to row'
  return { severity, fix: `Put ${other} first.` }
}
