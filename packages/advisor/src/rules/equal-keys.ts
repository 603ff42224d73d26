import { showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { enoughRows, keyColumns } from '../subject/columns.js'
import { otherIds, rowId } from '../subject/row-id.js'
import { figure, percent, type Subject } from '../subject/subject.js'
import { timeOf } from '../subject/time.js'

/** Two rows with one key are one row: the later put replaces the earlier one. */
export const equalKeys: AdviceRule = {
  code: 'equal-keys',
  stage: 'model',
  guides: ['G-04', 'G-05'],
  find(subject) {
    const { stats, rows } = subject
    // Entries have the key of their row in theirs.
    if (rows !== undefined) return []
    if (stats !== undefined && stats.duplicates > 0) return ofData(subject, stats)
    return stats !== undefined && stats.rows >= enoughRows ? [] : ofTime(subject)
  },
}

function ofData(subject: Subject, { duplicates, rows }: NonNullable<Subject['stats']>): readonly RuleFinding[] {
  return [
    {
      severity: 'warning',
      stage: 'data',
      evidence: `${figure(duplicates)} of ${figure(rows)} sampled rows (${percent(duplicates / rows)}) have the key of an earlier one`,
      message: `Keys of '${subject.schema.name}' are not unique, so a put replaces another row without a word. If they are versions of one record, that is what you want.`,
      fix: 'Put what tells the rows apart at the end of the key, or write with insert(), which refuses a key that exists.',
    },
  ]
}

/** A key that ends with a time has one row for each moment, unless another column of it is the id of the row. */
function ofTime(subject: Subject): readonly RuleFinding[] {
  const last = keyColumns(subject).at(-1)
  const time = last === undefined ? undefined : timeOf(last)
  if (last === undefined || time === undefined) return []
  if (rowId(subject) !== undefined) return []
  const name = showName(last.name)
  return [
    {
      severity: 'info',
      column: last.name,
      evidence: `1 row for each value of the other key columns and ${time.unit === 'days' ? 'day' : `${time.unit ?? 'value'} of '${name}'`}${otherIds(subject)}`,
      message: `The key ends with '${name}', so of two rows of the same ${time.unit === 'days' ? 'day' : 'moment'} the second replaces the first.`,
      fix: `If that can happen, add a last key column that tells them apart, such as seq: uint32().`,
    },
  ]
}
