// Tested by rules.test.ts.
import type { AdviceRule, RuleFinding } from '../finding.js'
import { countsUp, isDay } from '../subject/columns.js'
import { isPeriod } from '../subject/period-columns.js'
import { isSalted, leadingColumns } from '../subject/spread.js'
import { placementOf } from '../subject/store-profile.js'
import type { Subject } from '../subject/subject.js'
import { mattersFrom } from '../subject/weight.js'
import { newRows, spreadFix } from './one-place.js'
import { showName } from 'rowkey/internal'

/** New rows are next to each other, so one server takes all writes of a moment. */
export const monotonicFirst: AdviceRule = {
  code: 'monotonic-first',
  stage: 'model',
  guides: ['G-30', 'G-31'],
  find(subject) {
    const [first] = leadingColumns(subject)
    const claim = first === undefined ? undefined : countsUp(subject, first)
    // A period has a rule of its own.
    if (first !== undefined && isPeriod(first)) return []
    if (first === undefined || claim === undefined) return ofDays(subject)
    const name = showName(first.name)
    return [
      {
        ...spreadFix(subject),
        stage: claim.stage,
        column: first.name,
        evidence: `${claim.because}; all ${newRows(subject)}go to 1 place`,
        message: `'${name}' is the first key column and counts up, so new rows follow one another and one server takes all writes of a moment${first.type.desc ? ', also in descending order' : ''}.${mattersFrom(subject, 1)}`,
      },
    ]
  },
}

/** Where partitions are hashed, one that is only a day still takes all the writes of a day. */
function ofDays(subject: Subject): readonly RuleFinding[] {
  const { schema, store } = subject
  const partition = schema.columns.slice(0, schema.partitionLength)
  const [only, ...others] = partition
  if (placementOf(store) !== 'hash' || isSalted(subject) || only === undefined || !isDay(only) || isPeriod(only) || others.length > 0)
    return []
  return [
    {
      ...spreadFix(subject),
      column: only.name,
      evidence: `1 partition a day; all ${newRows(subject)}go to 1 partition`,
      message: `'${showName(only.name)}' alone is the partition, so all rows of a day are in one partition, which takes all writes of that day.${mattersFrom(subject, 1)}`,
    },
  ]
}
