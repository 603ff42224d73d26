// Tested by ranges.test.ts.
import {
  decodeRange,
  type CallOptions,
  type KuduTable,
  type Predicate,
  type TableChange,
  type Tablet,
  type Value as KuduValue,
} from '@rowkey/kudu-client'
import {
  pause,
  RowkeyError,
  showName,
  values,
  type ChangeOptions,
  type Partition,
  type PartitionRange,
  type PartitionsOptions,
  type RangeChanges,
  type RotateOptions,
  type SchemaColumn,
  type Slice,
  type TableSchema,
  type Value,
} from 'rowkey/adapter'
import { inCall, type Opened, type TableContext } from '../context.js'
import { boundsOf } from '../tablets/bounds.js'
import { lanesOf } from '../tablets/lanes.js'
import { onTable } from '../outcomes.js'
import type { KeyColumn } from '../keys.js'
import { firstDay, type KuduType, type ValueType } from '../values.js'
import { isOvertaken, noRanges } from '../errors.js'
import { rangesOf, storedInterval, type Interval } from '../hints/range-hint.js'
import { rotationOf } from './rotation.js'

/** The tablets of a table. */
export function partitionsOf(
  table: TableContext,
  { slices, countRows = false, cancellation }: PartitionsOptions,
): Promise<readonly Partition[]> {
  return onTable(table, () =>
    inCall(cancellation, async (options) => {
      const opened = await table.opened()
      const { table: found } = opened
      const [all, statistics] = await Promise.all([table.client.tablets(found, {}, options), table.client.statistics(found, options)])
      const read = slices === undefined ? undefined : await tabletsIn(table, opened, slices)
      const tablets = all.filter(({ id }) => read === undefined || read.has(id))
      const sizes = new Map(statistics.tablets.map((each) => [each.id, each]))
      const partitions: Partition[] = []
      for (const tablet of tablets) {
        const size = sizes.get(tablet.id)
        partitions.push({
          range: isOfModel(table, found) ? rangeOf(table, found, intervalOf(table, found, tablet)) : undefined,
          buckets: tablet.buckets,
          server: tablet.replicas.find(({ isLeader }) => isLeader)?.address,
          bytes: size?.bytes,
          rows: countRows ? await countOf(table, found, tablet, options) : size?.rows,
        })
      }
      return partitions
    }),
  )
}

/** Whether its ranges are of columns of the model, and not of the bucket. */
const isOfModel = ({ keys }: TableContext, { range, columns }: KuduTable): boolean =>
  range.length > 0 && range.every((place) => keys.some(({ name }) => name === columns[place]?.name))

/** The ids of the tablets that have rows of slices. */
async function tabletsIn(table: TableContext, opened: Opened, slices: readonly Slice[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const slice of slices) {
    const bounds = boundsOf(table, slice)
    if (bounds === undefined) continue
    for (const lane of (await lanesOf(table, opened, slice, bounds, false)).values()) for (const { id } of lane) ids.add(id)
  }
  return ids
}

async function countOf({ client }: TableContext, found: KuduTable, { id }: Tablet, options: CallOptions | undefined): Promise<number> {
  let rows = 0
  for await (const batch of client.scan(found, { columns: [], tablet: id }, options)) rows += batch.length
  return rows
}

/** Adds and drops ranges in one change. */
export function changeRanges(table: TableContext, { add, drop }: RangeChanges, { cancellation }: ChangeOptions): Promise<void> {
  return onTable(table, () =>
    inCall(cancellation, async (options) => {
      const { table: found } = await table.opened()
      const stored = (range: PartitionRange): ReturnType<typeof storedInterval> =>
        storedInterval(table.keys, positionsOf(table, found), pointsOf(table.schema, positionsOf(table, found), range))
      await alter(table, found, add.map(stored), drop.map(stored), options)
    }),
  )
}

/** How often ranges are looked at again because others have changed them, and how long after. */
const [maxLooks, lookAgainMs] = [10, 50]

