import type { AdviceRule } from '../finding.js'
import { counted } from '@rowkey/codec/internal'
import { validChange } from '../apply-fix.js'
import { splitsFor } from '../subject/spread.js'
import { isKudu } from '../subject/kudu.js'
import { partitionLimits, placementOf, storeTitle } from '../subject/store-profile.js'
import { figure, writesPerSecond } from '../subject/subject.js'
import { mattersFrom, weightOn } from '../subject/weight.js'

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
    const limit = partitionLimits[store.name]?.writesPerSecond ?? Infinity
    const servers = store.servers ?? 0
    const rate = writesPerSecond(subject) / buckets
    if (buckets >= servers && rate <= limit) return []
    let count = level.count
    while ((count < servers || writesPerSecond(subject) / count > limit) && count < 256) count *= 2
    const change = others.length > 0 ? undefined : validChange(schema, { salt: [{ ...level, count }], ...splitsFor(subject, count) })
    return [
      {
        severity: rate > limit ? 'error' : weightOn(subject, buckets) === 'light' ? 'info' : 'warning',
        evidence:
          rate > limit
            ? `${counted(buckets, 'bucket')}, ${figure(rate)} writes a second each; ${storeTitle[store.name]} takes ${figure(limit)}`
            : `${counted(buckets, 'bucket')} on ${figure(servers)} servers`,
        message: `New rows of '${schema.name}' go to ${counted(buckets, 'place')}, and no further, however many servers there are.${mattersFrom(subject, buckets)}`,
        fix: `Use ${figure(count)} buckets. Their number cannot be changed later.`,
        ...(change === undefined ? {} : { change }),
      },
    ]
  },
}
