import type { AdviceRule } from '../finding.js'
import { inBuckets, inBucketsText, largestPartition, onlyPartitionColumn, partitionColumns, partitionNames } from '../subject/partitions.js'
import { isSlow } from '../subject/spread.js'
import { placementOf } from '../subject/store-profile.js'
import { percent } from '../subject/subject.js'

/** One value has a good part of all rows: its partition is as large and as busy as a table. */
export const giantTenant: AdviceRule = {
  code: 'giant-tenant',
  stage: 'data',
  guides: ['G-30', 'G-51'],
  find(subject) {
    const { stats, schema } = subject
    if (placementOf(subject.store) !== 'hash' || stats === undefined || stats.rows < 100) return []
    const top = largestPartition(subject)
    if (top === undefined || partitionColumns(subject).every((column) => isSlow(subject, column))) return []
    const share = top.share / schema.layout.buckets
    if (share < 0.2) return []
    const change = inBuckets(subject, 16)
    return [
      {
        severity: 'warning',
        ...onlyPartitionColumn(subject),
        evidence: `the largest partition has ${percent(share)} of the rows ${top.because}`,
        message: `One value of ${partitionNames(subject)} has a large part of all rows, and they are all in one place.`,
        fix: change === undefined ? 'Add a column to the partition that differs within it, such as a day.' : inBucketsText(change),
        ...(change === undefined ? {} : { change }),
      },
    ]
  },
}
