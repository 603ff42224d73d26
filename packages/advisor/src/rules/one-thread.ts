import type { AdviceRule } from '../finding.js'
import { partitionLimits } from '../subject/store-profile.js'
import { figure, writesPerSecond } from '../subject/subject.js'

/** A node of Redis executes commands on one thread, whatever the table's shards are. */
export const oneThread: AdviceRule = {
  code: 'one-thread',
  stage: 'store',
  guides: ['G-34', 'G-50'],
  find(subject) {
    const { store, queries } = subject
    const limit = partitionLimits.redis?.writesPerSecond ?? Infinity
    if (store?.name !== 'redis') return []
    const reads = queries.reduce((sum, { perSecond, explanation }) => sum + perSecond * Math.max(1, explanation?.buckets.read ?? 1), 0)
    const calls = reads + writesPerSecond(subject)
    const servers = store.servers ?? 1
    if (calls / servers <= 0.8 * limit) return []
    return [
      {
        severity: 'warning',
        evidence: `${figure(calls)} calls a second on ${figure(servers)} ${servers === 1 ? 'node' : 'nodes'}; one takes about ${figure(limit)}`,
        message: 'A node of Redis executes all commands on one thread.',
        fix: `Use a cluster of at least ${figure(Math.ceil(calls / (0.5 * limit)))} nodes.`,
      },
    ]
  },
}