/** The ranges that the table gets and loses by now. Of several that rotate at once, one does it, and the others find nothing left to do. */
export function rotate(table: TableContext, { now, dryRun, cancellation }: RotateOptions): Promise<RangeChanges> {
  const { schema, keys } = table
  const ranges = rangesOf(schema)
  if (ranges?.times === undefined) throw noRanges(schema)
  const { times } = ranges
  return onTable(table, () =>
    inCall(cancellation, async (options) => {
      const { table: found } = await table.opened()
      if (positionsOf(table, found).join() !== ranges.columns.join()) throw noRanges(schema)
      const stored = (each: Interval): ReturnType<typeof storedInterval> => storedInterval(keys, ranges.columns, each)
      for (let look = 1; ; look++) {
        const tablets = await table.client.tablets(found, {}, options)
        const existing = intervalsOf(table, found, tablets)
        const { add, drop: old } = rotationOf(schema, ranges, times, existing, now)
        const drop = times.keepMs === undefined ? old : await expired(table, found, tablets, old, now, options)
        try {
          if (!dryRun) await alter(table, found, add.map(stored), drop.map(stored), options)
          return { add: add.map((each) => rangeOf(table, found, each)), drop: drop.map((each) => rangeOf(table, found, each)) }
        } catch (error) {
          if (look === maxLooks || !isOvertaken(error)) throw error
          await pause(lookAgainMs)
        }
      }
    }),
  )
}

/** The ranges all rows of which have expired: a row may be given an expiry of its own, or be written long after its time. */
async function expired(
  table: TableContext,
  found: KuduTable,
  tablets: readonly Tablet[],
  old: readonly Interval[],
  now: number,
  options: CallOptions | undefined,
): Promise<readonly Interval[]> {
  const { schema, client, types } = table
  const column = (schema.columns[schema.expiryIndex] as SchemaColumn).physical
  const later = (types[schema.expiryIndex] as ValueType).write(now + 1)
  const alive: readonly Predicate[] = [
    { column, from: later },
    { column, isNull: true },
  ]
  const nameOf = ({ from, to }: Interval): string => `${String(from)} ${String(to)}`
  const kept = new Set<string>()
  const names = new Set(old.map(nameOf))
  for (const tablet of tablets) {
    const name = nameOf(intervalOf(table, found, tablet))
    if (!names.has(name) || kept.has(name)) continue
    for (const condition of alive) {
      const scanner = client.scan(found, { columns: [], where: [condition], tablet: tablet.id, limit: 1 }, options)
      if ((await scanner.next()) !== undefined) kept.add(name)
      await scanner.close()
    }
  }
  return old.filter((interval) => !kept.has(nameOf(interval)))
}

type Stored = ReturnType<typeof storedInterval>

async function alter(
  { client }: TableContext,
  found: KuduTable,
  add: readonly Stored[],
  drop: readonly Stored[],
  options: CallOptions | undefined,
): Promise<void> {
  // Dropped first: a range that replaces others would overlap them.
  const changes: TableChange[] = [...drop.map((dropRange) => ({ dropRange })), ...add.map((addRange) => ({ addRange }))]
  if (changes.length > 0) await client.alterTable(found, changes, options)
}

/** The range columns by position in the key of the model. */
function positionsOf({ keys, schema }: TableContext, { range, columns }: KuduTable): readonly number[] {
  const positions = range.map((place) => keys.findIndex(({ name }) => name === columns[place]?.name))
  if (positions.length === 0 || positions.includes(-1)) throw noRanges(schema)
  return positions
}

/** The ranges of a table, each once. */
export function intervalsOf(table: Pick<TableContext, 'keys'>, found: KuduTable, tablets: readonly Tablet[]): readonly Interval[] {
  const intervals = new Map<string, Interval>()
  for (const tablet of tablets) {
    const name = `${Buffer.from(tablet.rangeStart).toString('hex')}-${Buffer.from(tablet.rangeEnd).toString('hex')}`
    if (!intervals.has(name)) intervals.set(name, intervalOf(table, found, tablet))
  }
  return [...intervals.values()]
}

