import type { TableSchema } from 'rowkey'
import { checkAdviceOptions, type AdviceOptions } from './advice-options.js'
import type { Advice, Stage } from './finding.js'
import { ignoredIn } from './ignore.js'
import { judged, rank } from './judged.js'
import { rules } from './rules.js'
import { storeCodes } from './rules/store-says.js'
import { askedQuery, type QueryShape } from './subject/queries.js'
import { byLoad, commandsPerSecond } from './subject/demand.js'
import type { Subject } from './subject/subject.js'

/**
 * Judges tables before they exist. Pure: it reads nothing and changes nothing. Linear in the schemas and queries.
 *
 * @throws RowkeyError `INVALID_OPTION` for what is of no table, there twice, missing, of another form, a field that does not exist, or ignored without a reason
 * @example
 * ```ts
 * const { findings } = advise([Events], { queries: [{ table: 'events', where: { at: 'range' }, perSecond: 20 }] })
 * findings.map(({ code, evidence }) => `${code}: ${evidence}`) //=> [ 'monotonic-first: a time in ms; all new rows go to 1 place' ]
 * ```
 */
export function advise(schemas: readonly TableSchema[], options: AdviceOptions = {}): Advice {
  checkAdviceOptions(schemas, options)
  const all = withLoads(schemas.map(subjects(options)))
    .flatMap(judged)
    .toSorted((a, b) => rank[a.severity] - rank[b.severity])
  return ignoredIn(all, schemas, options.ignore ?? [], ({ code }) => isJudged(code, options))
}

/** Whether the rules of a code had what they look at. Nobody has a code that is misspelt, so its absence says something too. */
function isJudged(code: string, { queries, stats, store, before }: AdviceOptions): boolean {
  const given: Readonly<Record<Stage, unknown>> = { model: true, queries, data: stats, store, before }
  const stage = storeCodes.includes(code) ? 'store' : (rules.find((each) => each.code === code)?.stage ?? 'model')
  return given[stage] !== undefined
}

/** Subjects that know of each other what is asked of them. */
function withLoads(alone: readonly Subject[]): readonly Subject[] {
  const loads = alone.map((subject) => ({ table: subject.schema.name, commands: commandsPerSecond(subject) }))
  const all = loads.reduce((sum, { commands }) => sum + commands, 0)
  const tables = loads.filter(({ commands }) => commands > 0).toSorted(byLoad)
  return alone.map((subject, at) => ({ ...subject, loads: { own: loads[at]?.commands ?? 0, all, tables } }))
}

/** What makes the subject of a table. Lists are looked through once, not for each table. */
function subjects({ queries = [], writes = [], stats = [], store, before = [] }: AdviceOptions): (schema: TableSchema) => Subject {
  const shapes = new Map<string, QueryShape[]>()
  for (const shape of queries) {
    const known = shapes.get(shape.table)
    if (known === undefined) shapes.set(shape.table, [shape])
    else known.push(shape)
  }
  const [load, sample] = [new Map(writes.map((each) => [each.table, each])), new Map(stats.map((each) => [each.table, each]))]
  const existing = new Map(before.map((each) => [each.name, each]))
  return (schema) => ({
    schema,
    queries: (shapes.get(schema.name) ?? []).map((shape) => askedQuery(schema, shape)),
    writes: load.get(schema.name),
    stats: sample.get(schema.name),
    store,
    before: existing.get(schema.name),
    loads: { own: 0, all: 0, tables: [] },
  })
}
