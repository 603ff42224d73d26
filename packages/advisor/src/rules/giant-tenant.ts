// Tested by rules.test.ts.
import { showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { countsUp, statsOf } from '../subject/columns.js'
import {
  bucketsWithin,
  inBuckets,
  inBucketsText,
  isWindow,
  largestPartition,
  onlyPartitionColumn,
  partitionColumns,
  partitionNames,
} from '../subject/partitions.js'
import { isSlow, leadingColumns, spreadingSalt } from '../subject/spread.js'
import { placementOf } from '../subject/store-profile.js'
import { percent, type Subject } from '../subject/subject.js'
import { mattersFrom, weightOfWrites, weightOn } from '../subject/weight.js'

/** From this share of all rows on, one value is as large and as busy as a table. */
const giant = 0.2

/** One value has a good part of all rows. */
export const giantTenant: AdviceRule = {
  code: 'giant-tenant',
  stage: 'data',
  guides: ['G-30', 'G-51'],
  find: (subject) => (placementOf(subject.store) === 'hash' ? inPartition(subject) : inOrder(subject)),
}

function inPartition(subject: Subject): readonly RuleFinding[] {
  const { stats } = subject
  if (stats === undefined || stats.rows < 100) return []
  const top = largestPartition(subject)
  const partition = partitionColumns(subject).filter((column) => !isWindow(column))
  // Few values are another finding.
  if (top === undefined || partition.every((column) => isSlow(subject, column))) return []
  const share = top.share / bucketsWithin(subject)
  if (share < giant) return []
  const change = inBuckets(subject, 16)
  return [
    {
      severity: weightOfWrites(subject, 1, share) === 'light' ? 'info' : 'warning',
      ...onlyPartitionColumn(subject),
      evidence: `the largest partition has ${percent(share)} of the rows ${top.because}`,
      message: `One value of ${partitionNames(subject)} has a large part of all rows, and they are all in one place.${mattersFrom(subject, 1 / share)}`,
      ...(change === undefined
        ? { fix: 'Add a column to the partition that differs between rows of the same moment, such as the number of a shard.' }
        : { change, fix: inBucketsText(change) }),
    },
  ]
}

/** Where keys are in order, rows of one value are hot if they go to its end. */
function inOrder(subject: Subject): readonly RuleFinding[] {
  const [first, second] = leadingColumns(subject)
  if (first === undefined || second === undefined || countsUp(subject, second) === undefined || isSlow(subject, first)) return []
  const top = statsOf(subject, first)?.top ?? 0
  if (top < giant) return []
  const salting = spreadingSalt(subject)
  return [
    {
      severity: weightOn(subject, 1, top) === 'light' ? 'info' : 'warning',
      column: first.name,
      evidence: `1 value has ${percent(top)} of the rows, which go to 1 place`,
      message: `One value of '${showName(first.name)}' has a large part of all rows, and because '${showName(second.name)}' counts up, they all go to the same place.${mattersFrom(subject, 1 / top)}`,
      ...(salting === undefined
        ? { fix: 'Spread that value over several, such as by the number of a shard.' }
        : { change: salting.change, fix: `Spread it with ${salting.text}.` }),
    },
  ]
}
