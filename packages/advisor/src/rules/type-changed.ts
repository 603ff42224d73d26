import { holdsValuesOf, sameBytes, showName, typeText } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'

/** A column that changes its type. */
export const typeChanged: AdviceRule = {
  code: 'type-changed',
  stage: 'existing',
  guides: ['G-125'],
  find({ schema, existing, store }) {
    if (existing === undefined) return []
    const known = new Map(existing.columns.map((column) => [column.physical, column]))
    return schema.columns.slice(schema.keyLength).flatMap((column): readonly RuleFinding[] => {
      const other = known.get(column.physical)
      if (other?.role !== 'value' || sameBytes(column.type, other.type)) return []
      const grows = holdsValuesOf(column.type, other.type)
      if (grows && store?.name !== 'kudu') return []
      return [
        {
          severity: 'error',
          column: column.name,
          evidence: `the table has ${typeText(other.type)}, the model ${typeText(column.type)}`,
          message: grows
            ? `Kudu cannot change the type of '${showName(column.name)}', although the new one holds all old values.`
            : `'${showName(column.name)}' of existing rows may have values that the new type cannot hold, so the table is refused with SCHEMA_MISMATCH.`,
          fix: 'Keep the type, and add a column of the new type.',
        },
      ]
    })
  },
}
