import { showName, typeFacts } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { isKudu } from '../subject/kudu.js'

/** What a key column of Kudu cannot be. */
export const kuduKeyType: AdviceRule = {
  code: 'kudu-key-type',
  stage: 'store',
  guides: ['G-53', 'G-54', 'G-64'],
  find: (subject) =>
    !isKudu(subject)
      ? []
      : keyColumns(subject).flatMap((column): readonly RuleFinding[] => {
          const { class: stored } = typeFacts(column.type).storage
          const why = column.type.nullable
            ? 'may be null'
            : stored === 'boolean'
              ? 'is boolean'
              : stored === 'float'
                ? 'is a floating-point number'
                : undefined
          if (why === undefined) return []
          const name = showName(column.name)
          return [
            {
              severity: 'error',
              column: column.name,
              evidence: `1 of ${keyColumns(subject).length} key columns`,
              message: `'${name}' ${why}, and Kudu refuses a table with such a key column.`,
              fix: column.type.nullable ? `Give '${name}' a value that means "none".` : `Declare '${name}' as an integer or a decimal.`,
            },
          ]
        }),
}
