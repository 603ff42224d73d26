// Tested by rules.test.ts.
import { type SchemaColumn, showName, typeFacts } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { isKudu, ofTable } from '../subject/kudu.js'
import type { KuduEncoding } from '../subject/store-profile.js'
import { figure, type Subject } from '../subject/subject.js'

type Class = ReturnType<typeof typeFacts>['storage']['class']

/** G-56; of decimals Kudu itself has more than the guide. */
const byClass: Readonly<Record<Class, readonly KuduEncoding[]>> = {
  boolean: ['plain', 'runlength'],
  int: ['plain', 'bitshuffle', 'runlength'],
  bigint: ['plain', 'bitshuffle', 'runlength'],
  float: ['plain', 'bitshuffle'],
  decimal: ['plain', 'bitshuffle', 'runlength'],
  text: ['plain', 'prefix', 'dictionary'],
  json: ['plain', 'prefix', 'dictionary'],
  bytes: ['plain', 'prefix', 'dictionary'],
}

/** Numbers of 16 bytes have no run length: decimals of more than 18 digits, and integers that are decimals in Kudu. */
function allowedFor({ type }: SchemaColumn): readonly KuduEncoding[] {
  const { storage } = typeFacts(type)
  const isWide = storage.class === 'decimal' ? storage.precision > 18 : storage.class === 'bigint' && storage.max >= 2n ** 63n
  return isWide ? byClass.float : byClass[storage.class]
}

/** Encodings that a type does not have, and those that would fit better. */
export const kuduEncoding: AdviceRule = {
  code: 'kudu-encoding',
  stage: 'store',
  guides: ['G-55', 'G-56', 'G-57', 'G-58', 'G-59', 'G-60', 'G-61'],
  find(subject) {
    const { store, schema } = subject
    if (!isKudu(subject)) return []
    return schema.columns.flatMap((column, at) => {
      const encoding = ofTable(store?.kudu?.encodings, schema.name)?.[column.name]
      if (encoding !== undefined) return wrong(column, encoding)
      return hasHint(schema, column.name) ? [] : better(subject, column, at)
    })
  },
}

/** Whether the model itself says an encoding, which the adapter checks. */
function hasHint({ stores }: Subject['schema'], name: string): boolean {
  const hint = stores['kudu'] as { readonly columns?: Readonly<Record<string, { readonly encoding?: unknown }>> } | undefined
  return ofTable(hint?.columns ?? undefined, name)?.encoding !== undefined
}

function wrong(column: SchemaColumn, encoding: KuduEncoding): readonly RuleFinding[] {
  const { class: stored } = typeFacts(column.type).storage
  const allowed = allowedFor(column)
  if (allowed.includes(encoding)) return []
  const has = allowed.join(', ')
  return [
    {
      severity: 'error',
      column: column.name,
      evidence: `${encoding} for ${stored}, of which Kudu has ${figure(allowed.length)} others`,
      message: `Kudu has no encoding ${encoding} for the type of '${showName(column.name)}', and refuses the table.`,
      fix: `Use ${has}, or leave it to the default.`,
    },
  ]
}

/** Rows of a tablet are in the order of the key, so the first key column has common prefixes. */
function better(subject: Subject, column: SchemaColumn, at: number): readonly RuleFinding[] {
  const { class: stored } = typeFacts(column.type).storage
  const distinct = subject.stats?.columns[column.name]?.distinct
  const rows = subject.stats?.rows ?? 0
  if (at > 0 || stored !== 'text' || distinct === undefined || distinct < rows / 2) return []
  return [
    {
      severity: 'info',
      column: column.name,
      evidence: `${figure(distinct)} different values in ${figure(rows)} sampled rows, in the order of the key`,
      message: `'${showName(column.name)}' is the first key column and has too many values for a dictionary, which is the default of text.`,
      fix: `Use the encoding prefix, which leaves out what a value has in common with the one before it.`,
    },
  ]
}
