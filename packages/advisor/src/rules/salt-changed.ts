import { saltOptions, saltText } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import type { AdviceRule } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { percent } from '../subject/subject.js'

/** With another salt, rows are looked for in other buckets. */
export const saltChanged: AdviceRule = {
  code: 'salt-changed',
  stage: 'existing',
  guides: ['G-124', 'G-126'],
  find({ schema, existing }) {
    if (existing === undefined) return []
    const data = (of: TableSchema): string =>
      JSON.stringify(of.salt.map((salt) => saltOptions(salt, (name) => of.columns.find((column) => column.name === name)?.physical)))
    if (data(schema) === data(existing)) return []
    const text = ({ salt }: TableSchema): string =>
      salt.length === 0 ? 'no salt' : salt.map((level) => saltText(level, (name) => name)).join(', ')
    const names = new Set(keyColumns({ schema }).map(({ name }) => name))
    const fits = existing.salt.every(({ of }) => of.every((name) => names.has(name)))
    return [
      {
        severity: 'error',
        evidence: `the table has ${text(existing)}, the model ${text(schema)}: about ${moved(existing, schema)} of the rows would be in another bucket`,
        message: `Rows of '${schema.name}' are stored in the buckets of the old salt, and with the new one they would be looked for in others.`,
        fix: 'Keep the salt; or give the new model another name, and copy the rows with copyTable().',
        ...(fits ? { change: { salt: existing.salt } } : {}),
      },
    ]
  },
}

/** The share of the rows that another salt puts elsewhere: of one hash, those whose remainders differ; otherwise all but a chance. */
function moved(before: TableSchema, after: TableSchema): string {
  const [a, b] = [before.layout.buckets, after.layout.buckets]
  const rest = ({ salt }: TableSchema): string => JSON.stringify(salt.map((level) => ({ ...level, count: 0 })))
  const staying = before.salt.length === 1 && rest(before) === rest(after) ? Math.min(a, b) / multiple(a, b) : 1 / Math.max(a, b)
  return percent(1 - staying)
}

const multiple = (a: number, b: number): number => (a * b) / divisor(a, b)
const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
