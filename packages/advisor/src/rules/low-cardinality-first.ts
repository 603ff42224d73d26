import { counted, type SchemaColumn, showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { countsUp, fewValues, keyColumns } from '../subject/columns.js'
import { spreadRows } from '../subject/key-order.js'
import { isSalted, leadingColumns } from '../subject/spread.js'
import { placementOf } from '../subject/store-profile.js'
import type { Subject } from '../subject/subject.js'
import { mattersFrom, weightOn } from '../subject/weight.js'

/** A first column with few values has few places for new rows. */
export const lowCardinalityFirst: AdviceRule = {
  code: 'low-cardinality-first',
  stage: 'model',
  guides: ['G-32'],
  find(subject) {
    const key = keyColumns(subject)
    const leading = placementOf(subject.store) === 'hash' ? partitionOf(subject) : leadingColumns(subject)
    const [first] = leading
    const few = first === undefined ? undefined : fewValues(subject, first)
    if (first === undefined || few === undefined || key.length < 2) return []
    const next = leading.find((column) => fewValues(subject, column) === undefined)
    const isHot = next === undefined || countsUp(subject, next) !== undefined
    const places = few.count === undefined ? 'as many places as it has values' : counted(few.count, 'place')
    // Of values that nobody has counted, one may have almost all rows.
    const isLight = weightOn(subject, few.count ?? 1) === 'light'
    return [
      {
        ...fixOf(subject, first, isHot && !isLight ? 'warning' : 'info'),
        stage: few.stage,
        column: first.name,
        evidence: isHot ? `${few.because}: new rows go to ${places}` : `${few.because}, then '${showName(next.name)}', which spreads them`,
        message: isHot
          ? `'${showName(first.name)}' is the first key column and has few values, so new rows go to few places, and as few servers take all writes.${mattersFrom(subject, few.count ?? 1)}`
          : `'${showName(first.name)}' is the first key column and has few values: keys share a prefix, and only the column after it spreads rows.`,
      },
    ]
  },
}

/** Where partitions are hashed, a table whose partition columns all have few values has few partitions. */
function partitionOf(subject: Subject): readonly SchemaColumn[] {
  const partition = subject.schema.columns.slice(0, subject.schema.partitionLength)
  const isFew = partition.every((column) => fewValues(subject, column) !== undefined)
  return isFew && !isSalted(subject) ? partition : []
}

function fixOf(subject: Subject, first: SchemaColumn, severity: RuleFinding['severity']): Pick<RuleFinding, 'severity' | 'fix' | 'change'> {
  const spread = spreadRows(subject)
  return spread === undefined
    ? { severity, fix: `Put a column with many values before '${showName(first.name)}'.` }
    : { severity, ...spread }
}
