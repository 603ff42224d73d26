import type { TableSchema } from './schema.js'

/** Registered, so that two loaded copies of the package recognise each other's schemas. */
export const schemaBrand: unique symbol = Symbol.for('rowkey.schema')

/**
 * Whether `model` is a {@link TableSchema}, including one of another copy of this package.
 *
 * @example
 * ```ts
 * isTableSchema(class Plain {}) //=> false
 * ```
 */
export function isTableSchema(model: unknown): model is TableSchema {
  return typeof model === 'object' && model !== null && schemaBrand in model
}
