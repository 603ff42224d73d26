// Tested by rules.test.ts.
import { showName, showNames } from 'rowkey/internal'
import { changedSchema } from '../apply-fix.js'
import type { SchemaChange } from '../finding.js'
import { keyColumns } from './columns.js'
import { isPeriod } from './period-columns.js'
import { binds, ranges } from './queries.js'
import { boundByAll, spreadingSalt } from './spread.js'
import { placementOf } from './store-profile.js'
import type { Subject } from './subject.js'

/** Another key, as a change of the schema and as a fix in words. */
export interface KeyOrder {
  readonly change: SchemaChange
  readonly fix: string
}

/**
 * The key that fits the queries: first a column for which every query has a value and which spreads rows, then what the busiest query binds, limits
 * or sorts by (of equally busy ones always the same, in whatever order they are given), then the others as they are. Where partitions are hashed, the first column becomes the partition. undefined if there is no such
 * column, or if the key is that already.
 */
export function keyForQueries(subject: Subject): KeyOrder | undefined {
  const { schema, queries, store } = subject
  if (schema.partitionLength > 0) return undefined
  // Periods follow their sources, whatever the order of these is.
  const periods = keyColumns(subject).filter(isPeriod)
  const names = keyColumns(subject)
    .filter((column) => !isPeriod(column))
    .map(({ name }) => name)
  const [first] = boundByAll(subject, keyColumns(subject))
  const [busiest] = queries.toSorted((a, b) => b.perSecond - a.perSecond || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
  if (first === undefined || busiest === undefined) return undefined
  const bound = names.filter((name) => binds(busiest, name))
  const ranged = names.filter((name) => ranges(busiest, name))
  const ordered = [...new Set([first.name, ...bound, ...ranged, ...names])]
  const periodOf = (name: string): readonly string[] => periods.filter(({ type }) => type.of === name).map((each) => each.name)
  const key = ordered.flatMap((name) => [...periodOf(name), name])
  const isHashed = placementOf(store) === 'hash' && key.length > 1
  const cut = periods.some(({ name }) => name === key[1]) ? 2 : 1
  if (!isHashed && key.every((name, at) => name === subject.schema.columns[at]?.name)) return undefined
  const change: SchemaChange = isHashed ? { partition: key.slice(0, cut), key: key.slice(cut), salt: [] } : { key }
  if (changedSchema(schema, change) === undefined) return undefined
  const list = (of: readonly string[]): string => `[${showNames(of, "'")}]`
  const declared = isHashed
    ? `make it the partition: partition: ${list(key.slice(0, cut))}, key: ${list(key.slice(cut))}`
    : `put it first: key: ${list(key)}`
  return { change, fix: `Every query has a value for '${showName(first.name)}', so ${declared}.` }
}

/** What spreads new rows: the key that fits the queries, otherwise a salt. undefined if there is neither. */
export function spreadRows(subject: Subject): KeyOrder | undefined {
  const order = keyForQueries(subject)
  if (order !== undefined) return order
  const salting = spreadingSalt(subject)
  return salting === undefined ? undefined : { change: salting.change, fix: `Spread it with ${salting.text}.` }
}
