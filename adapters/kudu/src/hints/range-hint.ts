// Tested by ranges.test.ts.
import type { Value as KuduValue } from '@rowkey/kudu-client'
import { typeFacts, values, type SchemaColumn, type TableSchema, type Value } from 'rowkey/adapter'
import { keyColumns, type KeyColumn } from '../keys.js'
import type { Every } from './calendar.js'

/** A value of a range column as JSON: a number, text, digits of a bigint, or a time as `'2026-01-01'` or `'2026-01-01T12:00Z'`. */
export type RangeValue = string | number

/** Values of the range columns; for one column the value alone. */
export type RangePoint = RangeValue | readonly RangeValue[]

/** How a model is cut by ranges: `stores: { kudu: { range: { of: 'at', every: 'month', keep: 12 } } }`. */
export interface RangeHint {
  /** Columns of the key by their names; default its period. */
  readonly of?: string | readonly string[]
  /** Ranges of time, in UTC, of one column of instants or days. Default for a period: as long as it is. */
  readonly every?: Every
  /** `every`: the first day that a new table has a range for, such as `'2024-01-01'`; default today. */
  readonly from?: string
  /** `every`: so many ranges after the current one exist. Default 2. */
  readonly ahead?: number
  /** `every`: so many ranges before the current one stay when `db.rotate()` is called. Default: all. */
  readonly keep?: number
  /** Where ranges are cut into two. */
  readonly splits?: readonly RangePoint[]
  /** Ranges from a point, inclusive, to another one, exclusive. Default: one over everything. */
  readonly bounds?: readonly (readonly [from: RangePoint, to: RangePoint])[]
}

/** Ranges as the adapter works with them. */
export interface Ranges {
  /** Their columns, by position in the key. */
  readonly columns: readonly number[]
  readonly times: Times | undefined
  readonly splits: readonly (readonly Value[])[]
  readonly bounds: readonly Interval[]
}

/** Ranges of time. */
export interface Times {
  readonly every: Every
  readonly from: number | undefined
  readonly ahead: number
  readonly keep: number | undefined
  /** Instead of `keep`: ranges that ended so long ago are dropped. */
  readonly keepMs?: number | undefined
}

/** From a point, inclusive, to another one, exclusive, in values of the model's columns; undefined is open. */
export interface Interval {
  readonly from: readonly Value[] | undefined
  readonly to: readonly Value[] | undefined
}

const hintNames = ['of', 'every', 'from', 'ahead', 'keep', 'splits', 'bounds']
const everies: readonly unknown[] = ['hour', 'day', 'week', 'month', 'year'] satisfies readonly Every[]

