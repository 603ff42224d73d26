// Tested by packages/rowkey/test/mapper/index-expiry.test.ts.
import type { Row, Value } from '#codec'
import type { TableIndex, TableSchema } from '#model'
import { computedColumns } from '#model/internal'

const day = 86_400_000 // milliseconds

/** The day of rows that never expire. No instant is that late. */
const never = 0x7fff_ffff

/**
 * The day at whose end the entry of a row expires. It is in the key of the entry, so that no write can shorten the life of an entry that another write
 * needs: an insert that is refused, or one that comes first although it was called later.
 */
const lastDay = (expiry: Value | undefined): number =>
  expiry === null || expiry === undefined ? never : Math.ceil((expiry as number) / day)

/** The key of the entry of a row; it has a null if the row has none. */
export function entryKeyOf({ schema, sources, absent, dayAt }: TableIndex, row: Row): Row {
  const key: Value[] = []
  for (let at = 0; at < schema.keyLength; at++) {
    const value = row[sources[at] as number] ?? absent[at] ?? null
    key.push(at === dayAt ? lastDay(value) : value)
  }
  return key
}

/** The entry of a row, without its version; undefined if the row has none, because a column of the index is null. */
export function entryOf(index: TableIndex, row: Row): Row | undefined {
  const { schema, sources, dayAt } = index
  const entry = entryKeyOf(index, row) as Value[]
  if (entry.includes(null)) return undefined
  if (dayAt >= 0) {
    const last = entry[dayAt] as number
    entry.push(last === never ? null : last * day)
  } else {
    for (let at = schema.keyLength; at < sources.length; at++) entry.push(row[sources[at] as number] ?? null)
  }
  return entry
}

/** The key of the row of an entry. */
export const rowKeyOf = (schema: TableSchema, index: TableIndex, entry: Row): Row => rowKeysOf(schema, index)(entry)

/** The same for many entries. */
export function rowKeysOf(schema: TableSchema, { keySources }: TableIndex): (entry: Row) => Row {
  const computed = computedColumns(schema).filter(({ position }) => keySources[position] === -1)
  return (entry) => {
    const key: Value[] = []
    for (const at of keySources) key.push(at < 0 ? null : (entry[at] as Value))
    for (const { position, source, from } of computed) key[position] = from(key[source] as Value)
    return key
  }
}

/** What entries have of their rows; null for the other columns. */
export function rowsInEntries(schema: TableSchema, { keySources, sources }: TableIndex): (entry: Row) => Row {
  const places = schema.columns.map((_, at) => (at < schema.keyLength ? (keySources[at] as number) : sources.indexOf(at)))
  const computed = computedColumns(schema).filter(({ position }) => places[position] === -1)
  return (entry) => {
    const row: Value[] = []
    for (const place of places) row.push(place < 0 ? null : (entry[place] ?? null))
    for (const { position, source, from } of computed) row[position] = from(row[source] as Value)
    return row
  }
}

/** Whether an entry is that of a row as it is now. */
export function isEntryOf(index: TableIndex, entry: Row, row: Row): boolean {
  const { schema, sources, absent, dayAt } = index
  let isSame = true
  for (let at = 0; at < schema.keyLength; at++) {
    if (at === dayAt) continue
    const value = row[sources[at] as number] ?? absent[at] ?? null
    if (value === null) return false
    isSame &&= value === entry[at]
  }
  if (isSame && dayAt < 0) return true
  // Values that are no primitives, and NaN, can be the same in a key.
  return schema.layout.compareRows(entryKeyOf(index, row), entry) === 0
}
