// Tested by rules.test.ts and true-advice.test.ts.
import { counted, type SchemaColumn, showName, showNames } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { countsUp, fewTogether, fewValues, keyColumns } from '../subject/columns.js'
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
    const isHashed = placementOf(subject.store) === 'hash'
    const leading = isHashed ? partitionOf(subject) : leadingColumns(subject)
    const end = leading.findIndex((column) => fewValues(subject, column) === undefined)
    const next = leading[end]
    const first = end < 0 ? leading : leading.slice(0, end)
    const few = fewTogether(subject, first)
    if (first.length === 0 || few === undefined || keyColumns(subject).length < 2) return []
    const isHot = next === undefined || countsUp(subject, next) !== undefined
    const places = few.count === undefined ? 'as many places as it has values' : counted(few.count, 'place')
    const enough = isEnough(subject, few.count)
    if (isHashed && enough) return []
    // Of values that nobody has counted, one may have almost all rows.
    const isLight = enough || weightOn(subject, few.count ?? 1) === 'light'
    const names = showNames(
      first.map(({ name }) => name),
      "'",
    )
    const [are, have] =
      first.length === 1 ? ['is the first key column and has', 'has'] : ['are the first key columns and have', 'have together']
    const prefix = isHashed ? `The partition by ${names} ${first.length === 1 ? 'has' : have} few values` : `${names} ${are} few values`
    return [
      {
        ...fixOf(subject, first[0] as SchemaColumn, isHot && !isLight ? 'warning' : 'info'),
        stage: few.stage,
        column: first[0]?.name ?? '',
        evidence: isHot ? `${few.because}: new rows go to ${places}` : `${few.because}, then '${showName(next.name)}', which spreads them`,
        message: isHot
          ? `${prefix}, so new rows go to few places, and as few servers take all writes.${mattersFrom(subject, few.count ?? 1)}`
          : `${prefix}: keys share a prefix, and only the column after it spreads rows.`,
      },
    ]
  },
}

/** Places for each server from which on none has nothing to do. */
const placesPerServer = 4

const isEnough = ({ store }: Subject, places: number | undefined): boolean =>
  places !== undefined && store?.servers !== undefined && places >= placesPerServer * store.servers

/** Where partitions are hashed, a table whose partition columns have few values together has few partitions. */
function partitionOf(subject: Subject): readonly SchemaColumn[] {
  const partition = subject.schema.columns.slice(0, subject.schema.partitionLength)
  return fewTogether(subject, partition) !== undefined && !isSalted(subject) ? partition : []
}

function fixOf(subject: Subject, first: SchemaColumn, severity: RuleFinding['severity']): Pick<RuleFinding, 'severity' | 'fix' | 'change'> {
  const spread = spreadRows(subject)
  return spread === undefined
    ? { severity, fix: `Put a column with many values before '${showName(first.name)}'.` }
    : { severity, ...spread }
}
