import { atomicScope } from '@rowkey/store/adapter'
import { capabilities, maxBatchBytes } from '../capabilities.js'
import type { Bound } from '../client/session.js'

/** Of a value beside its bytes: length, time stamp, time to live. */
const perValue = 32
/** Of a row beside its values. */
const perRow = 64

/**
 * Refuses a batch that is more than a server takes as one mutation. Not all say so: 4.0 begins, and leaves open what became of it.
 *
 * @throws RowkeyError `ATOMIC_SCOPE`
 */
export function refuseHeavy(statements: readonly Bound[], writes: number): void {
  if (statements.length < 2) return // rows are smaller
  let bytes = 0
  for (const { params } of statements) {
    bytes += perRow
    for (const param of params) bytes += perValue + (param?.length ?? 0)
  }
  if (bytes <= maxBatchBytes) return
  const reason = `they take ${bytes} bytes, more than ${maxBatchBytes}`
  throw atomicScope({ name: 'cassandra', capabilities }, writes, reason, 'Write less in one call')
}
