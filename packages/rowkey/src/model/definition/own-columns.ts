import { nullable, text, timestamp } from '#codec'
import type { SchemaColumn } from '../schema.js'

// Both are nullable, so that they can be added to a table that has rows.

/** When a row expires, in epoch milliseconds. The rows of an application have no such property. */
export const expiryColumn: SchemaColumn = Object.freeze({
  name: 'rk_expires',
  physical: 'rk_expires',
  role: 'expiry',
  type: nullable(timestamp('ms', { as: 'number' })),
})

const versionType = nullable(text())

/** The version of a row, by the name of its property. */
export function versionColumn(name: string): SchemaColumn {
  return Object.freeze({ name, physical: 'rk_version', role: 'version', type: versionType })
}
