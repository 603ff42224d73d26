import { showNames } from 'rowkey/internal'
import type { AdviceRule } from '../finding.js'
import { hashOfColumns, isModulo } from '../subject/spread.js'
import { figure, percent, type Subject } from '../subject/subject.js'

const enoughRows = 100

/** What only rows show: ids in steps of 8 use two of sixteen buckets, and a hash of few values as many as there are values. */
export const unusedBuckets: AdviceRule = {
  code: 'unused-buckets',
  stage: 'data',
  guides: ['G-34', 'G-37'],
  find(subject) {
    const { schema, stats } = subject
    if (stats === undefined || stats.rows < enoughRows || stats.buckets.of === 1) return []
    const { used, of, expected, top } = stats.buckets
    if (used > 0.8 * expected) return []
    const inputs = showNames([...new Set(schema.salt.flatMap((level) => level.of))], "'")
    return [
      {
        ...fixOf(subject),
        evidence: `${figure(used)} of ${figure(of)} buckets used by ${figure(stats.rows)} sampled rows, the fullest by ${percent(top)}`,
        message: `The salt of '${schema.name}' by ${inputs} puts the sampled rows into few of its buckets, so few servers take the writes, and scans read buckets without rows.`,
      },
    ]
  },
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
