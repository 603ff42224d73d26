import type { AdviceRule } from '../finding.js'
import { counted } from 'rowkey/internal'
import { validChange } from '../apply-fix.js'
import { demandsOn, demandText, type Demand } from '../subject/demand.js'
import { splitsFor } from '../subject/spread.js'
import { isKudu } from '../subject/kudu.js'
import { placementOf, titleOf } from '../subject/store-profile.js'
import { figure } from '../subject/subject.js'
import { mattersFrom, weightOfWrites } from '../subject/weight.js'

/** A salt spreads no further than it has buckets. */
export const fewBuckets: AdviceRule = {
  code: 'few-buckets',
  stage: 'store',
  guides: ['G-34', 'G-50', 'G-77'],
  find(subject) {
    const { store, schema } = subject
    const [level, ...others] = schema.salt
    // Where partitions are hashed, their columns spread rows as well; tablets of Kudu have a rule of their own.
    if (store === undefined || level === undefined || isKudu(subject) || placementOf(store) === 'one place') return []
    if (placementOf(store) === 'hash' && schema.partitionLength > 0) return []
    const { buckets } = schema.layout
    const servers = store.servers ?? 0
    // More buckets make the part of the scans no smaller.
    const [worst] = demandsOn(subject, 1)
      .filter(({ busiest, byScans, limit }) => busiest > limit && byScans < limit)
      .toSorted((a, b) => moreFor(b) - moreFor(a))
    if (buckets >= servers && worst === undefined) return []
    const needed = worst === undefined ? 0 : level.count * moreFor(worst)
    let count = level.count
    while ((count < servers || count < needed) && count < 256) count *= 2
    const change = others.length > 0 ? undefined : validChange(schema, { salt: [{ ...level, count }], ...splitsFor(subject, count) })
    return [
      {
        severity: worst !== undefined ? 'error' : weightOfWrites(subject, buckets) === 'light' ? 'info' : 'warning',
        evidence:
          worst !== undefined
            ? `${counted(buckets, 'bucket')}, ${figure(worst.busiest)} ${demandText(worst)} a second each; ${titleOf(store)} takes ${figure(worst.limit)}`
            : `${counted(buckets, 'bucket')} on ${figure(servers)} servers`,
        message: `New rows of '${schema.name}' go to ${counted(buckets, 'place')}, and no further, however many servers there are.${mattersFrom(subject, buckets)}`,
        fix: `Use ${figure(count)} buckets. Their number cannot be changed later.`,
        ...(change === undefined ? {} : { change }),
      },
    ]
  },
}

/** How many times as many buckets a demand needs. */
const moreFor = ({ busiest, byScans, limit }: Demand): number => (busiest - byScans) / (limit - byScans)
