// Tested by demand.test.ts.
import type { AdviceRule, RuleFinding } from '../finding.js'
import { demandsOn, demandText, type Demand } from '../subject/demand.js'
import { inBuckets, inBucketsText, largestPartition, onlyPartitionColumn, partitionNames } from '../subject/partitions.js'
import { titleOf } from '../subject/store-profile.js'
import { figure, type Subject } from '../subject/subject.js'

/** The writes or reads of one partition key are more than its server takes, however many partitions there are. */
export const hotPartition: AdviceRule = {
  code: 'hot-partition',
  stage: 'store',
  guides: ['G-03', 'G-30', 'G-50'],
  find(subject) {
    const { store } = subject
    const top = largestPartition(subject)
    if (store === undefined || top === undefined) return []
    return demandsOn(subject, top.share)
      .filter(({ busiest, limit }) => busiest > limit)
      .map((demand): RuleFinding => {
        const { of, all, busiest, limit } = demand
        return {
          // Twice the limit is too much even if every read may be a little old, which costs half.
          severity: busiest > 2 * limit ? 'error' : 'warning',
          ...onlyPartitionColumn(subject),
          evidence: `${figure(busiest)} of ${figure(all)} ${demandText(demand)} a second go to the ${top.share === 1 ? 'partition' : 'first partition'} ${top.because}; ${titleOf(store)} takes ${figure(limit)}`,
          message: `The busiest value of ${partitionNames(subject)} gets more ${of} than one partition takes.`,
          ...fixOf(subject, demand),
        }
      })
  },
}

/** Buckets within the partition spread writes and gets, and no scans. */
function fixOf(subject: Subject, { of, busiest, byScans, limit }: Demand): Pick<RuleFinding, 'fix' | 'change'> {
  const change = byScans >= limit ? undefined : inBuckets(subject, (busiest - byScans) / (limit - byScans))
  if (change !== undefined) return { change, fix: inBucketsText(change) }
  if (byScans >= limit || of === 'reads')
    return {
      fix: 'Answer most of these reads from a cache, or keep copies of the busiest rows in several partitions and read one of them.',
    }
  return { fix: 'Add a column to the partition that differs between rows of the same moment, such as the number of a shard.' }
}
