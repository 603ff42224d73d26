import type { Capabilities } from '#store/adapter'

/** What the memory adapter can do. */
export const capabilities: Capabilities = Object.freeze({
  reverse: true,
  conditions: 'columns',
  // A batch is applied in one synchronous call, so nothing runs between its writes.
  atomic: Object.freeze({ scope: 'store', max: Number.MAX_SAFE_INTEGER, isolated: true }),
  eventual: false,
  limits: Object.freeze({
    partitionBytes: Number.MAX_SAFE_INTEGER,
    sortKeyBytes: Number.MAX_SAFE_INTEGER,
    valueBytes: Number.MAX_SAFE_INTEGER,
  }),
})
