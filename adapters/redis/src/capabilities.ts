import type { Capabilities } from '@rowkey/store'

/** What Redis takes as one value. */
const longest = 512 * 1024 * 1024

/** What the Redis adapter can do. */
export const capabilities: Capabilities = Object.freeze({
  reverse: true,
  conditions: 'version',
  // One script; the server does nothing else while it runs.
  atomic: Object.freeze({ scope: 'partition', max: 1000, isolated: true }),
  // Replicas are never read.
  eventual: false,
  limits: Object.freeze({ partitionBytes: longest, restBytes: longest, valueBytes: longest }),
})
