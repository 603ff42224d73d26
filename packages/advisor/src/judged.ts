import { changedEntries, changedSchema } from './apply-fix.js'
import type { Finding, SchemaChange } from './finding.js'
import { rules } from './rules.js'
import { entriesOf } from './subject/entries.js'
import { askedQuery, type AskedQuery, type QueryShape } from './subject/queries.js'
import type { Subject } from './subject/subject.js'
import type { TableSchema } from 'rowkey'

/** Errors first. */
export const rank: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 1, info: 2 }

/**
 * What all rules say of a table. A change is only given if the changed table has been judged too: it is a valid schema, its finding is gone, and no
 * more or worse ones came.
 */
export function judged(subject: Subject): readonly Finding[] {
  const all = findingsOn(subject)
  if (all.every(({ change }) => change === undefined)) return all
  // The statistics are of the rows of this schema, and say nothing of another one.
  const { stats } = subject
  const bare = [...(stats === undefined ? all : findingsOn({ ...subject, stats: undefined })), ...findingsOnEntries(subject)]
  const before = new Tally(bare)
  const known = new Map<string, After | undefined>()
  const afterChange = (change: SchemaChange): After | undefined => {
    const text = JSON.stringify(change)
    if (!known.has(text)) known.set(text, findingsAfter(subject, change))
    return known.get(text)
  }
  return all.map((finding) => (finding.change === undefined ? finding : proven(before, finding, afterChange(finding.change))))
}

/** What is said of a changed table: one of each sort of its warnings and errors, and how many there are. */
interface After {
  readonly tally: Tally
  readonly alarms: readonly Finding[]
  /** Those on entries of new indexes, apart from what is said of queries, which nobody said of a query that was refused. */
  readonly ofNew: readonly Finding[]
}

/** undefined if the schema cannot have the change. */
function findingsAfter(subject: Subject, change: SchemaChange): After | undefined {
  const { rows } = subject
  const schema = rows === undefined ? changedSchema(subject.schema, change) : changedEntries(rows.schema, rows.index, change)
  if (schema === undefined) return undefined
  const queries = [...subject.queries, ...subject.byIndex].map(({ shape }) => askedAfter(schema, shape, change))
  const after: Subject = {
    ...subject,
    schema,
    queries: queries.filter(({ index }) => index === undefined),
    byIndex: queries.filter(({ index }) => index !== undefined),
    stats: undefined,
  }
  const all = [...findingsOn(after), ...findingsOnEntries(after)]
  const sorts = new Map(all.filter(isAlarm).map((finding) => [`${finding.code} ${finding.severity}`, finding]))
  const added = (change.indexes ?? []).map(({ name }) => schema.indexes.find((index) => index.name === name)?.schema.name)
  return {
    tally: new Tally(all),
    alarms: [...sorts.values()],
    ofNew: all.filter((finding) => isAlarm(finding) && finding.stage !== 'queries' && added.includes(finding.table)),
  }
}

/** A query as the application asks it after a change: by a new index, if the table reads more rows than it returns and the index does not. */
function askedAfter(schema: TableSchema, shape: QueryShape, { indexes = [] }: SchemaChange): AskedQuery {
  const asked = askedQuery(schema, shape)
  if (asked.explanation === undefined || asked.index !== undefined || asked.explanation.residual.length === 0) return asked
  const by = indexes.map(({ name }) => askedQuery(schema, { ...shape, index: name }))
  return by.find(({ explanation }) => explanation?.residual.length === 0) ?? asked
}

const findingsOnEntries = (subject: Subject): readonly Finding[] => entriesOf(subject).flatMap(findingsOn)

function findingsOn(subject: Subject): readonly Finding[] {
  return rules.flatMap(({ code, guides, stage, find }) =>
    find(subject).map((found): Finding => ({ code, stage, guides, ...found, table: subject.schema.name })),
  )
}

/** How many findings there are of each sort. */
class Tally {
  readonly alarms: number
  private readonly counts = new Map<string, number>()

  constructor(all: readonly Finding[]) {
    this.alarms = all.filter(isAlarm).length
    for (const { code, severity, column = '' } of all) {
      for (const sort of [code, `${code} ${severity}`, `${code}.${column}`]) this.counts.set(sort, this.of(sort) + 1)
    }
  }

  of(sort: string): number {
    return this.counts.get(sort) ?? 0
  }
}

const isAlarm = ({ severity }: Finding): boolean => severity !== 'info'

/** The finding, without its change if the change does more harm than good. */
function proven(before: Tally, finding: Finding, after: After | undefined): Finding {
  const { change: _, ...told } = finding
  if (after === undefined) return told
  const same = `${finding.code}.${finding.column ?? ''}`
  if (after.tally.of(same) > 0 && after.tally.of(same) >= before.of(same)) return told
  // Nothing worse may come, and of what is as bad not more than before.
  const hasMore = after.tally.alarms > before.alarms || rank[finding.severity] > 1
  const worse = [
    ...after.ofNew,
    ...after.alarms.filter(
      ({ code, severity }) => (severity === 'error' || hasMore) && after.tally.of(code) > before.of(`${code} ${severity}`),
    ),
  ]
  if (worse.length === 0) return finding
  const codes = [...new Set(worse.map(({ code }) => code))].join(', ')
  return { ...told, fix: `${told.fix ?? ''} That alone would bring ${codes}, so decide which of them matters more.`.trim() }
}
