import type { Capabilities } from '@rowkey/store/adapter'

/** Rows of one batch. Their bytes together stay below what a server takes at once, 16 MiB, if rows have less than 160 KB each. */
export const maxBatch = 100

/**
 * Bytes of an atomic batch: a server takes half a segment of its commit log as one mutation, 16 MiB as shipped, and a quarter of a megabyte of
 * that is left for what transactions add. More is `ATOMIC_SCOPE`.
 */
export const maxBatchBytes: number = (16 << 20) - (256 << 10)

/** What the Cassandra adapter can do. */
export const capabilities: Capabilities = Object.freeze({
  reverse: true,
  conditions: 'version',
  // One mutation of one partition, of at most `maxBatchBytes`.
  atomic: Object.freeze({ scope: 'partition', max: maxBatch, isolated: true }),
  eventual: true,
  // Of all partition columns and of all clustering columns together; the portable rowkey is far below.
  limits: Object.freeze({ partitionBytes: 65_535, sortKeyBytes: 65_535, valueBytes: 65_535 }),
})
