import { counted, showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { retyped } from '../retyped.js'
import { keyColumns, statsOf } from '../subject/columns.js'
import { isFreeText } from '../subject/time.js'
import { ranges } from '../subject/queries.js'
import { figure } from '../subject/subject.js'

const fewNames = 64
const worthwhile = 6

/** A name that comes again and again is shorter as a code. */
export const nameAsText: AdviceRule = {
  code: 'name-as-text',
  stage: 'data',
  guides: ['G-29'],
  find: (subject) =>
    keyColumns(subject).flatMap((column): readonly RuleFinding[] => {
      const stats = statsOf(subject, column)
      const rows = subject.stats?.rows ?? 0
      if (!isFreeText(column.type) || stats?.values === undefined || stats.distinct > Math.min(fewNames, rows / 10)) return []
      if (stats.bytes.mean < worthwhile || stats.integers === 1 || subject.queries.some((query) => ranges(query, column.name))) return []
      // Of one width, because no code may begin another one.
      const digits = (stats.distinct - 1).toString(36).length
      const codes = stats.values.map((value, at) => [value, at.toString(36).padStart(digits, '0')] as const)
      const width = digits
      return [
        {
          severity: 'info',
          column: column.name,
          evidence: `${counted(stats.distinct, 'name')} in ${figure(rows)} sampled rows: ${figure(stats.bytes.mean)} bytes as text, ${width} as a code`,
          message: `'${showName(column.name)}' has few names, and every key contains one of them whole.`,
          fix: 'Declare it as dictionary({ name: code, … }) with short codes. Names that come later must be added before they are written, codes never change, and there are no ranges over names.',
          change: retyped(column, 'dictionary', { codes }),
        },
      ]
    }),
}
