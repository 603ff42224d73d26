import type { Capabilities } from 'rowkey/adapter'
import { maxRowkeyBytes } from './keys.js'

/** Max mutations of one transaction, unless they are atomic. It is built on the main thread, and everything else waits for that. */
export const partLength = 2000

/** What the LMDB adapter can do. */
export const capabilities: Capabilities = Object.freeze({
  reverse: true,
  conditions: 'columns',
  // One transaction. It blocks the main thread while it is built.
  atomic: Object.freeze({ scope: 'store', max: 10_000, isolated: true }),
  eventual: false,
  ordered: partLength,
  limits: Object.freeze({ partitionBytes: maxRowkeyBytes, sortKeyBytes: maxRowkeyBytes, valueBytes: Number.MAX_SAFE_INTEGER }),
})