/** What is wrong with a hint, as the end of the sentence "Give …"; undefined if nothing is. */
export function rangeFault(given: unknown, schema: TableSchema): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return '{ of, every } or { of, splits } or { of, bounds }'
  const hint = given as RangeHint
  const stranger = Object.keys(hint).find((name) => !hintNames.includes(name))
  if (stranger !== undefined) return `one of ${hintNames.join(', ')}, not ${stranger}`
  const { every, from, ahead, keep, splits, bounds } = hint
  const columns = columnsOf(hint, schema)
  if (columns === undefined) return "in 'of' columns of the key in its order, whose type Kudu has, or leave it out of a key with a period()"
  const isTimed = timesOf(hint, schema, columns) !== undefined
  if (every !== undefined && !everies.includes(every)) return "'hour', 'day', 'week', 'month' or 'year' in every"
  if (every !== undefined && (splits !== undefined || bounds !== undefined)) return 'every, or splits and bounds, not both'
  if (every !== undefined && !isTimed) return 'every for one column of instants or days; other columns need splits or bounds'
  if (every === 'hour' && isDays(schema, columns[0] as number)) return "every 'day' or longer for a column of days"
  const { type } = schema.columns[columns[0] as number] as SchemaColumn
  if (isTimed && (type.changes !== undefined || type.offset !== undefined)) {
    return 'of another column: a period with an offset, or whose length changes, does not begin when ranges do'
  }
  if (isTimed && type.every !== undefined && everies.indexOf(every ?? type.every) < everies.indexOf(type.every)) {
    return `every '${type.every}' or longer, because the period is a ${type.every}`
  }
  if (!isTimed && (from !== undefined || ahead !== undefined || keep !== undefined)) return 'from, ahead and keep for ranges of time only'
  if (!isTimed && splits === undefined && bounds === undefined) return 'every, splits or bounds'
  if (from !== undefined && Number.isNaN(timeOf(from))) return "a day such as '2024-01-01' in from"
  for (const [name, count] of [
    ['ahead', ahead],
    ['keep', keep],
  ] as const) {
    // prettier-ignore
    if (count !== undefined && !(Number.isInteger(count) && count >= (name === 'ahead' ? 1 : 0) && count <= (name === 'ahead' ? 500 : 10_000))) {
      return `a whole number of ranges in ${name}`
    }
  }
  const isList = (list: unknown): boolean => list === undefined || Array.isArray(list)
  if (!isList(splits) || !isList(bounds)) return 'lists in splits and bounds'
  const pairs = (bounds ?? []) as readonly unknown[]
  if (!pairs.every((pair) => Array.isArray(pair) && pair.length === 2)) return 'pairs [from, to] in bounds'
  const all = [...(splits ?? []), ...pairs.flatMap((pair) => pair as readonly RangePoint[])]
  return all.every((point) => pointOf(point, schema, columns) !== undefined)
    ? undefined
    : 'values of the range columns in splits and bounds, times as text'
}

/** The ranges of a table that are declared; undefined: none are. The hint has been checked. */
export function rangesOf(schema: TableSchema): Ranges | undefined {
  const { range: hint, expire } = (schema.stores['kudu'] ?? {}) as { readonly range?: RangeHint; readonly expire?: unknown }
  if (hint === undefined || rangeFault(hint, schema) !== undefined) return undefined
  const columns = columnsOf(hint, schema) as readonly number[]
  const times = timesOf(hint, schema, columns)
  const at = (point: RangePoint): readonly Value[] => pointOf(point, schema, columns) as readonly Value[]
  return {
    columns,
    times: times && (expire === 'rotate' ? { ...times, keepMs: schema.ttl } : times),
    splits: (hint.splits ?? []).map(at),
    bounds: (hint.bounds ?? []).map(([from, to]) => ({ from: at(from), to: at(to) })),
  }
}

function columnsOf({ of }: RangeHint, schema: TableSchema): readonly number[] | undefined {
  const keys = schema.columns.slice(0, schema.keyLength)
  const names = of === undefined ? keys.flatMap(({ type, name }) => (type.every === undefined ? [] : [name])).slice(0, 1) : [of].flat()
  const columns = names.map((name) => keys.findIndex((column) => column.name === name))
  const forms = keyColumns(schema).map(({ form }) => form)
  const isFit = columns.every((at, i) => at >= 0 && forms[at] !== 'bytes' && (i === 0 || at > (columns[i - 1] as number)))
  // A turned column runs against the others.
  return columns.length > 0 && isFit && (columns.length === 1 || columns.every((at) => forms[at] === 'native')) ? columns : undefined
}

function timesOf(
  { every, from, ahead = 2, keep, splits, bounds }: RangeHint,
  schema: TableSchema,
  columns: readonly number[],
): Times | undefined {
  const [at] = columns
  if (columns.length !== 1 || at === undefined || splits !== undefined || bounds !== undefined) return undefined
  const { type } = schema.columns[at] as SchemaColumn
  const length = every ?? type.every
  if (length === undefined || countsOf(schema, at) === undefined) return undefined
  return { every: length, from: from === undefined ? undefined : timeOf(from), ahead, keep }
}

