import type { Capabilities } from 'rowkey/adapter'

/** Max bytes of a value in Redis. */
const maxBytes = 512 * 1024 * 1024

/** What the Redis adapter can do. */
export const capabilities: Capabilities = Object.freeze({
  reverse: true,
  conditions: 'columns',
  // One script. The server runs nothing else in the meantime.
  atomic: Object.freeze({ scope: 'partition', max: 1000, isolated: true }),
  // Replicas are never read, so every read is strong.
  eventual: false,
  limits: Object.freeze({ partitionBytes: maxBytes, sortKeyBytes: maxBytes, valueBytes: maxBytes }),
})
