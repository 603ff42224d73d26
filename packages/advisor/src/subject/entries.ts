// Tested by indexes.test.ts.
import type { TableIndex } from 'rowkey/internal'
import type { AskedQuery } from './queries.js'
import type { Subject, WriteLoad } from './subject.js'

/** The entries of a table's indexes as subjects: they have the writes of its rows, and the queries by each index. */
export const entriesOf = (subject: Subject): readonly Subject[] =>
  subject.schema.indexes.map((index): Subject => ({
    ...subject,
    schema: index.schema,
    queries: subject.byIndex.filter((query) => query.index === index.name).map((query) => onEntries(query, index)),
    byIndex: [],
    rows: { schema: subject.schema, index },
    writes: entryWrites(subject, index),
    stats: undefined,
    existing: undefined,
  }))

/** The part of a query that entries decide; what explain() says of it is about them already. */
function onEntries(query: AskedQuery, { schema }: TableIndex): AskedQuery {
  const { index: _, ...shape } = query.shape
  const known = new Set(schema.columns.slice(0, schema.keyLength).map(({ name }) => name))
  const where = Object.fromEntries(Object.entries(shape.where).filter(([name]) => known.has(name)))
  return { ...query, shape: { ...shape, table: schema.name, where }, onRows: shape.where }
}

/** New entries a second of each index. */
export const entryInserts = ({ inserts, updates }: NonNullable<WriteLoad['perSecond']>): number | undefined =>
  inserts === undefined && updates === undefined ? undefined : (inserts ?? 0) + (updates ?? 0)

/**
 * Each row that is inserted or changed writes an entry. Old ones stay until a repair, which is in the background; only entries that are written with
 * their rows go with them.
 */
function entryWrites({ schema, writes }: Subject, index: TableIndex): WriteLoad | undefined {
  if (writes === undefined) return undefined
  const { perSecond, skew, distinct } = writes
  const own = new Set(index.schema.columns.map(({ name }) => name))
  const inserts = entryInserts(perSecond ?? {})
  const { deletes } = perSecond ?? {}
  const isExact = schema.indexes.some(({ unique, definition }) => unique || definition.include !== undefined)
  return {
    table: index.schema.name,
    ...(perSecond === undefined
      ? {}
      : {
          perSecond: {
            ...(inserts === undefined ? {} : { inserts }),
            ...(deletes === undefined || !isExact ? {} : { deletes }),
          },
        }),
    ...(skew === undefined ? {} : { skew }),
    ...(distinct === undefined ? {} : { distinct: Object.fromEntries(Object.entries(distinct).filter(([name]) => own.has(name))) }),
  }
}
