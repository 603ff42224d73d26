import { fromHex, isRowkeyError, toHex, type RowLayout, type Value } from 'rowkey/codec'
import { type SchemaColumn, values } from 'rowkey/internal'
import { schemaOf, type Model, type TableSchema } from 'rowkey'
import { sampleStats, type TableStats } from './table-stats.js'

// The keys of some rows stay in statistics, so that several columns can be counted together, and a changed table be judged with the same rows.

type Rows = readonly (readonly Value[])[]

const known = new WeakMap<TableStats, Rows>()

/** The keys that statistics contain, as canonical values; none if they are not of this schema. */
function drawnRows(stats: TableStats, { layout, keyLength, fingerprints }: TableSchema): Rows {
  if (stats.layout !== fingerprints.layout) return []
  const before = known.get(stats)
  if (before !== undefined) return before
  const rows = decoded((stats.drawn ?? '').split(' '), layout, keyLength)
  known.set(stats, rows)
  return rows
}

function decoded(keys: readonly string[], layout: RowLayout, keyLength: number): Rows {
  try {
    return keys
      .filter((hex) => hex !== '')
      .map((hex) => {
        const row: Value[] = []
        layout.decode(fromHex(hex), row)
        return row.slice(0, keyLength)
      })
  } catch (error) {
    if (isRowkeyError(error)) return []
    throw error
  }
}

/** Whether the rowkeys that statistics contain are those of a table. */
export const isOf = (stats: TableStats, schema: TableSchema): boolean =>
  (stats.drawn ?? '').trim() === '' || drawnRows(stats, schema).length > 0

/** How often the values of some columns come together. */
export interface Combinations {
  readonly rows: number
  readonly distinct: number
  /** Rows with the most frequent combination. */
  readonly top: number
}

/** Counts the combinations of some key columns; undefined if the statistics have no rows. */
export function combinations(stats: TableStats, schema: TableSchema, columns: readonly SchemaColumn[]): Combinations | undefined {
  const rows = drawnRows(stats, schema)
  if (rows.length === 0) return undefined
  const places = columns.map(({ name }) => schema.columns.findIndex((column) => column.name === name))
  const counts = new Map<string, number>()
  for (const row of rows) {
    const id = places.map((place) => idOf(row[place] as Value)).join()
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return { rows: rows.length, distinct: counts.size, top: Math.max(...counts.values()) }
}

const idOf = (value: Value): string => (value instanceof Uint8Array ? toHex(value) : JSON.stringify(String(value)))

/**
 * The statistics of the same rows for a changed model, such as that of {@link applyFix}, so that it can be judged with them. They are of the rows
 * that `stats` contains, at most 2,000.
 *
 * @param before the model that `stats` are of
 * @returns undefined if `stats` contains no rows, or the changed table cannot hold them
 * @throws RowkeyError `NOT_A_TABLE`, `INVALID_SCHEMA` for a class that describes no table
 * @example
 * ```ts
 * const Hashed = defineTable('readings', { columns: { id: uint32() }, key: ['id'], salt: bucket({ of: 'id', count: 16 }) })
 * const stats = sampleStats(Readings, rows, { order: 'written' }) // of ids 0, 8, 16, …
 * stats.buckets.used                                //=> 2
 * statsAfter(stats, Readings, Hashed)?.buckets.used //=> 16
 * ```
 */
export function statsAfter(stats: TableStats, before: Model, after: Model): TableStats | undefined {
  const [own, changed] = [schemaOf(before), schemaOf(after)]
  const { order, total, rowBytes, keyBytes } = stats
  const columns = own.columns.slice(0, own.keyLength).flatMap((column, at) => {
    const target = changed.columns.find(({ name }) => name === column.name)
    return target === undefined || target.type.of !== undefined ? [] : [{ at, name: column.name, read: reader(column, target) }]
  })
  try {
    const drawn = drawnRows(stats, own)
    if (drawn.length === 0) return undefined
    const rows = drawn.map((row) => Object.fromEntries(columns.map(({ at, name, read }) => [name, read(row[at] as Value)])))
    const { order: _, ...counted } = sampleStats(changed, rows, total === undefined ? {} : { total })
    const valueBytes = Math.max(0, rowBytes - keyBytes.mean)
    return { ...counted, ...(order === undefined ? {} : { order }), rowBytes: counted.keyBytes.mean + valueBytes }
  } catch (error) {
    if (isRowkeyError(error)) return undefined
    throw error
  }
}

/** What the application gives for a column of a changed type: a text can become a number or a time. */
function reader(from: SchemaColumn, to: SchemaColumn): (value: Value) => unknown {
  const { fromValue } = values(from.type, from.name)
  const { toValue } = values(to.type, to.name)
  return (value) => {
    const given = fromValue(value)
    if (typeof given !== 'string') return given
    const forms = [given, ...(/^-?\d+$/.test(given) ? [BigInt(given)] : []), new Date(given)]
    return forms.find((form) => isHeld(toValue, form)) ?? given
  }
}

function isHeld(toValue: (given: unknown) => Value, given: unknown): boolean {
  try {
    toValue(given)
    return true
  } catch (error) {
    if (isRowkeyError(error)) return false
    throw error
  }
}