function countsOf(schema: TableSchema, at: number): 'days' | 'ms' | 'us' | 'ns' | undefined {
  const { storage } = typeFacts((schema.columns[at] as SchemaColumn).type)
  return 'counts' in storage ? storage.counts : undefined
}

const isDays = (schema: TableSchema, at: number): boolean => countsOf(schema, at) === 'days'

const dayMs = 86_400_000

/** Times without a zone are UTC. */
function timeOf(text: unknown): number {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text)) return NaN
  const ms = Date.parse(text)
  // The 30th of February is none, and would be taken for a day of March.
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.slice(0, 10)) ? NaN : ms
}

/** A time as a value of its column; that of a column of days is its day. */
export function instantIn(schema: TableSchema, at: number, ms: number): Value {
  switch (countsOf(schema, at)) {
    case 'days':
      return Math.floor(ms / dayMs)
    case 'us':
      return BigInt(Math.round(ms * 1000))
    case 'ns':
      return BigInt(Math.round(ms * 1000)) * 1000n
    default:
      return ms
  }
}

/** A point in milliseconds; undefined for an open end. */
export function msOf(schema: TableSchema, at: number, point: readonly Value[] | undefined): number | undefined {
  const [value] = point ?? []
  if (value === undefined) return undefined
  switch (countsOf(schema, at)) {
    case 'days':
      return (value as number) * dayMs
    case 'us':
      return Number(value) / 1000
    case 'ns':
      return Number(value) / 1_000_000
    default:
      return value as number
  }
}

function pointOf(given: unknown, schema: TableSchema, columns: readonly number[]): readonly Value[] | undefined {
  const parts: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (parts.length === 0 || parts.length > columns.length) return undefined
  const point = parts.map((part, i) => valueOf(part, schema, columns[i] as number))
  return point.every((value) => value !== undefined) ? point : undefined
}

function valueOf(given: unknown, schema: TableSchema, at: number): Value | undefined {
  const { type, name } = schema.columns[at] as SchemaColumn
  const facts = typeFacts(type)
  const { storage } = facts
  let value: Value | undefined
  if (countsOf(schema, at) !== undefined) {
    const ms = timeOf(given)
    value = Number.isNaN(ms) ? undefined : instantIn(schema, at, ms)
  } else if (storage.class === 'int') value = typeof given === 'number' ? given : undefined
  else if (storage.class === 'bigint') value = /^-?\d+$/.test(String(given)) ? BigInt(given as string) : undefined
  else if (storage.class === 'text' || storage.class === 'decimal') value = typeof given === 'string' ? given : undefined
  if (value === undefined) return undefined
  try {
    values(type, name).fromValue(value)
    return facts.accepts(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A point as Kudu has it: of a descending column, minus one minus its values. undefined: it is after the greatest value. */
export function storedPoint(
  keys: readonly KeyColumn[],
  columns: readonly number[],
  point: readonly Value[],
): Record<string, KuduValue> | undefined {
  const stored: Record<string, KuduValue> = {}
  for (const [i, value] of point.entries()) {
    const key = keys[columns[i] as number] as KeyColumn
    const next = key.form === 'turned' ? key.next(key.write(value)) : key.write(value)
    if (next === undefined) return undefined // after the greatest value there is no end
    stored[key.name] = next
  }
  return stored
}

/** An interval as Kudu has it. A descending column is stored the other way round. */
export function storedInterval(
  keys: readonly KeyColumn[],
  columns: readonly number[],
  { from, to }: Interval,
): { readonly from?: Record<string, KuduValue>; readonly to?: Record<string, KuduValue> } {
  const [low, high] = (keys[columns[0] as number] as KeyColumn).form === 'turned' ? [to, from] : [from, to]
  const [lower, upper] = [low, high].map((point) => (point === undefined ? undefined : storedPoint(keys, columns, point)))
  return { ...(lower === undefined ? {} : { from: lower }), ...(upper === undefined ? {} : { to: upper }) }
}
