import type { Model, TableSchema } from 'rowkey'
import { checkedOptions, type AdviceOptions, type Judged } from './advice-options.js'
import type { Advice, Finding } from './finding.js'
import { ignoredIn } from './ignore.js'
import { judged, rank } from './judged.js'
import { rules } from './rules.js'
import { storeCodes } from './rules/store-says.js'
import { askedQuery, type AskedQuery, type QueryShape } from './subject/queries.js'
import { loadsOf } from './subject/demand.js'
import { entriesOf } from './subject/entries.js'
import { profileOf } from './subject/store-profile.js'
import type { Subject } from './subject/subject.js'

/**
 * Judges tables before they exist. Pure: it reads nothing and changes nothing. Linear in the models and queries.
 *
 * @param models one model or many: decorated classes, and what `defineTable()` returns
 * @throws RowkeyError `INVALID_OPTION` for what is of no table, there twice, missing, of another form, a field that does not exist, or ignored without a reason
 * @throws RowkeyError `NOT_A_TABLE`, `INVALID_SCHEMA` for a class that describes no table
 * @example
 * ```ts
 * const { findings } = advise(Events, { queries: [{ table: 'events', where: { at: ['gte', 'lt'] }, perSecond: 20 }] })
 * findings.map(({ code, evidence }) => `${code}: ${evidence}`) //=> [ 'monotonic-first: a time in ms; all new rows go to 1 place' ]
 * ```
 */
export function advise(models: Model | readonly Model[], options: AdviceOptions = {}): Advice {
  const judgedTables = checkedOptions(models, options)
  const tables = withLoads(judgedTables.schemas.flatMap(subjects(judgedTables, options)))
  const all = tables.flatMap(judged).toSorted((a, b) => rank[a.severity] - rank[b.severity])
  return ignoredIn(
    all,
    tables.map(({ schema }) => schema),
    options.ignore ?? [],
    ({ code }) => isJudged(code, options),
  )
}

/** Whether the rules of a code had what they look at. Nobody has a code that is misspelt, so its absence says something too. */
function isJudged(code: string, { queries, stats, store, existing }: AdviceOptions): boolean {
  const given: Readonly<Record<Finding['stage'], unknown>> = { model: true, queries, data: stats, store, existing }
  const stage = storeCodes.includes(code) ? 'store' : (rules.find((each) => each.code === code)?.stage ?? 'model')
  return given[stage] !== undefined
}

/** Subjects that know of each other what is asked of them. */
function withLoads(alone: readonly Subject[]): readonly Subject[] {
  const loads = loadsOf(alone)
  return alone.map((subject, at) => ({ ...subject, loads: loads[at] ?? subject.loads }))
}

/** What makes the subjects of a table: itself, and the entries of its indexes. Lists are looked through once, not for each table. */
function subjects({ existing }: Judged, options: AdviceOptions): (schema: TableSchema) => readonly Subject[] {
  const { queries = [], writes = [], stats = [] } = options
  const store = profileOf(options)
  const shapes = new Map<string, QueryShape[]>()
  for (const shape of queries) {
    const others = shapes.get(shape.table)
    if (others === undefined) shapes.set(shape.table, [shape])
    else others.push(shape)
  }
  const [load, sample] = [new Map(writes.map((each) => [each.table, each])), new Map(stats.map((each) => [each.table, each]))]
  const known = new Map(existing.map((each) => [each.name, each]))
  const asked = (schema: TableSchema): readonly AskedQuery[] => (shapes.get(schema.name) ?? []).map((shape) => askedQuery(schema, shape))
  // What is said of entries themselves is more exact than what follows from their rows.
  const withOwn = (entries: Subject): Subject => {
    const { schema, queries, writes } = entries
    return {
      ...entries,
      queries: [...queries, ...asked(schema)],
      writes: load.get(schema.name) ?? writes,
      stats: sample.get(schema.name),
      existing: known.get(schema.name),
    }
  }
  return (schema) => {
    const all = asked(schema)
    const rows: Subject = {
      schema,
      queries: all.filter(({ index }) => index === undefined),
      byIndex: all.filter(({ index }) => index !== undefined),
      writes: load.get(schema.name),
      stats: sample.get(schema.name),
      store,
      existing: known.get(schema.name),
      loads: { own: 0, all: 0, tables: [] },
    }
    return [rows, ...entriesOf(rows).map(withOwn)]
  }
}
