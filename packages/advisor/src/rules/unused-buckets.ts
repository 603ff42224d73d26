import { showNames } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { countedTogether, enoughRows, keyColumns } from '../subject/columns.js'
import { hashOfColumns, isModulo } from '../subject/spread.js'
import { figure, percent, type Subject } from '../subject/subject.js'

/** What only rows show: ids in steps of 8 use two of sixteen buckets. That a hash has few values to begin with is `few-valued-salt`. */
export const unusedBuckets: AdviceRule = {
  code: 'unused-buckets',
  stage: 'data',
  guides: ['G-34', 'G-37'],
  find(subject) {
    const { schema, stats } = subject
    if (stats === undefined || stats.rows < enoughRows || stats.buckets.of === 1) return []
    const { used, of, expected, top } = stats.buckets
    const names = [...new Set(schema.salt.flatMap((level) => level.of))]
    if (used > 0.8 * Math.min(expected, bucketsOf(subject, names))) return []
    const inputs = showNames(names, "'")
    return [
      {
        ...fixOf(subject),
        evidence: `${figure(used)} of ${figure(of)} buckets used by ${figure(stats.rows)} sampled rows, the fullest by ${percent(top)}`,
        message: `The salt of '${schema.name}' by ${inputs} puts the sampled rows into few of its buckets, so few servers take the writes, and scans read buckets without rows.`,
      },
    ]
  },
}

/** How many buckets the values of the salt's columns use if they are spread by chance: a hash has no more values than they. */
function bucketsOf(subject: Subject, names: readonly string[]): number {
  const { buckets } = subject.schema.layout
  const inputs = keyColumns(subject).filter(({ name }) => names.includes(name))
  const { distinct = Infinity } = countedTogether(subject, inputs) ?? {}
  return buckets * (1 - (1 - 1 / buckets) ** distinct)
}

/** A hash instead of a modulo; a hash of the whole key where one of some columns does not spread. */
function fixOf({ schema }: Subject): { severity: 'warning'; fix: string; change?: { salt: typeof schema.salt } } {
  const modulo = schema.salt.find(isModulo)
  if (modulo !== undefined) {
    const salt = schema.salt.map((level) => (level === modulo ? hashOfColumns(level, level.of) : level))
    return { severity: 'warning', change: { salt }, fix: `Hash it: bucket({ of: '${modulo.of.join()}', count: ${modulo.count} }).` }
  }
  const whole = schema.columns.slice(0, schema.keyLength).filter(({ type }) => !type.nullable)
  const [level] = schema.salt
  if (level === undefined || schema.salt.length > 1 || whole.length <= level.of.length)
    return { severity: 'warning', fix: 'Compute the salt from columns that differ from row to row.' }
  const of = whole.map(({ name }) => name)
  return {
    severity: 'warning',
    change: { salt: [{ ...level, of }] },
    fix: `Compute the salt from all key columns: of: [${showNames(of, "'")}].`,
  }
}
