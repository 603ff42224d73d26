import type { AdviceRule } from '../finding.js'
import { bucketsWithin, inBuckets, inBucketsText, largestPartition, onlyPartitionColumn, partitionNames } from '../subject/partitions.js'
import { partitionLimits, storeTitle } from '../subject/store-profile.js'
import { figure, writesPerSecond } from '../subject/subject.js'

/** The writes of one partition key are more than its server takes, however many partitions there are. */
export const hotPartition: AdviceRule = {
  code: 'hot-partition',
  stage: 'store',
  guides: ['G-03', 'G-30', 'G-50'],
  find(subject) {
    const { store, stats } = subject
    const top = largestPartition(subject)
    const limit = partitionLimits[store?.name ?? 'memory']?.writesPerSecond
    if (store === undefined || top === undefined || limit === undefined) return []
    // DynamoDB counts a write of each begun kilobyte.
    const units = store.name === 'dynamodb' ? Math.max(1, Math.ceil((stats?.rowBytes ?? 0) / 1024)) : 1
    const rate = (units * top.share * writesPerSecond(subject)) / bucketsWithin(subject)
    if (rate <= limit) return []
    const change = inBuckets(subject, rate / limit)
    return [
      {
        severity: rate > 2 * limit ? 'error' : 'warning',
        ...onlyPartitionColumn(subject),
        evidence: `${figure(rate)} of ${figure(units * writesPerSecond(subject))} ${units === 1 ? 'writes' : 'write units'} a second go to the first partition ${top.because}; ${storeTitle[store.name]} takes ${figure(limit)}`,
        message: `The busiest value of ${partitionNames(subject)} gets more writes than one partition takes.`,
        fix:
          change === undefined
            ? 'Add a column to the partition that differs between rows of the same moment, such as the number of a shard.'
            : inBucketsText(change),
        ...(change === undefined ? {} : { change }),
      },
    ]
  },
}
