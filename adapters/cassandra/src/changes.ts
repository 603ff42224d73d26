// Also tested by conditional.test.ts.
import type { Row, SchemaColumn } from 'rowkey/adapter'
import { cellBytes, expiryOf, ttlBytes, type ExpiryCell } from './expiry.js'
import { quoted } from './client/cql.js'
import { int64, text } from './client/native-bytes.js'
import type { Bound } from './client/session.js'
import type { Timestamp } from './client/timestamps.js'
import type { AddedValues, TableContext } from './context.js'

/** What must hold of a row for a statement to be applied. */
export type Condition =
  | { readonly kind: 'absent' | 'present' }
  /** Only the properties that are present are compared. */
  | {
      readonly kind: 'seen'
      readonly version?: string
      readonly cell?: ExpiryCell
      /** Positions of value columns whose values must still be those of `row`. */
      readonly same?: { readonly columns: readonly number[]; readonly row: Row }
      /** Columns that are not in the schema. */
      readonly added?: AddedValues
    }

/**
 * What an insert does where a row exists. clear: it puts the row, and clears the columns that are null. leave: it leaves those as they are, without
 * a tombstone. refuse: it does nothing.
 */
export type Insert = 'clear' | 'leave' | 'refuse'

/** Puts a row, with all columns of the table. */
export async function insertRow(table: TableContext, row: Row, now: number, how: Insert): Promise<Bound> {
  return insertBound(table, row, now, how, how === 'clear' ? await table.columns.unknown() : noColumns)
}

const noColumns: readonly string[] = []

/** The same. `added`: columns to clear that other processes have added to the table. A batch looks for them once. */
export function insertBound(table: TableContext, row: Row, now: number, how: Insert, added: readonly string[] = noColumns): Bound {
  const { statements, mode, writers } = table
  const ttl = mode === 'native'
  const clears = how === 'clear'
  const query = statements.insert(added, ttl, how === 'refuse')
  const params: Bound['params'] = table.keyBytes(row)
  const { keyLength } = table.schema
  for (let i = keyLength; i < writers.length; i++) {
    const bytes = bytesAt(writers, row, i)
    params.push(clears ? bytes : (bytes ?? undefined))
  }
  for (const _ of added) params.push(null)
  if (ttl) params.push(ttlBytes(expiresAt(table, row), now))
  return { query, params }
}

/** Deletes what a row was until a microsecond before a write of the same batch. */
export function deleteBefore(table: TableContext, row: Row, timestamp: Timestamp): Bound {
  return { query: table.statements.deleteWritten(), params: [int64(BigInt(String(timestamp)) - 1n), ...table.keyBytes(row)] }
}

/** Replaces an existing row. */
export async function replaceRow(table: TableContext, row: Row, now: number, condition: Condition): Promise<Bound> {
  const { schema } = table
  const added = await table.columns.unknown()
  const columns = [...schema.columns.slice(schema.keyLength).map(({ physical }) => physical), ...added]
  const values = [...valuesOf(table, row), ...added.map(() => null)]
  return updated(table, row, { columns, values, ttl: ttlBytes(expiresAt(table, row), now) }, condition)
}

/** Changes some columns; without any, the statement is only a condition. What it writes expires with the row. */
export function updateRow(table: TableContext, row: Row, set: readonly number[], now: number, condition: Condition): Bound {
  const { columns, keyLength } = table.schema
  const names =
    set.length === 0 ? [(columns[keyLength] as SchemaColumn).physical] : set.map((position) => (columns[position] as SchemaColumn).physical)
  const values = set.length === 0 ? [undefined] : set.map((position) => bytesAt(table.writers, row, position))
  const cell = condition.kind === 'seen' ? (condition.cell ?? null) : null
  return updated(table, row, { columns: names, values, ttl: ttlBytes(expiryOf(cell), now) }, condition)
}

