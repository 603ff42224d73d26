import type { Row, Value } from '#codec'
import type { TableSchema } from '#model'
import type { Condition } from '#store/adapter'

/** The conditions that every value column, and the version, still has the value that was read. */
export function sameRow(schema: TableSchema, row: Row): readonly Condition[] {
  return schema.columns.flatMap(({ type }, column): Condition[] => {
    if (column < schema.keyLength || column === schema.expiryIndex) return []
    const stored = row[column] ?? null
    const value: Value = stored === null && !type.nullable && type.default?.kind === 'constant' ? type.default.value : stored
    return [value === null ? { column, isNull: true } : { column, in: [value] }]
  })
}

/** How many times as often such a write is tried that only others have hindered. */
export const contendedFactor = 8
