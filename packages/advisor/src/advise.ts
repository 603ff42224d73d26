import { show, showName } from '@rowkey/codec/internal'
import { RowkeyError } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { TableStats } from './data/table-stats.js'
import type { Advice } from './finding.js'
import { ignoredIn, type Ignore } from './ignore.js'
import { judged, rank } from './judged.js'
import { askedQuery, type QueryShape } from './subject/queries.js'
import type { StoreProfile } from './subject/store-profile.js'
import type { Subject, WriteLoad } from './subject/subject.js'

/** What is known of tables besides their schemas. Each part makes more rules speak. */
export interface AdviceOptions {
  readonly queries?: readonly QueryShape[]
  readonly writes?: readonly WriteLoad[]
  /** Of samples of rows, by {@link sampleStats}. */
  readonly stats?: readonly TableStats[]
  /** The store that the tables will be in. Without one, it is judged as a store that keeps rows in the order of their keys on many servers. */
  readonly store?: StoreProfile
  /** The schemas that existing tables have. */
  readonly before?: readonly TableSchema[]
  /** Findings that are meant, with a reason; a model can contain its own, see {@link Ignore}. */
  readonly ignore?: readonly Ignore[]
}

/**
 * Judges tables before they exist. Pure: it reads nothing and changes nothing. Linear in the schemas and queries.
 *
 * @throws RowkeyError `INVALID_OPTION` if a query, writes, statistics or something to ignore name a table or a code that does not exist
 * @example
 * ```ts
 * const { findings } = advise([Events], { queries: [{ table: 'events', where: { at: 'range' }, perSecond: 20 }] })
 * findings.map(({ code, evidence }) => `${code}: ${evidence}`) //=> [ 'monotonic-first: a time in ms; all writes go to 1 place' ]
 * ```
 */
export function advise(schemas: readonly TableSchema[], options: AdviceOptions = {}): Advice {
  checkNames(schemas, options)
  const all = schemas.flatMap((schema) => judged(subjectOf(schema, options))).toSorted((a, b) => rank[a.severity] - rank[b.severity])
  return ignoredIn(all, schemas, options.ignore ?? [])
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

function checkNames(schemas: readonly TableSchema[], { queries = [], writes = [], stats = [] }: AdviceOptions): void {
  const names = new Set(schemas.map(({ name }) => name))
  for (const [option, list] of Object.entries({ queries, writes, stats })) {
    const unknown = list.find(({ table }) => !names.has(table))
    if (unknown === undefined) continue
    const known = [...names].slice(0, 5).map(showName).join(', ')
    const message = `${option} name the table ${show(unknown.table)}, which is not among the schemas. Give one of: ${known}.`
    throw new RowkeyError('INVALID_OPTION', message, { option, value: show(unknown.table) })
  }
}
