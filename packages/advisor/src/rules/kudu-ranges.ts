// Tested by rules.test.ts.
import { counted, showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { keyColumns } from '../subject/columns.js'
import { compareBounds, isKudu, rangesOf } from '../subject/kudu.js'
import { figure } from '../subject/subject.js'

/** Ranges that overlap, or after which none can be added. */
export const kuduRanges: AdviceRule = {
  code: 'kudu-ranges',
  stage: 'store',
  guides: ['G-79', 'G-83', 'G-86', 'G-104'],
  find(subject) {
    const ranges = rangesOf(subject)
    if (!isKudu(subject) || ranges === undefined) return []
    const found: RuleFinding[] = []
    if (!keyColumns(subject).some(({ name }) => name === ranges.column)) {
      found.push({
        severity: 'error',
        evidence: `'${showName(ranges.column)}' is not among ${keyColumns(subject).length} key columns`,
        message: 'Kudu refuses ranges over a column outside the key.',
        fix: 'Range over a key column.',
      })
    }
    const empty = ranges.bounds.filter(([from, to]) => from !== null && to !== null && compareBounds(from, to) >= 0)
    const sorted = ranges.bounds.toSorted(([a], [b]) => (a === null ? -1 : b === null ? 1 : compareBounds(a, b)))
    const overlaps = sorted.filter(([from], i) => {
      const before = sorted[i - 1]?.[1]
      return i > 0 && (before === null || from === null || (before !== undefined && compareBounds(from, before) < 0))
    })
    if (empty.length > 0) {
      found.push({
        severity: 'error',
        column: ranges.column,
        evidence: `${figure(empty.length)} of ${counted(sorted.length, 'range')} end where they begin, or before`,
        message: 'Kudu refuses ranges without values.',
        fix: 'Correct the ends.',
      })
    } else if (overlaps.length > 0) {
      found.push({
        severity: 'error',
        column: ranges.column,
        evidence: `${figure(overlaps.length)} of ${figure(sorted.length)} ranges overlap the one before`,
        message: 'Kudu refuses ranges that overlap. The upper end is exclusive, so a range may begin where another one ends.',
        fix: 'Correct the ends.',
      })
    } else if (sorted.at(-1)?.[1] === null) {
      found.push({
        severity: 'warning',
        column: ranges.column,
        evidence: `1 of ${counted(sorted.length, 'range')} has no upper end`,
        message: 'The last range takes everything to come, and no range can be added after it.',
        fix: 'Give it an upper end, and add ranges in time.',
      })
    }
    return found
  },
}
