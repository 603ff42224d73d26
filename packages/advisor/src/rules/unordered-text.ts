import { type SchemaColumn, show, showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { retyped } from '../retyped.js'
import { keyColumns } from '../subject/columns.js'

/** The guides' cures for texts of variable length keep neither their order nor all of their values. */
export const unorderedText: AdviceRule = {
  code: 'unordered-text',
  stage: 'model',
  guides: ['G-39', 'G-40', 'G-41'],
  find: (subject) => keyColumns(subject).flatMap((column, at) => found(column, at === subject.schema.keyLength - 1)),
}

function found(column: SchemaColumn, isLast: boolean): readonly RuleFinding[] {
  const { ordered, pad, separator, split, inner } = column.type
  const isPadded = pad !== undefined
  // A text that ends at its last separator has a rule of its own, and a number in text is no text.
  if (ordered || split !== undefined || inner !== undefined || (!isPadded && separator === undefined)) return []
  const name = showName(column.name)
  const mark = show(isPadded ? pad : separator)
  return [
    {
      severity: isLast ? 'info' : 'warning',
      column: column.name,
      evidence: isPadded
        ? `padded with ${mark}: 'host1' comes after 'host12'`
        : `ended by ${mark}: 'host1' comes after 'host12', and values with ${mark} are refused`,
      message: `Keys do not have the order of the values of '${name}', because ${mark} sorts after other characters, so there are no ranges over it.`,
      fix: `Unless another program writes these bytes, declare it as text(), which ends values in a way that keeps their order.`,
      change: retyped(column, 'text', {}),
    },
  ]
}
