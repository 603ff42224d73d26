import { showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { snake } from '../subject/time.js'

const personal =
  /(^|_)(e_?mail|phone|mobile|msisdn|ssn|passport|iban|birth_?day|birth_?date|first_?name|last_?name|full_?name|id_?card)(_|$)/

/** Keys are shown where values are not: in logs, errors, region boundaries, heat maps, cursors. */
export const personalKey: AdviceRule = {
  code: 'personal-key',
  stage: 'model',
  guides: [],
  find: (subject) =>
    keyColumns(subject).flatMap((column): readonly RuleFinding[] => {
      if (!personal.test(snake(column.name))) return []
      const name = showName(column.name)
      return [
        {
          severity: 'info',
          column: column.name,
          evidence: `1 key column that by its name is about a person`,
          message: `'${name}' is in the key, and keys appear in logs, errors, region boundaries and the consoles of stores. A key also cannot be changed when the value does.`,
          fix: `Use an id in the key, and keep '${name}' as a value.`,
        },
      ]
    }),
}
