import type { Capabilities } from 'rowkey/adapter'

/** Max rows of one batch. If each has less than 160 KB, the batch is below 16 MiB, the largest mutation that a server accepts. */
export const maxBatch = 100

/**
 * Max bytes of an atomic batch. A mutation may have half the size of a commit log segment, 16 MiB by default. A quarter of a MiB is reserved for what
 * transactions add. More is `ATOMIC_SCOPE`.
 */
export const maxBatchBytes: number = (16 << 20) - (256 << 10)

/** What the Cassandra adapter can do. */
export const capabilities: Capabilities = Object.freeze({
  reverse: true,
  conditions: 'columns',
  // One mutation of one partition, of at most `maxBatchBytes`.
  atomic: Object.freeze({ scope: 'partition', max: maxBatch, bytes: maxBatchBytes, isolated: true }),
  eventual: true,
  keyOrder: 'columns',
  unsetNulls: true,
  // Of all partition columns and of all clustering columns together; the portable rowkey is far below.
  limits: Object.freeze({ partitionBytes: 65_535, sortKeyBytes: 65_535, valueBytes: 65_535 }),
})
