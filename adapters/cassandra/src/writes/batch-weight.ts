import { atomicScope } from 'rowkey/adapter'
import { maxBatchBytes } from '../capabilities.js'
import type { Bound } from '../client/session.js'
import { cassandraStore } from '../description.js'

/** Bytes that a value takes in addition to its own: length, timestamp, time to live. */
const perValue = 32
/** Bytes that a row takes in addition to its values. */
const perRow = 64

/**
 * Refuses a batch that is larger than a server accepts as one mutation. Not every server refuses it itself: on 4.0 the outcome is unknown.
 *
 * @throws RowkeyError `ATOMIC_SCOPE`
 */
export function refuseHeavy(statements: readonly Bound[], writes: number): void {
  if (statements.length < 2) return // the core limits the size of a row
  let bytes = 0
  for (const { params } of statements) {
    bytes += perRow
    for (const param of params) bytes += perValue + (param?.length ?? 0)
  }
  if (bytes <= maxBatchBytes) return
  const reason = `they take ${bytes} bytes, more than ${maxBatchBytes}`
  throw atomicScope(cassandraStore, writes, reason, 'Write less in one call')
}
