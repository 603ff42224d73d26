// Tested by indexes.test.ts.
import { showName, typeFacts, type IndexJSON, type SchemaColumn } from 'rowkey/internal'
import { changedSchema } from '../apply-fix.js'
import type { SchemaChange } from '../finding.js'
import { indexCode, plain } from '../index-code.js'
import { countsUp, fewValues, keyColumns } from './columns.js'
import { entryInserts } from './entries.js'
import { isKudu } from './kudu.js'
import { isPeriod } from './period-columns.js'
import { isNamed, orderOf, ranges, type AskedQuery } from './queries.js'
import { isSlow, splitsFor } from './spread.js'
import { placementOf } from './store-profile.js'
import { ratesOf, type Subject } from './subject.js'
import { weightOn } from './weight.js'

/** Buckets of an index that would be hot without. */
const count = 16

/** An index as a change of the schema, and as a fix in words. */
export interface NewIndex {
  readonly change: SchemaChange
  readonly fix: string
}

/**
 * The index that answers a query: its partition is what the query gives values for, then come the order that it wants and its ranges. undefined if the
 * query has neither, if rows with a null would be missing from what it returns, or if the table or its store cannot have an index.
 */
export function indexForQuery(subject: Subject, query: AskedQuery): NewIndex | undefined {
  const { schema, rows } = subject
  if (rows !== undefined || query.shape.index !== undefined || !canHaveIndexes(subject)) return undefined
  const named = namesOf(query.shape.where)
    .concat(namesOf(orderOf(query)))
    .map((name) => schema.columns.find((column) => column.name === name))
  const columns = [...new Set(named)].filter((column) => column !== undefined)
  const partition = columns.filter(({ name }) => isNamed(query, name))
  const sorted = columns.filter(({ name }) => orderOf(query)[name] !== undefined && !isNamed(query, name))
  const ranged = columns.filter((column) => ranges(query, column.name) && !partition.includes(column) && !sorted.includes(column))
  const all = [...partition, ...sorted, ...ranged]
  // What is sorted by a column that may be null has rows that the index does not find.
  const losesRows = sorted.some(({ name, type }) => type.nullable && query.shape.where[name] === undefined)
  if (all.length === 0 || losesRows || all.some((column) => isPeriod(column))) return undefined
  const index: IndexJSON = {
    name: freeName(subject, all),
    partition: partition.map(({ name }) => name),
    key: [...sorted, ...ranged].map(({ name }) => name),
    ...saltFor(subject, partition, all),
  }
  const change: SchemaChange = { indexes: [index] }
  const declared = changedSchema(schema, change)?.indexes.at(-1)
  if (declared === undefined) return undefined
  const { name } = index
  return {
    change,
    fix: `Declare an index for it, indexes: { ${plain(name)}: ${indexCode(declared.definition)} }, and scan with { index: '${showName(name)}' }.`,
  }
}

const namesOf = (of: object): readonly string[] => Object.keys(of)

/** Whether the store writes what the entries of this table need: on conditions, unless its writes are plain. */
function canHaveIndexes(subject: Subject): boolean {
  const { schema, store } = subject
  if (schema.writes === 'plain') return true
  const conditions = store?.description?.capabilities.conditions
  return conditions === undefined ? !isKudu(subject) : conditions === 'version' || conditions === 'columns'
}

/** A name that says what the index is by, and which none has yet. */
function freeName({ schema }: Subject, columns: readonly SchemaColumn[]): string {
  const words = columns.flatMap(({ name }) => name.split(/[^A-Za-z0-9]+/)).filter((word) => word !== '')
  const name = `by${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}`
  const taken = new Set(schema.indexes.map((index) => index.name))
  let free = name
  for (let other = 2; taken.has(free); other++) free = `${name}${other}`
  return free
}

/** A salt of the rows' own key, if new entries would go to one place, or to few. */
function saltFor(subject: Subject, partition: readonly SchemaColumn[], all: readonly SchemaColumn[]): Pick<IndexJSON, 'salt' | 'stores'> {
  const place = placementOf(subject.store)
  const own = keyColumns(subject).filter((column) => !isPeriod(column) && !all.includes(column))
  const of = own.find((column) => !isSlow(subject, column) && !typeFacts(column.type).countsUp) ?? own[0]
  const isNear = place === 'one place' && subject.store !== undefined
  if (of === undefined || isNear || isLight(subject) || !isHot(subject, partition, [...all, ...own])) return { salt: [] }
  const { stores } = splitsFor({ ...subject, schema: { ...subject.schema, stores: {} } }, count)
  return {
    salt: [{ kind: isKudu(subject) ? 'hashPartition' : 'hash', of: [of.name], count, seed: 0 }],
    ...(stores === undefined ? {} : { stores }),
  }
}

/** Whether one place takes all entries of a moment easily. */
function isLight(subject: Subject): boolean {
  const inserts = entryInserts(ratesOf(subject))
  return inserts !== undefined && weightOn({ ...subject, writes: { table: subject.schema.name, perSecond: { inserts } } }, 1) === 'light'
}

/** Where partitions are hashed, those decide; otherwise the first column, and the one after columns with few values. */
function isHot(subject: Subject, partition: readonly SchemaColumn[], key: readonly SchemaColumn[]): boolean {
  if (placementOf(subject.store) === 'hash')
    return partition.every((column) => fewValues(subject, column) !== undefined || countsUp(subject, column) !== undefined)
  const first = key.find((column) => fewValues(subject, column) === undefined)
  return first === undefined || countsUp(subject, first) !== undefined
}
