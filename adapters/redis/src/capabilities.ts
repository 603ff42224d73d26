import type { Capabilities } from '@rowkey/store/adapter'

/** What Redis takes as one value. */
const maxBytes = 512 * 1024 * 1024

/** What the Redis adapter can do. */
export const capabilities: Capabilities = Object.freeze({
  reverse: true,
  conditions: 'version',
  // One script; the server does nothing else while it runs.
  atomic: Object.freeze({ scope: 'partition', max: 1000, isolated: true }),
  // Replicas are never read.
  eventual: false,
  limits: Object.freeze({ partitionBytes: maxBytes, sortKeyBytes: maxBytes, valueBytes: maxBytes }),
})
