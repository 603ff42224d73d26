import type { AdviceRule } from '../finding.js'
import { hashBuckets, isKudu, rangesOf } from '../subject/kudu.js'
import { spreadingSalt } from '../subject/spread.js'

/** Kudu has no default: a table that names no partitions is one tablet. */
export const kuduNoPartitions: AdviceRule = {
  code: 'kudu-no-partitions',
  stage: 'store',
  guides: ['G-76', 'G-82'],
  find(subject) {
    const { schema } = subject
    if (!isKudu(subject) || schema.salt.length > 0 || hashBuckets(subject) > 1 || rangesOf(subject) !== undefined) return []
    const salting = spreadingSalt(subject)
    return [
      {
        severity: 'error',
        evidence: '0 hash levels and 0 ranges: 1 tablet',
        message: `Kudu has no default partitioning, so '${schema.name}' is refused: it would be one tablet on one server, and partitions cannot be changed later.`,
        fix: salting === undefined ? 'Give it a hash level or ranges.' : `Give it a hash level with ${salting.text}.`,
        ...(salting === undefined ? {} : { change: salting.change }),
      },
    ]
  },
}
