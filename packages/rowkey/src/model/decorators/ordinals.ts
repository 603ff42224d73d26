import { show, showName } from '#codec/internal'
import type { FieldRecord } from './record.js'
import type { Problems } from '../problems.js'

/** The key columns in order. What is wrong with their numbers is added to the problems. */
export function inOrder(fields: readonly FieldRecord[], problems: Problems): readonly FieldRecord[] {
  const numbered = fields.filter(({ role }) => role === 'partition' || role === 'key')
  for (const { name, ordinal } of numbered) {
    if (!Number.isInteger(ordinal) || (ordinal as number) < 1) {
      problems.add({
        code: 'INVALID_ORDINAL',
        column: name,
        message: `key column '${showName(name)}' has ${ordinal === undefined ? 'no number' : `the number ${show(ordinal)}`}. Number the partition and key columns 1, 2, 3 and so on.`,
      })
    }
  }
  const sorted = numbered
    .filter(({ ordinal }) => Number.isInteger(ordinal) && (ordinal as number) >= 1)
    .sort((a, b) => (a.ordinal as number) - (b.ordinal as number))
  sorted.forEach((field, i) => checkAfter(sorted[i - 1], field, problems))
  return [...sorted, ...numbered.filter((field) => !sorted.includes(field))]
}

function checkAfter(before: FieldRecord | undefined, field: FieldRecord, problems: Problems): void {
  const { name, role } = field
  const ordinal = field.ordinal as number
  const previous = before?.ordinal ?? 0
  if (ordinal === previous) {
    problems.add({
      code: 'DUPLICATE_ORDINAL',
      column: name,
      message:
        `key columns '${showName(before?.name)}' and '${showName(name)}' both have the number ${ordinal}. ` +
        'Give each its own number: it is the place in the key.',
    })
  } else if (ordinal > previous + 1) {
    problems.add({
      code: 'ORDINAL_GAP',
      column: name,
      message:
        `key column '${showName(name)}' has the number ${ordinal}, but no column has ${previous + 1}. ` +
        'Number the partition and key columns without gaps, from 1.',
    })
  }
  if (role === 'partition' && before?.role === 'key') {
    problems.add({
      code: 'PARTITION_NOT_FIRST',
      column: name,
      message: `partition column '${showName(name)}' has the number ${ordinal}, after key column '${showName(before.name)}'. Number the partition columns first.`,
    })
  }
}
