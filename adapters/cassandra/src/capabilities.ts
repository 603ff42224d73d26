import type { Capabilities } from '@rowkey/store'

/** Rows of one batch. Their bytes together stay below what a server takes at once, 16 MiB, if rows have less than 160 KB each. */
export const longestBatch = 100

/** What the Cassandra adapter can do. */
export const capabilities: Capabilities = Object.freeze({
  reverse: true,
  conditions: 'version',
  // One mutation of one partition.
  atomic: Object.freeze({ scope: 'partition', max: longestBatch, isolated: true }),
  eventual: true,
  // Of all partition columns and of all clustering columns together; the portable rowkey is far below.
  limits: Object.freeze({ partitionBytes: 65_535, restBytes: 65_535, valueBytes: 65_535 }),
})
