// Tested by ddl.test.ts.
import { designRules, findingsOf, type DesignCode, type Finding, type Rule, type TableSchema } from 'rowkey/adapter'
import { keyColumns } from './keys.js'
import { saltingOf } from './salting/salting.js'

/** The code of a finding about a table in Kudu. */
export type KuduCode = 'kudu-key-bytes' | 'kudu-bucket-column' | DesignCode

/** The guide says not to simulate typed columns by bytes: other programs cannot read them, and no key column can be changed later. */
const keyBytes: Rule<TableSchema, KuduCode> = (schema) =>
  keyColumns(schema).flatMap(({ form, why }, position) => {
    if (form !== 'bytes') return []
    const column = schema.columns[position]?.name ?? ''
    const message = `Key column '${column}' of '${schema.name}' is a BINARY column in Kudu: ${why}. SQL engines see bytes there, and a key column cannot be changed later.`
    const fix = 'Declare it as an integer, an instant, a date, a decimal, or ascending text if other programs read the table.'
    return [{ code: 'kudu-key-bytes', severity: 'info', column, message, fix }]
  })

/** A salt that Kudu does not compute is a column of the key, and no program but ours knows which value it has. */
const bucketInKey: Rule<TableSchema, KuduCode> = (schema) => {
  if (saltingOf(schema) !== 'column') return []
  const message =
    `'${schema.name}' has its bucket as the first key column in Kudu, because Kudu does not compute this salt itself. Other programs have to compute it to ` +
    'find a row by its key.'
  const fix =
    'Use kuduHash({ of, count }) of ascending integers, dates, decimals, text or timestamps of µs: then Kudu places rows by hash partitions of its own.'
  return [{ code: 'kudu-bucket-column', severity: 'info', message, fix }]
}

/** What is likely to hurt in Kudu. */
export const warningsOf = (schema: TableSchema): readonly Finding<KuduCode>[] =>
  findingsOf<TableSchema, KuduCode>([keyBytes, bucketInKey, ...designRules], schema)
