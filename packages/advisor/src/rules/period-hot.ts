// Tested by periods.test.ts.
import { showName } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { aPeriod, everyOf, isPeriod } from '../subject/period-columns.js'
import { partitionColumns } from '../subject/partitions.js'
import { isSalted, leadingColumns } from '../subject/spread.js'
import { placementOf } from '../subject/store-profile.js'
import { mattersFrom } from '../subject/weight.js'
import { newRows, spreadFix } from './one-place.js'

/** Nothing before a period tells rows of one moment apart, so there is one hot place at a time. */
export const periodHot: AdviceRule = {
  code: 'period-hot',
  stage: 'model',
  guides: ['G-30', 'G-31'],
  find(subject) {
    const isHashed = placementOf(subject.store) === 'hash'
    const partition = partitionColumns(subject)
    const hashed = partition.every(isPeriod) && !isSalted(subject) ? partition : []
    const [first] = isHashed ? hashed : leadingColumns(subject)
    const every = first === undefined ? undefined : everyOf(first)
    if (first === undefined || every === undefined) return []
    const a = aPeriod(every)
    const name = showName(first.name)
    return [
      {
        ...spreadFix(subject),
        column: first.name,
        evidence: `1 ${isHashed ? 'partition' : 'range of keys'} ${a}; all ${newRows(subject)}go to it`,
        message: isHashed
          ? `The period '${name}' alone is the partition, so all rows of ${a} are in one, which takes all writes of that time.${mattersFrom(subject, 1)}`
          : `The period '${name}' is the first key column, so the rows of ${a} are next to each other, and few servers take all writes of that time.${mattersFrom(subject, 1)}`,
      },
    ]
  },
}
