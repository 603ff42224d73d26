// Tested by fixes.test.ts.
import { changedSchema } from './apply-fix.js'
import type { AdviceFinding, AdviceSeverity } from './finding.js'
import { rules } from './rules.js'
import { askedQuery } from './subject/queries.js'
import type { Subject } from './subject/subject.js'

/** Errors first. */
export const rank: Readonly<Record<AdviceSeverity, number>> = { error: 0, warning: 1, info: 2 }

/**
 * What all rules say of a table. A change is only given if the changed table has been judged too: it is a valid schema, its finding is gone, and no
 * worse one came.
 */
export function judged(subject: Subject): readonly AdviceFinding[] {
  const all = findingsOn(subject)
  if (all.every(({ change }) => change === undefined)) return all
  // The statistics are of the rows of this schema, and say nothing of another one.
  const { stats } = subject
  const bare = stats === undefined ? all : findingsOn({ ...subject, stats: undefined })
  return all.map((finding) => (finding.change === undefined ? finding : proven(subject, bare, finding)))
}

function findingsOn(subject: Subject): readonly AdviceFinding[] {
  return rules.flatMap(({ code, guides, stage, find }) =>
    find(subject).map((found): AdviceFinding => ({ code, stage, guides, ...found, table: subject.schema.name })),
  )
}

/** The finding, without its change if the change does more harm than good. */
function proven(subject: Subject, before: readonly AdviceFinding[], finding: AdviceFinding): AdviceFinding {
  const { change, ...told } = finding
  const schema = change === undefined ? undefined : changedSchema(subject.schema, change)
  if (schema === undefined) return told
  const queries = subject.queries.map(({ shape }) => askedQuery(schema, shape))
  const after = findingsOn({ ...subject, schema, queries, stats: undefined })
  const count = (all: readonly AdviceFinding[], is: (each: AdviceFinding) => boolean): number => all.filter(is).length
  const isSame = ({ code, column }: AdviceFinding): boolean => code === finding.code && column === finding.column
  if (count(after, isSame) > 0 && count(after, isSame) >= count(before, isSame)) return told
  const worse = after.filter(
    (each) =>
      rank[each.severity] < Math.max(1, rank[finding.severity]) &&
      count(after, ({ code }) => code === each.code) >
        count(before, ({ code, severity }) => code === each.code && severity === each.severity),
  )
  if (worse.length === 0) return finding
  const codes = [...new Set(worse.map(({ code }) => code))].join(', ')
  return { ...told, fix: `${told.fix ?? ''} That alone would bring ${codes}, so decide which of them matters more.`.trim() }
}
