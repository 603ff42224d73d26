import { showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { isKudu, keyTypeFault } from '../subject/kudu.js'
import { hintOf } from '../subject/store-profile.js'

/** What a key column of Kudu cannot be. */
export const kuduKeyType: AdviceRule = {
  code: 'kudu-key-type',
  stage: 'store',
  guides: ['G-53', 'G-54', 'G-64'],
  find: (subject) =>
    !isKudu(subject)
      ? []
      : keyColumns(subject).flatMap((column): readonly RuleFinding[] => {
          const why = keyTypeFault(column)
          if (why === undefined) return []
          const isStrict = hintOf(subject.schema, 'kudu', 'strict') === true
          const name = showName(column.name)
          return [
            {
              severity: isStrict ? 'error' : 'warning',
              column: column.name,
              evidence: `1 of ${keyColumns(subject).length} key columns`,
              message: `'${name}' ${why}, and no key column of Kudu can be that: ${isStrict ? 'the model asks for native columns only, so the table is refused.' : 'it is stored as bytes, which SQL engines cannot read, and a key column cannot be changed later.'}`,
              fix: column.type.nullable ? `Give '${name}' a value that means "none".` : `Declare '${name}' as an integer or a decimal.`,
            },
          ]
        }),
}
