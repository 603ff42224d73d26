import type { TableSchema } from '@rowkey/model'
import { checkAdviceOptions, type AdviceOptions } from './advice-options.js'
import type { Advice } from './finding.js'
import { ignoredIn } from './ignore.js'
import { judged, rank } from './judged.js'
import { rules } from './rules.js'
import { askedQuery } from './subject/queries.js'
import type { Subject } from './subject/subject.js'

/**
 * Judges tables before they exist. Pure: it reads nothing and changes nothing. Linear in the schemas and queries.
 *
 * @throws RowkeyError `INVALID_OPTION` for what is of no table, there twice, no number, or ignored without a reason
 * @example
 * ```ts
 * const { findings } = advise([Events], { queries: [{ table: 'events', where: { at: 'range' }, perSecond: 20 }] })
 * findings.map(({ code, evidence }) => `${code}: ${evidence}`) //=> [ 'monotonic-first: a time in ms; all new rows go to 1 place' ]
 * ```
 */
export function advise(schemas: readonly TableSchema[], options: AdviceOptions = {}): Advice {
  checkAdviceOptions(schemas, options)
  const all = schemas.flatMap((schema) => judged(subjectOf(schema, options))).toSorted((a, b) => rank[a.severity] - rank[b.severity])
  return ignoredIn(all, schemas, options.ignore ?? [], ({ code }) => isJudged(code, options))
}

/** Whether the rules of a code had what they look at. */
function isJudged(code: string, { queries, stats, store, before }: AdviceOptions): boolean {
  const given = {
    model: true,
    queries: queries !== undefined,
    data: stats !== undefined,
    store: store !== undefined,
    before: before !== undefined,
  }
  const rule = rules.find((each) => each.code === code)
  // The store has codes that are not in the list.
  return given[rule?.stage ?? 'store'] || (rule === undefined && !code.includes('-'))
}

function subjectOf(schema: TableSchema, { queries = [], writes = [], stats = [], store, before = [] }: AdviceOptions): Subject {
  const ofTable = <T extends { readonly table: string }>(all: readonly T[]): readonly T[] =>
    all.filter(({ table }) => table === schema.name)
  return {
    schema,
    queries: ofTable(queries).map((shape) => askedQuery(schema, shape)),
    writes: ofTable(writes)[0],
    stats: ofTable(stats)[0],
    store,
    before: before.find(({ name }) => name === schema.name),
  }
}
