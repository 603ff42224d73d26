import type { AdviceRule } from '../finding.js'
import { inBuckets, inBucketsText, largestPartition, onlyPartitionColumn, partitionNames } from '../subject/partitions.js'
import { partitionLimits, storeTitle } from '../subject/store-profile.js'
import { figure } from '../subject/subject.js'

const secondsPerDay = 86_400
const fix = 'Add a column to the partition that changes with time, such as the day or the month.'

/** Partitions that grow beyond what a store reads and repairs well. */
export const largePartition: AdviceRule = {
  code: 'large-partition',
  stage: 'store',
  guides: ['G-50', 'G-51'],
  find(subject) {
    const { store, stats, writes, schema } = subject
    const limits = store === undefined ? undefined : partitionLimits[store.name]
    const top = largestPartition(subject)
    if (store === undefined || limits?.rows === undefined || top === undefined) return []
    const share = top.share / schema.layout.buckets
    const names = partitionNames(subject)
    const rows = share * (stats?.total ?? 0)
    if (rows > limits.rows) {
      const change = inBuckets(subject, rows / limits.rows)
      return [
        {
          ...onlyPartitionColumn(subject),
          ...(change === undefined ? { fix } : { change, fix: inBucketsText(change) }),
          severity: 'warning',
          evidence: `${figure(rows)} rows in the largest partition ${top.because}; ${storeTitle[store.name]} advises ${figure(limits.rows)}`,
          message: `The partition of one value of ${names} is too large.`,
        },
      ]
    }
    const inserts = share * ((writes?.inserts ?? 0) - (writes?.deletes ?? 0))
    const kept = (schema.ttl ?? Infinity) / 1000
    const days = limits.rows / inserts / secondsPerDay
    if (inserts <= 0 || days > 365 || limits.rows / inserts > kept) return []
    return [
      {
        ...onlyPartitionColumn(subject),
        fix,
        severity: 'warning',
        evidence: `${figure(inserts)} new rows a second in the largest partition ${top.because}: ${figure(limits.rows)} rows after ${days < 1 ? 'less than a day' : `${figure(Math.floor(days))} days`}`,
        message: `The partition of one value of ${names} grows for ever, and ${storeTitle[store.name]} advises to keep partitions below ${figure(limits.rows)} rows.`,
      },
    ]
  },
}
