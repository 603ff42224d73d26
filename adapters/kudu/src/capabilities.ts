import type { Capabilities } from 'rowkey/adapter'

/** Max bytes of an encoded primary key, in which a zero byte within text counts twice. */
const maxKeyBytes = 16_384

/** Max columns of a table. */
export const maxColumns = 300

/** What the Kudu adapter can do. A store has no versions of rows, no expiry, and no writes with conditions on columns. */
export const capabilities: Capabilities = Object.freeze({
  reverse: false,
  conditions: 'presence',
  atomic: Object.freeze({ scope: 'row', max: 1, isolated: true }),
  eventual: false,
  keyOrder: 'columns',
  limits: Object.freeze({ partitionBytes: maxKeyBytes, sortKeyBytes: maxKeyBytes, valueBytes: 65_536 }),
})