/**
 * Changes some columns and writes all others again, so that the whole row expires when it says: every cell has a time to live of its own, and keeps
 * it until it is written. `condition` compares all that is written again.
 */
export function rewriteRow(table: TableContext, row: Row, set: readonly number[], now: number, condition: Condition): Bound {
  const { columns, keyLength } = table.schema
  const added = condition.kind === 'seen' ? (condition.added ?? noneAdded) : noneAdded
  const names = [...columns.slice(keyLength).map(({ physical }) => physical), ...added.names]
  const own = valuesOf(table, row).map((bytes, i) => (set.includes(keyLength + i) ? bytes : (bytes ?? undefined))) // was null, and still is
  const values = [...own, ...added.values.map((value) => value ?? undefined)]
  return updated(table, row, { columns: names, values, ttl: ttlBytes(expiresAt(table, row), now) }, condition)
}

const noneAdded: AddedValues = { names: [], values: [] }

/** Makes sure that a row which an update may create stays a row when all of its columns are null. */
export function markRow(table: TableContext, row: Row): Bound {
  const columns = table.schema.columns.slice(table.schema.keyLength)
  return { query: table.statements.insert([], false, false), params: [...table.keyBytes(row), ...columns.map(() => undefined)] }
}

export function deleteRow(table: TableContext, key: Row, condition?: Condition): Bound {
  if (condition === undefined) return { query: table.statements.delete(''), params: table.keyBytes(key) }
  const { text, params } = conditionOf(table, condition)
  return { query: table.statements.delete(text), params: [...table.keyBytes(key), ...params] }
}

export function guard(table: TableContext, key: Row): Bound {
  const { schema, statements } = table
  return { query: statements.guard(), params: [undefined, ...table.keyBytes(key, schema.partitionLength)] }
}

/** What an update sets, and for how long. */
interface Assignments {
  readonly columns: readonly string[]
  readonly values: Bound['params']
  readonly ttl: Buffer
}

function updated(table: TableContext, row: Row, { columns, values, ttl }: Assignments, condition: Condition): Bound {
  const { text, params } = conditionOf(table, condition)
  const hasTtl = table.mode === 'native'
  const query = table.statements.update(columns, hasTtl, text)
  return { query, params: [...(hasTtl ? [ttl] : []), ...values, ...table.keyBytes(row), ...params] }
}

function conditionOf({ schema, writers }: TableContext, condition: Condition): { readonly text: string; readonly params: Bound['params'] } {
  if (condition.kind !== 'seen') return { text: condition.kind === 'present' ? ' IF EXISTS' : ' IF NOT EXISTS', params: [] }
  const { version, cell, same, added } = condition
  const [texts, params]: [string[], Bound['params']] = [[], []]
  if (version !== undefined) {
    texts.push('"rk_version" = ?')
    params.push(text(version))
  }
  if (cell !== undefined) {
    texts.push('"rk_expires" = ?')
    params.push(cellBytes(cell))
  }
  for (const column of same?.columns ?? []) {
    texts.push(`${quoted((schema.columns[column] as SchemaColumn).physical)} = ?`)
    params.push(bytesAt(writers, same?.row ?? [], column))
  }
  for (const [i, column] of (added?.names ?? []).entries()) {
    texts.push(`${quoted(column)} = ?`)
    params.push(added?.values[i] ?? null)
  }
  return { text: ` IF ${texts.join(' AND ')}`, params }
}

const expiresAt = ({ schema }: TableContext, row: Row): number | null => (row[schema.expiryIndex] as number | null | undefined) ?? null

function valuesOf({ schema, writers }: TableContext, row: Row): (Buffer | null)[] {
  const values: (Buffer | null)[] = []
  for (let i = schema.keyLength; i < writers.length; i++) values.push(bytesAt(writers, row, i))
  return values
}

const bytesAt = (writers: TableContext['writers'], row: Row, position: number): Buffer | null =>
  (writers[position] as TableContext['writers'][number])(row[position] ?? null)
