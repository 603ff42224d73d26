// Tested by fixes.test.ts.
import { changedSchema } from './apply-fix.js'
import type { AdviceFinding, AdviceSeverity, SchemaChange } from './finding.js'
import { rules } from './rules.js'
import { askedQuery } from './subject/queries.js'
import type { Subject } from './subject/subject.js'

/** Errors first. */
export const rank: Readonly<Record<AdviceSeverity, number>> = { error: 0, warning: 1, info: 2 }

/**
 * What all rules say of a table. A change is only given if the changed table has been judged too: it is a valid schema, its finding is gone, and no
 * more or worse ones came.
 */
export function judged(subject: Subject): readonly AdviceFinding[] {
  const all = findingsOn(subject)
  if (all.every(({ change }) => change === undefined)) return all
  // The statistics are of the rows of this schema, and say nothing of another one.
  const { stats } = subject
  const bare = stats === undefined ? all : findingsOn({ ...subject, stats: undefined })
  const known = new Map<string, readonly AdviceFinding[] | undefined>()
  const afterChange = (change: SchemaChange): readonly AdviceFinding[] | undefined => {
    const text = JSON.stringify(change)
    if (!known.has(text)) known.set(text, findingsAfter(subject, change))
    return known.get(text)
  }
  return all.map((finding) => (finding.change === undefined ? finding : proven(bare, finding, afterChange(finding.change))))
}

/** What is said of the changed table; undefined if the schema cannot have the change. */
function findingsAfter(subject: Subject, change: SchemaChange): readonly AdviceFinding[] | undefined {
  const schema = changedSchema(subject.schema, change)
  if (schema === undefined) return undefined
  const queries = subject.queries.map(({ shape }) => askedQuery(schema, shape))
  return findingsOn({ ...subject, schema, queries, stats: undefined })
}

function findingsOn(subject: Subject): readonly AdviceFinding[] {
  return rules.flatMap(({ code, guides, stage, find }) =>
    find(subject).map((found): AdviceFinding => ({ code, stage, guides, ...found, table: subject.schema.name })),
  )
}

/** The finding, without its change if the change does more harm than good. */
function proven(before: readonly AdviceFinding[], finding: AdviceFinding, after: readonly AdviceFinding[] | undefined): AdviceFinding {
  const { change: _, ...told } = finding
  if (after === undefined) return told
  const count = (all: readonly AdviceFinding[], is: (each: AdviceFinding) => boolean): number => all.filter(is).length
  const isSame = ({ code, column }: AdviceFinding): boolean => code === finding.code && column === finding.column
  if (count(after, isSame) > 0 && count(after, isSame) >= count(before, isSame)) return told
  // Nothing worse may come, and of what is as bad not more than before.
  const isNew = ({ code, severity }: AdviceFinding): boolean =>
    count(after, (each) => each.code === code) > count(before, (each) => each.code === code && each.severity === severity)
  const isAlarm = ({ severity }: AdviceFinding): boolean => severity !== 'info'
  const hasMore = count(after, isAlarm) > count(before, isAlarm) || rank[finding.severity] > 1
  const worse = after.filter((each) => isNew(each) && (each.severity === 'error' || (hasMore && isAlarm(each))))
  if (worse.length === 0) return finding
  const codes = [...new Set(worse.map(({ code }) => code))].join(', ')
  return { ...told, fix: `${told.fix ?? ''} That alone would bring ${codes}, so decide which of them matters more.`.trim() }
}
