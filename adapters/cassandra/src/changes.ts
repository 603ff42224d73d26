import type { Row, SchemaColumn, Value } from '@rowkey/store'
import { cellBytes, expiryBytes, expiryOf, ttlBytes, type ExpiryCell } from './expiry.js'
import { text } from './native-bytes.js'
import type { Bound } from './session.js'
import type { CassandraTable } from './table.js'
import { innerType, valueTypeOf } from './value-types.js'

/** What a row must be for a statement to apply. */
export type Condition =
  | { readonly kind: 'absent' | 'present' }
  /** Only what is given is looked at. */
  | { readonly kind: 'seen'; readonly version?: string; readonly cell?: ExpiryCell }

/** Puts a row, whatever is there; or only where there is nothing. */
export async function insertRow(table: CassandraTable, row: Row, now: number, ifNotExists: boolean): Promise<Bound> {
  return insertBound(table, row, now, ifNotExists, ifNotExists ? [] : await table.columns.unknown())
}

/** The same with the columns that others have added, which the rows of a batch share. */
export function insertBound(table: CassandraTable, row: Row, now: number, ifNotExists: boolean, added: readonly string[]): Bound {
  const { statements, mode } = table
  const ttl = mode === 'native'
  const query = statements.insert(added, { ttl, ifNotExists })
  // Where there is nothing, nothing needs to be cleared.
  const values = valuesOf(table, row).map((bytes) => (ifNotExists ? (bytes ?? undefined) : bytes))
  const params = [...table.keyBytes(row), ...values, ...added.map(() => null)]
  if (ttl) params.push(ttlBytes(expiryAt(table, row), now))
  return { query, params }
}

/** Puts a row where there is one already. */
export async function replaceRow(table: CassandraTable, row: Row, now: number, condition: Condition): Promise<Bound> {
  const { schema } = table
  const added = await table.columns.unknown()
  const columns = [...schema.columns.slice(schema.keyLength).map(({ physical }) => physical), ...added]
  const values = [...valuesOf(table, row), ...added.map(() => null)]
  return updated(table, row, columns, values, condition, ttlBytes(expiryAt(table, row), now))
}

/** Changes some columns, or none and has a condition only; what it writes goes when the row goes. */
export function updateRow(table: CassandraTable, row: Row, set: readonly number[], now: number, condition: Condition): Bound {
  const { columns, keyLength } = table.schema
  const names =
    set.length === 0 ? [(columns[keyLength] as SchemaColumn).physical] : set.map((position) => (columns[position] as SchemaColumn).physical)
  const values = set.length === 0 ? [undefined] : set.map((position) => bytesAt(table, row, position))
  const cell = condition.kind === 'seen' ? (condition.cell ?? null) : null
  return updated(table, row, names, values, condition, ttlBytes(expiryOf(cell), now))
}

export function deleteRow(table: CassandraTable, key: Row, condition?: Condition): Bound {
  const { text, params } = conditionOf(condition)
  return { query: table.statements.delete(text), params: [...table.keyBytes(key), ...params] }
}

export function guard(table: CassandraTable, key: Row): Bound {
  const { schema, statements } = table
  return { query: statements.guard(), params: [undefined, ...table.keyBytes(key, schema.partitionLength, schema.layout.bucketOf(key))] }
}

function updated(
  table: CassandraTable,
  row: Row,
  columns: readonly string[],
  values: Bound['params'],
  condition: Condition,
  ttl: Buffer,
): Bound {
  const { text, params } = conditionOf(condition)
  const hasTtl = table.mode === 'native'
  const query = table.statements.update(columns, hasTtl, text)
  return { query, params: [...(hasTtl ? [ttl] : []), ...values, ...table.keyBytes(row), ...params] }
}

function conditionOf(condition: Condition | undefined): { readonly text: string; readonly params: (Buffer | null)[] } {
  if (condition === undefined) return { text: '', params: [] }
  if (condition.kind !== 'seen') return { text: condition.kind === 'present' ? ' IF EXISTS' : ' IF NOT EXISTS', params: [] }
  const { version, cell } = condition
  const [texts, params]: [string[], (Buffer | null)[]] = [[], []]
  if (version !== undefined) {
    texts.push('"rk_version" = ?')
    params.push(text(version))
  }
  if (cell !== undefined) {
    texts.push('"rk_expires" = ?')
    params.push(cellBytes(cell))
  }
  return { text: ` IF ${texts.join(' AND ')}`, params }
}

const expiryAt = ({ schema }: CassandraTable, row: Row): number | null => (row[schema.expiryAt] as number | null | undefined) ?? null

const valuesOf = (table: CassandraTable, row: Row): readonly (Buffer | null)[] =>
  table.schema.columns.slice(table.schema.keyLength).map((_, i) => bytesAt(table, row, table.schema.keyLength + i))

function bytesAt({ schema }: CassandraTable, row: Row, position: number): Buffer | null {
  const { role, type } = schema.columns[position] as SchemaColumn
  const value = row[position] ?? null
  if (role === 'expiry') return expiryBytes(value as number | null)
  if (value === null) return null
  const write = valueTypeOf(type).write as (value: Value, type: SchemaColumn['type']) => Buffer
  return write(value, innerType(type))
}
