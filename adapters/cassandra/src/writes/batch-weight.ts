import { RowkeyError } from '@rowkey/store/adapter'
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
  const { scope, max } = capabilities.atomic
  throw new RowkeyError(
    'ATOMIC_SCOPE',
    `cassandra cannot apply these ${writes} writes atomically: they take ${bytes} bytes, more than ${maxBatchBytes}. Nothing was written. ` +
      'Write less at once.',
    { adapter: 'cassandra', scope, max, writes },
  )
}
