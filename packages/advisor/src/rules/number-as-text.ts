import { type SchemaColumn, showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { retyped } from '../retyped.js'
import { keyColumns, statsOf } from '../subject/columns.js'
import { figure, type Subject } from '../subject/subject.js'
import { isFreeText, timeOf } from '../subject/time.js'

/** A number as text takes more bytes, and is in the order of its digits: '10' before '9'. */
export const numberAsText: AdviceRule = {
  code: 'number-as-text',
  stage: 'model',
  guides: ['G-23', 'G-28'],
  find: (subject) =>
    keyColumns(subject).flatMap((column) => (isFreeText(column.type) ? [...ofData(subject, column), ...ofName(subject, column)] : [])),
}

function ofData(subject: Subject, column: SchemaColumn): readonly RuleFinding[] {
  const stats = statsOf(subject, column)
  if (stats?.integers !== 1) return []
  const name = showName(column.name)
  const change = retyped(column, 'int64', { as: 'bigint' })
  return [
    {
      severity: 'info',
      stage: 'data',
      column: column.name,
      evidence: `${figure(subject.stats?.rows ?? 0)} of ${figure(subject.stats?.rows ?? 0)} sampled values are whole numbers: ${figure(stats.bytes.mean)} bytes as text, 8 as int64()`,
      message: `All values of '${name}' are numbers, and as text they are in the order of their digits: '10' comes before '9'.`,
      fix: `Declare it as int64().`,
      change,
    },
  ]
}

/** Before there are rows, a name may tell that a text is a time. */
function ofName(subject: Subject, column: SchemaColumn): readonly RuleFinding[] {
  if (statsOf(subject, column) !== undefined || timeOf(column) === undefined) return []
  const name = showName(column.name)
  return [
    {
      severity: 'info',
      column: column.name,
      evidence: `by its name a time: 8 bytes as timestamp('ms'), 25 or more as ISO text`,
      message: `'${name}' is text in the key. A time as text takes three times the bytes, and is in order only if all texts have the same form and zone.`,
      fix: `Declare it as timestamp('ms').`,
      change: retyped(column, 'timestamp', { as: 'Date', unit: 'ms' }),
    },
  ]
}
