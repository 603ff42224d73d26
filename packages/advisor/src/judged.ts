import { changedEntries, changedSchema } from './apply-fix.js'
import { statsAfter } from './data/drawn-rows.js'
import type { Finding, SchemaChange } from './finding.js'
import { rules } from './rules.js'
import { loadsOf } from './subject/demand.js'
import { entriesOf } from './subject/entries.js'
import { askedQuery, type AskedQuery, type QueryShape } from './subject/queries.js'
import type { Subject } from './subject/subject.js'
import type { TableSchema } from 'rowkey'

/** Errors first. */
export const rank: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 1, info: 2 }

/**
 * What all rules say of a table. A change is only given if the changed table has been judged too, with the same rows: it is a valid schema, its finding
 * is gone or less severe, and no more or worse ones came.
 */
export function judged(subject: Subject): readonly Finding[] {
  const all = findingsOn(subject)
  if (all.every(({ change }) => change === undefined)) return all
  const before = new Map<boolean, Tally>()
  const tallyOf = (hasSample: boolean): Tally => {
    const known = before.get(hasSample) ?? new Tally(comparable(subject, all, hasSample))
    before.set(hasSample, known)
    return known
  }
  const known = new Map<string, After | undefined>()
  const afterChange = (change: SchemaChange): After | undefined => {
    const text = JSON.stringify(change)
    if (!known.has(text)) known.set(text, findingsAfter(subject, change))
    return known.get(text)
  }
  return all.map((finding) => {
    if (finding.change === undefined) return finding
    const after = afterChange(finding.change)
    return proven(tallyOf(after?.hasSample ?? false), finding, after)
  })
}

/** What is said of a table as it is by the rows that a changed one is judged with. */
function comparable(subject: Subject, all: readonly Finding[], hasSample: boolean): readonly Finding[] {
  const { stats, schema } = subject
  const drawn = stats === undefined || !hasSample ? undefined : statsAfter(stats, schema, schema)
  const isSame = drawn?.rows === stats?.rows
  return [...(isSame ? all : findingsOn({ ...subject, stats: drawn })), ...findingsOnEntries(subject)]
}

/** What is said of a changed table: one of each sort of its warnings and errors, and how many there are. */
interface After {
  /** Whether the rows of the sample could be judged too. */
  readonly hasSample: boolean
  readonly tally: Tally
  readonly all: readonly Finding[]
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
  const stats = subject.stats === undefined ? undefined : statsAfter(subject.stats, subject.schema, schema)
  const alone: Subject = {
    ...subject,
    schema,
    queries: queries.filter(({ index }) => index === undefined),
    byIndex: queries.filter(({ index }) => index !== undefined),
    stats,
  }
  const subjects = [alone, ...entriesOf(alone)]
  const own = new Set(
    [subject.schema, ...subject.schema.indexes.map((index) => index.schema), ...subjects.map((each) => each.schema)].map(
      ({ name }) => name,
    ),
  )
  const loads = loadsOf(subjects, subject.loads.tables.filter(({ table }) => !own.has(table))) // prettier-ignore
  const all = subjects.flatMap((each, at) => findingsOn({ ...each, loads: { ...(loads[at] ?? each.loads), before: subject.loads.all } }))
  const sorts = new Map(all.filter(isAlarm).map((finding) => [`${finding.code} ${finding.severity}`, finding]))
  const added = (change.indexes ?? []).map(({ name }) => schema.indexes.find((index) => index.name === name)?.schema.name)
  return {
    hasSample: stats !== undefined,
    all,
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
      for (const sort of [code, `${code} ${severity}`, `${code}.${column} ${severity}`]) this.counts.set(sort, this.of(sort) + 1)
    }
  }

  of(sort: string): number {
    return this.counts.get(sort) ?? 0
  }

  /** Findings like this one that are as severe, or more. */
  like({ code, column = '', severity }: Finding): number {
    return severities.slice(0, rank[severity] + 1).reduce((sum, each) => sum + this.of(`${code}.${column} ${each}`), 0)
  }
}

const severities: readonly Finding['severity'][] = ['error', 'warning', 'info']

const isAlarm = ({ severity }: Finding): boolean => severity !== 'info'

/** The finding, without its change if that does more harm than good, and with what it costs elsewhere. */
function proven(before: Tally, finding: Finding, after: After | undefined): Finding {
  const { change: _, ...told } = finding
  if (after === undefined) return told
  if (after.tally.like(finding) > 0 && after.tally.like(finding) >= before.like(finding)) return told
  // Nothing worse may come, and of what is as bad not more than before: what only rows show is not exchanged for what is certain.
  const exchanged = finding.stage === 'data' && isAlarm(finding) ? 1 : 0
  const hasMore = after.tally.alarms > before.alarms - exchanged || !isAlarm(finding)
  const worse = [
    ...after.ofNew,
    ...after.alarms.filter(
      ({ code, severity }) => (severity === 'error' || hasMore) && after.tally.of(code) > before.of(`${code} ${severity}`),
    ),
  ]
  if (worse.length === 0) return { ...finding, ...costOf(before, finding, after) }
  const codes = [...new Set(worse.map(({ code }) => code))].join(', ')
  return { ...told, fix: `${told.fix ?? ''} That alone would bring ${codes}, so decide which of them matters more.`.trim() }
}

const isCost = (finding: Finding): boolean => finding.stage === 'queries' || isAlarm(finding)

/** What a change brings that is no reason against it. That a query which was refused reads backwards now is none of it. */
function costOf(before: Tally, { code, fix = '', stage, severity }: Finding, { all, tally }: After): Pick<Finding, 'fix'> {
  const brought = all.filter(
    (each, at) =>
      each.code !== code &&
      (each.code === 'fan-out' || isAlarm(each) || stage !== 'queries' || severity !== 'error') &&
      isCost(each) &&
      tally.of(each.code) > before.of(each.code) &&
      all.findIndex((other) => other.code === each.code) === at,
  )
  if (brought.length === 0) return { fix }
  return { fix: `${fix} It costs ${brought.map((each) => `${each.code} (${each.evidence})`).join(', and ')}.` }
}
