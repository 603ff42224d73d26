// Tested by packages/rowkey/test/mapper/index-scan.test.ts.
import type { TableIndex, TableSchema } from '#model'
import type { Conditions } from '../contract/reading.js'
import { storeError } from '../errors.js'
import { isRowkeyError } from '#codec'
import { reworded, showName, showNames } from '#codec/internal'
import { testOf, type Predicate } from '../predicate/column-set.js'
import { parsePredicate } from '../predicate/parse.js'
import { predicateFingerprint } from './fingerprint.js'
import { compileQuery, type Query, type QueryOptions } from './query.js'

/** A query of the entries of an index, and what their rows have to meet. */
export interface IndexQuery {
  readonly index: TableIndex
  /** Of the entries. Its cursors belong to the conditions on the rows too. */
  readonly query: Query
  /** On columns of the rows that are not in the index. */
  readonly residual: Conditions
  /** On value columns of the rows, those in the index included. */
  readonly conditions: Conditions
  /** All conditions, on the table. */
  readonly predicate: Predicate
}

/** The index of a table that has this name. @throws RowkeyError `INVALID_OPTION` if there is none */
export function indexNamed({ name: table, indexes }: TableSchema, name: string): TableIndex {
  const index = indexes.find((each) => each.name === name)
  if (index !== undefined) return index
  const known = indexes.length === 0 ? 'It has none' : `It has ${showNames(indexes.map((each) => each.name))}`
  throw storeError('INVALID_OPTION', `'${table}' has no index '${showName(name)}'. ${known}. Declare it in the model, with indexes or @Index.`, {
    option: 'index',
    value: name,
  }) // prettier-ignore
}

/**
 * Checks a predicate on the columns of a table, and plans those parts that the entries of an index decide.
 *
 * @throws RowkeyError as {@link compileQuery}
 */
export function compileIndexQuery(
  schema: TableSchema,
  index: TableIndex,
  where: Readonly<Record<string, unknown>>,
  options: QueryOptions,
): IndexQuery {
  const predicate = parsePredicate(schema, where)
  refuseNulls(schema, index, predicate)
  const ofEntries = new Set(index.schema.columns.slice(0, index.schema.keyLength).map(({ name }) => name))
  const isNeverNull = (name: string): boolean => predicate.given.get(placeOf(schema, name))?.kind === 'range' && isBare(where[name])
  const entries = Object.fromEntries(Object.entries(where).filter(([name]) => ofEntries.has(name) && !isNeverNull(name)))
  const planned = compileQuery(index.schema, entries, options)
  if (planned.merged > 0 && index.dayAt >= 0) throw unmerged(schema, index, options)
  const isEmpty = [...predicate.sets.values()].some(({ kind }) => kind === 'none')
  const query: Query = isEmpty ? { ...facts(planned), plan: { kind: 'empty' }, partitions: 0 } : planned
  const conditions = [...predicate.given].flatMap(([column, set]) => (set.kind === 'none' ? [] : [testOf(column, set)]))
  const residual = conditions.filter(({ column }) => !ofEntries.has(schema.columns[column]?.name ?? ''))
  const rest = new Map([...predicate.given].filter(([column]) => residual.some((each) => each.column === column)))
  return {
    index,
    query: rest.size === 0 ? query : withCursorsOf(query, predicateFingerprint(schema, { ...predicate, sets: rest, given: rest }, unbounded)),
    residual,
    conditions: conditions.filter(({ column }) => column >= schema.keyLength),
    predicate,
  } // prettier-ignore
}

/** Entries of one row have different days, so they would not come in the order of the columns that are merged. */
function unmerged({ name: table }: TableSchema, { name }: TableIndex, { order = {} }: QueryOptions): Error {
  const message =
    `index '${showName(name)}' of '${table}' cannot merge the rows of several values in one order, because its rows expire. ` +
    'Scan for one value after the other, or leave the order out and sort in code.'
  const asked = Object.entries(order).map(([column, direction]) => `${showName(column)} ${String(direction)}`)
  return storeError('ORDER_UNAVAILABLE', message, { table, order: asked })
}

/** What would not be refused, or not be read in another order, by an index. */
const answeredByIndex: ReadonlySet<string> = new Set(['PARTITION_REQUIRED', 'FULL_SCAN_REFUSED', 'ORDER_UNAVAILABLE', 'FAN_OUT_EXCEEDED'])

/** The query by the first index of a table that answers what the table refuses; undefined if none does. */
export function answerByIndex(
  schema: TableSchema,
  where: Readonly<Record<string, unknown>>,
  options: QueryOptions,
  refusal: unknown,
): IndexQuery | undefined {
  if (!isRowkeyError(refusal) || !answeredByIndex.has(refusal.code)) return undefined
  for (const index of schema.indexes) {
    try {
      const found = compileIndexQuery(schema, index, where, options)
      if (found.query.plan.kind !== 'empty') return found
    } catch (error) {
      if (!isRowkeyError(error)) throw error
    }
  }
  return undefined
}

/** The refusal of a query of a table, with the name of an index that would answer it. */
export function withIndexHint(
  schema: TableSchema,
  where: Readonly<Record<string, unknown>>,
  options: QueryOptions,
  refusal: unknown,
): unknown {
  const name = answerByIndex(schema, where, options, refusal)?.index.name
  return name === undefined || !isRowkeyError(refusal)
    ? refusal
    : reworded(refusal, { after: ` Index '${name}' answers it: give { index: '${name}' }.` })
}

/** What has a null there has no entry. @throws RowkeyError `INVALID_PREDICATE` */
function refuseNulls(schema: TableSchema, { name, schema: entries }: TableIndex, { given }: Predicate): void {
  for (const column of entries.columns.slice(0, entries.keyLength)) {
    const set = given.get(placeOf(schema, column.name))
    if (set?.kind !== 'points' || set.values[0] !== null) continue
    const message = `in the predicate on '${schema.name}': index '${showName(name)}' has no entries of rows whose '${showName(column.name)}' is null. Scan the table, or another index.`
    throw storeError('INVALID_PREDICATE', message, { table: schema.name, column: column.name })
  }
}

const placeOf = ({ columns }: TableSchema, name: string): number => columns.findIndex((column) => column.name === name)

/** `{ isNull: false }` alone, which every entry meets. */
const isBare = (condition: unknown): boolean =>
  typeof condition === 'object' && condition !== null && Object.keys(condition).join() === 'isNull'

const unbounded = { merged: 0, bounds: [] }

/** The same query, whose cursors belong to other conditions too. */
const withCursorsOf = (query: Query, other: Uint8Array): Query => ({
  ...facts(query),
  get fingerprint() {
    return query.fingerprint.map((byte, at) => byte ^ (other[at] ?? 0))
  },
})

/** What a query says, as data. */
function facts(query: Query): Query {
  const { schema, predicate, plan, whole, bounds, partitions, reverse, merged } = query
  return {
    ...{ schema, predicate, plan, whole, bounds, partitions, reverse, merged },
    get fingerprint() {
      return query.fingerprint
    },
  }
}