/** The range of a tablet. Of a bucket, which is no column of the model, there is none. */
function intervalOf(table: Pick<TableContext, 'keys'>, found: KuduTable, { rangeStart, rangeEnd }: Tablet): Interval {
  const keys = found.range.map((place) => table.keys.find(({ name }) => name === found.columns[place]?.name))
  if (keys.some((key) => key === undefined)) return { from: undefined, to: undefined }
  const [low, high] = [rangeStart, rangeEnd].map((end) => pointOf(found.name, keys as readonly KeyColumn[], decodeRange(found, end)))
  return keys[0]?.form === 'turned' ? { from: high, to: low } : { from: low, to: high }
}

/** The columns that an end leaves out have the least value of their type, at its end. */
function pointOf(table: string, keys: readonly KeyColumn[], stored: readonly KuduValue[] | undefined): readonly Value[] | undefined {
  if (stored === undefined) return undefined
  const given = stored.findLastIndex((value, i) => i === 0 || !isLeast((keys[i] as KeyColumn).kudu, value)) + 1
  return stored.slice(0, given).map((value, i) => {
    const key = keys[i] as KeyColumn
    // A descending column: its end is one stored value beyond.
    const own = key.form === 'turned' ? (typeof value === 'bigint' ? value - 1n : (value as number) - 1) : value
    const read = key.read(own)
    if (read !== undefined) return read
    const what = `a range of the Kudu table '${showName(table)}' ends at a value that column '${showName(key.name)}' of the model cannot hold`
    throw new RowkeyError('UNREADABLE_ROW', `${what}. Give the column a type that holds it.`, { table, column: key.name })
  })
}

function isLeast({ type, precision = 0 }: KuduType, value: KuduValue): boolean {
  switch (type) {
    case 'STRING':
      return value === ''
    case 'BINARY':
      return (value as Uint8Array).length === 0
    case 'DATE':
      return value === firstDay
    case 'DECIMAL':
      return value === -(2n ** (precision <= 9 ? 31n : precision <= 18 ? 63n : 127n))
    case 'INT8':
      return value === -128
    case 'INT16':
      return value === -32_768
    case 'INT32':
      return value === -(2 ** 31)
    default:
      return value === -(2n ** 63n)
  }
}

/** An interval in values as the application sees them. */
function rangeOf(table: TableContext, found: KuduTable, { from, to }: Interval): PartitionRange {
  const columns = found.range.map((place) => table.schema.columns.find(({ physical }) => physical === found.columns[place]?.name))
  const shown = (point: readonly Value[]): Record<string, unknown> =>
    Object.fromEntries(
      point.map((value, i) => [(columns[i] as SchemaColumn).name, values((columns[i] as SchemaColumn).type, '').fromValue(value)]),
    )
  return { ...(from === undefined ? {} : { from: shown(from) }), ...(to === undefined ? {} : { to: shown(to) }) }
}

/** A range in values of the columns. @throws RowkeyError `INVALID_VALUE`, `INVALID_OPTION` */
function pointsOf(schema: TableSchema, positions: readonly number[], { from, to }: PartitionRange): Interval {
  const point = (given: Readonly<Record<string, unknown>> | undefined): readonly Value[] | undefined => {
    if (given === undefined) return undefined
    const columns = positions.map((at) => schema.columns[at] as SchemaColumn)
    const stranger = Object.keys(given).find((name) => !columns.some((column) => column.name === name))
    if (stranger !== undefined || Object.keys(given).length === 0) throw notOfRange(schema, stranger ?? '', columns)
    const held: Value[] = []
    for (const { name, type } of columns) {
      if (!Object.hasOwn(given, name)) break
      held.push(values(type, name, schema.name).toValue(given[name]))
    }
    if (held.length < Object.keys(given).length) throw notOfRange(schema, Object.keys(given).at(-1) ?? '', columns)
    return held
  }
  return { from: point(from), to: point(to) }
}

const notOfRange = ({ name }: TableSchema, given: string, columns: readonly SchemaColumn[]): RowkeyError => {
  const names = columns.map((column) => `'${showName(column.name)}'`).join(', ')
  const message = `a range of '${name}' has an end with '${showName(given)}'. Its columns are ${names}, of which the last ones may be left out.`
  return new RowkeyError('INVALID_OPTION', message, { option: 'range', value: showName(given) })
}
