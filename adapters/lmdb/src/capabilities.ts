import type { Capabilities } from '@rowkey/store/adapter'
import { maxRowkeyBytes } from './keys.js'

/** What the LMDB adapter can do. */
export const capabilities: Capabilities = Object.freeze({
  reverse: true,
  conditions: 'columns',
  // One transaction. It blocks the main thread while it is built.
  atomic: Object.freeze({ scope: 'store', max: 10_000, isolated: true }),
  eventual: false,
  limits: Object.freeze({ partitionBytes: maxRowkeyBytes, sortKeyBytes: maxRowkeyBytes, valueBytes: Number.MAX_SAFE_INTEGER }),
})
