import { portableLimits, showName } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { keyColumns, statsOf } from '../subject/columns.js'
import { figure } from '../subject/subject.js'

/** What every adapter refuses beyond, in bytes. */
const longest = portableLimits.rowkeyBytes
/** From here on, keys are a good part of what is stored. */
const longValue = 64

/** The key is stored with every row, in some stores with every cell, and read with every row. */
export const longKey: AdviceRule = {
  code: 'long-key',
  stage: 'data',
  guides: ['G-22', 'G-23', 'G-24', 'G-27'],
  find(subject) {
    const { stats } = subject
    if (stats === undefined) return []
    if (stats.keyBytes.max > longest) return [tooLong(stats.keyBytes.max)]
    return keyColumns(subject).flatMap((column): readonly RuleFinding[] => {
      const bytes = statsOf(subject, column)?.bytes
      if (bytes === undefined || bytes.mean <= longValue) return []
      const name = showName(column.name)
      return [
        {
          severity: 'warning',
          column: column.name,
          evidence: `${figure(bytes.mean)} bytes on average, ${figure(bytes.max)} at most; the whole key ${figure(stats.keyBytes.mean)}`,
          message: `Values of '${name}' are long, and every row is stored and read with them.`,
          fix: `Put a short code, a number or a hash of it into the key, and the whole text into a value column.`,
        },
      ]
    })
  },
}

const tooLong = (bytes: number): RuleFinding => ({
  severity: 'error',
  evidence: `a sampled key has ${figure(bytes)} bytes, and the limit is ${figure(longest)}`,
  message: 'Rows with such keys are refused with LIMIT_EXCEEDED.',
  fix: 'Put a short code or a hash of the long column into the key, and the whole text into a value column.',
})
