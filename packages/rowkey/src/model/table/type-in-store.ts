import type { TypeData } from '#codec'
import { derived } from '#codec/internal'
import type { SchemaColumn } from '../schema.js'

/** The type of a column, with the column that a period is of by its name in the store, which stays when a property is renamed. */
export function typeInStore(columns: readonly SchemaColumn[], type: TypeData): TypeData {
  if (type.of === undefined) return type
  return derived(type, { of: columns.find(({ name }) => name === type.of)?.physical ?? type.of })
}
