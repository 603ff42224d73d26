// Tested by packages/rowkey/test/mapper/scan.test.ts.
import type { TableSchema } from '#model'
import { computedColumns } from '#model/internal'
import type { Predicate } from '../predicate/column-set.js'
import { show, showName, showNames } from '#codec/internal'
import { storeError } from '../errors.js'

/** A requested order: the reverse of the key's, or column by column. */
export type Order = 'reverse' | Readonly<Record<string, 'asc' | 'desc' | undefined>>

/** The order in which a scan returns rows. */
export interface ScanOrder {
  /** Against the order of the key. */
  readonly reverse: boolean
  /**
   * How many leading key columns order the rows last, after all others: the query names their values, and the ranges of these values are
   * merged by the columns after them. 0 = the order of the key.
   */
  readonly merged: number
}

/** The key columns in the order in which they order the rows. */
export function orderedColumns(keyLength: number, merged: number): readonly number[] {
  return Array.from({ length: keyLength }, (_, place) => (place + merged) % keyLength)
}

/** What belongs to the columns of a whole key, in that order. */
export function inOrder<T>(key: readonly T[], merged: number): readonly T[] {
  return merged === 0 ? key : [...key.slice(merged), ...key.slice(0, merged)]
}

/**
 * The order that a scan has to use to return the requested one. Columns bound to one value have no order, so they may be left out or named
 * in either direction; those with a list have one, however long the list is. The rest must be the next key columns, all in the order of the key or all in its reverse. If the query names the
 * values of the columns before them by `=` or `in`, the ranges of these values are merged.
 *
 * @throws RowkeyError `ORDER_UNAVAILABLE`
 */
export function scanOrder(schema: TableSchema, predicate: Predicate, order: Order): ScanOrder {
  if (order === 'reverse') return { reverse: true, merged: 0 }
  const { columns, keyLength, name: table } = schema
  const asked = Object.entries(order)
  const fail = (why: string): never => {
    const layout = showNames(columns.slice(0, keyLength).map(({ name, type }) => `${name} ${type.desc ? 'desc' : 'asc'}`))
    // No key has the order of a column whose bytes do not.
    const canBeKey = asked.every(([name]) => columns.find((column) => column.name === name)?.type.ordered === true)
    // An order that names more columns than the table has is refused for one of the first.
    const order = asked
      .slice(0, columns.length + 1)
      .map(([name, direction]) => `${showName(name)} ${typeof direction === 'string' ? showName(direction) : show(direction)}`)
    throw storeError(
      'ORDER_UNAVAILABLE',
      `'${table}' cannot return rows in the order (${showNames(order)}): ${why}. ` +
        `Its key has the order (${layout}), so a scan returns that order or exactly its reverse. For another order, ${canBeKey ? 'add a table with that key, or ' : ''}sort in code.`,
      { table, order },
    )
  }
  let backwards: boolean | undefined
  let places: readonly number[] | undefined
  let place = 0
  for (const [name, direction] of asked) {
    if (direction !== 'asc' && direction !== 'desc')
      fail(`the direction of '${showName(name)}' cannot be ${show(direction)}, give 'asc' or 'desc'`)
    const at = columns.findIndex((column) => column.name === name)
    if (at < 0 || at >= keyLength) fail(`'${showName(name)}' is not a key column`)
    if (namedAs(predicate, at) === 'value') continue
    places ??= orderedColumns(keyLength, schema.layout.splitColumn === undefined ? mergedBefore(schema, predicate, at) : 0)
    while (places[place] !== at && isPassed(schema, predicate, places[place] ?? keyLength, at)) place++
    if (places[place] === at) place++
    else if (!isPinned(predicate, at)) {
      const first = places.slice(place).find((column) => predicate.named.get(column) === undefined && !isPinned(predicate, column))
      fail(
        `'${columns[first ?? places[place] ?? 0]?.name ?? ''}' comes before '${showName(name)}' in the key, and the query does not name its values by = or in`,
      )
    }
    if (isPinned(predicate, at) && namedAs(predicate, at) !== 'list') continue
    const type = columns[at]?.type
    if (type?.ordered !== true) fail(`'${showName(name)}' is not stored in the order of its values`)
    const against = (type?.desc === true) !== (direction === 'desc')
    if (backwards !== undefined && backwards !== against) fail(`'${showName(name)}' has the other direction`)
    backwards = against
  }
  return { reverse: backwards === true, merged: places?.[0] ?? 0 }
}

/**
 * How many columns have to be merged so that rows come in the order of `column`: all before it, if their values are named and one of them
 * has a list, however long it is. So the same query has the same order with one value in its list as with many.
 */
function mergedBefore(schema: TableSchema, predicate: Predicate, column: number): number {
  const { named } = predicate
  // Periods are in the order of their source, so they are not merged.
  const period = computedColumns(schema).find(({ position }) => position < column && isOrderedBy(schema, predicate, position, column))
  const before = Array.from({ length: period?.position ?? column }, (_, at) => named.get(at))
  return before.includes('list') && !before.includes(undefined) ? before.length : 0
}

/** Whether a column before `wanted` does not change the order of its rows. */
const isPassed = (schema: TableSchema, predicate: Predicate, column: number, wanted: number): boolean =>
  isPinned(predicate, column) || isOrderedBy(schema, predicate, column, wanted)

/** Whether a column is the period of `source`, with nothing between them that has several values: then rows are in the order of the source. */
function isOrderedBy(schema: TableSchema, predicate: Predicate, column: number, source: number): boolean {
  if (!computedColumns(schema).some((each) => each.position === column && each.source === source)) return false
  for (let at = column + 1; at < source; at++) if (!isPinned(predicate, at)) return false
  return true
}

/** How a query names the values of a column. A period that follows from a range has many, whether or not the range lies in one of them. */
function namedAs({ named, followed }: Predicate, position: number): 'value' | 'list' | undefined {
  const source = followed.find((column) => column.position === position)?.source
  return named.get(position) ?? (source === undefined ? undefined : named.get(source) === 'value' ? 'value' : 'list')
}

function isPinned(predicate: Predicate, position: number): boolean {
  if (!predicate.named.has(position) && namedAs(predicate, position) === 'list') return false
  const set = predicate.sets.get(position)
  return set?.kind === 'none' || (set?.kind === 'points' && set.values.length === 1)
}
