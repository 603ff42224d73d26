import { type SchemaColumn, showName, typeFacts } from 'rowkey/internal'
import type { AdviceRule, RuleFinding } from '../finding.js'
import { keyColumns, statsOf } from '../subject/columns.js'
import { figure } from '../subject/subject.js'

/** Numbers that are text in the key have a type inside too. */
function isReversed({ type }: SchemaColumn): boolean {
  const { openEnded, storage } = typeFacts(type)
  return type.inner !== undefined && !type.ordered && type.separator === undefined && (!openEnded || storage.class === 'text')
}

/** A reversed id spreads rows as far as its last characters differ, and only ids of one length stay comparable. */
export const reversedVariable: AdviceRule = {
  code: 'reversed-variable',
  stage: 'data',
  guides: ['G-36'],
  find: (subject) =>
    keyColumns(subject).flatMap((column): readonly RuleFinding[] => {
      const stats = isReversed(column) ? statsOf(subject, column) : undefined
      if (stats === undefined || stats.bytes.min === stats.bytes.max) return []
      const name = showName(column.name)
      return [
        {
          severity: 'info',
          column: column.name,
          evidence: `${figure(stats.bytes.min)} to ${figure(stats.bytes.max)} bytes in ${figure(subject.stats?.rows ?? 0)} sampled rows`,
          message: `'${name}' is reversed and has values of several lengths: ids of other lengths lie between those of one length, and there are no ranges over it.`,
          fix: `Give ids one length, or use bucket({ of: '${name}', count: 16 }) before the id as it is.`,
        },
      ]
    }),
}
