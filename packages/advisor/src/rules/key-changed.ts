import { growthOf, sameBytes, type SchemaColumn, typeText } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { keyColumns } from '../subject/columns.js'

/** Rows are stored under the key that the table was made with. */
export const keyChanged: AdviceRule = {
  code: 'key-changed',
  stage: 'existing',
  guides: ['G-65', 'G-70', 'G-122', 'G-123'],
  find({ schema, existing }) {
    if (existing === undefined) return []
    const [mine, theirs] = [keyColumns({ schema }), keyColumns({ schema: existing })]
    const text = (columns: readonly SchemaColumn[]): string =>
      columns.map(({ physical, type }) => `${physical} ${typeText(type)}`).join(', ')
    const isSame =
      mine.length === theirs.length &&
      schema.partitionLength === existing.partitionLength &&
      mine.every((column, at) => {
        const other = theirs[at] as SchemaColumn
        const growth = growthOf(column.type, other.type)
        return (
          column.physical === other.physical &&
          (sameBytes(column.type, other.type) || (growth !== undefined && growth.changed === undefined))
        )
      })
    if (isSame) return []
    return [
      {
        severity: 'error',
        evidence: `${theirs.length} key columns in the table, [${text(theirs)}], and ${mine.length} in the model, [${text(mine)}]`,
        message: `Every row of '${schema.name}' is stored under its key, so a table with another key is another table, and this one is refused with SCHEMA_MISMATCH.`,
        fix: 'Give the new model another name, copy the rows with copyTable(), and switch readers over; or keep the key.',
      },
    ]
  },
}
