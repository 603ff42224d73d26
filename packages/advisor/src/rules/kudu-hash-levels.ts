import { counted, isKuduHash } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { validChange } from '../apply-fix.js'
import { isKudu } from '../subject/kudu.js'
import { figure } from '../subject/subject.js'

/** As many tablets as a table of Kudu may reasonably have in one range. */
const maxBuckets = 64

/** A salt that is no hash level of Kudu is a column of its own there. */
export const kuduHashLevels: AdviceRule = {
  code: 'kudu-hash-levels',
  stage: 'store',
  guides: ['G-89', 'G-90', 'G-92'],
  find(subject) {
    const { salt } = subject.schema
    const foreign = salt.filter((level) => !isKuduHash(level))
    if (!isKudu(subject) || foreign.length === 0) return []
    const change = validChange(subject.schema, {
      salt: salt.map(({ of, count }) => ({ kind: 'hashPartition' as const, of, count: Math.min(count, maxBuckets), seed: 0 })),
    })
    return [
      {
        severity: 'warning',
        evidence: `${figure(foreign.length)} of ${counted(salt.length, 'level')} ${foreign.length === 1 ? 'is no hash' : 'are no hashes'} of Kudu`,
        message:
          'Kudu partitions by its own hash. Another salt would be a column of the key there, and not tell Kudu which tablet has a row.',
        fix: `Declare it as kuduHash(), with at most ${maxBuckets} buckets, of columns that Kudu has: signed integers, decimals, times, text or bytes.`,
        ...(change === undefined ? {} : { change }),
      },
    ]
  },
}
