// Tested by damage.test.ts and conformance.test.ts.
import {
  dependsOnValues,
  failedBy,
  judge,
  keyOf,
  missing,
  type Mutation,
  type Outcome,
  type RecordRows,
  type TableSchema,
  unmetPrecondition,
} from 'rowkey/adapter'
import { toBuffer } from './client/commands.js'
import type { TableContext } from './context.js'
import type { Place } from './shards/shard.js'
import type { Change } from './shards/write-queue.js'

/** Where the rows of a mutation live. */
export type TableOf = (schema: TableSchema) => TableContext

/** A mutation, prepared as far as possible without reading its row. */
export interface Prepared extends Place {
  readonly mutation: Mutation
  readonly table: TableContext
  /** undefined if it needs the existing row. */
  readonly change: Change | undefined
  /** undefined until it is known. */
  outcome: Outcome | undefined
}

const nothing = Buffer.alloc(0)

/** Encodes key and record. If a mutation is invalid, that is its outcome, and the others are not affected. */
export function prepare(mutation: Mutation, tableOf: TableOf, now: number): Prepared | Outcome {
  try {
    const table = tableOf(mutation.schema)
    const { shard, rowkey } = table.placeOf(keyOf(mutation))
    return { mutation, table, shard, rowkey, change: changeOf(mutation, table, rowkey, now), outcome: undefined }
  } catch (cause) {
    return failedBy(cause)
  }
}

export const isPrepared = (one: Prepared | Outcome): one is Prepared => 'shard' in one
export const isChange = (one: Change | Outcome): one is Change => 'key' in one

function changeOf(mutation: Mutation, { rows }: TableContext, key: Buffer, at: number): Change | undefined {
  const { kind, row, version, schema } = mutation
  if (kind === 'update' || dependsOnValues(mutation)) return undefined
  const condition = version ?? ''
  const now = schema.expiryIndex < 0 ? '' : String(at)
  if (kind === 'delete') {
    return { kind: version === undefined ? 'delete' : 'deleteVersion', key, record: nothing, expiry: '', condition, now }
  }
  const record = toBuffer(rows.format.encode(row))
  const expires = schema.expiryIndex < 0 ? null : row[schema.expiryIndex]
  const expiry = typeof expires === 'number' ? String(expires) : ''
  return { kind: kind === 'put' && version !== undefined ? 'putVersion' : kind, key, record, expiry, condition, now }
}

/** The change that a mutation makes to the existing record, or its outcome if it must not be applied. */
export function changeOn(prepared: Prepared, found: Buffer | null, now: number): Change | Outcome {
  try {
    const isDead = found !== null && prepared.table.rows.isExpired(found, now)
    const current = isDead || found === null ? undefined : found
    const { mutation } = prepared
    if (mutation.kind === 'update' && !dependsOnValues(mutation)) return updateOf(prepared, mutation, current)
    return judgedChange(prepared, found, current)
  } catch (cause) {
    return failedBy(cause)
  }
}

/** Of an update that writes values only, so that the row need not be read from its record. */
function updateOf({ table: { rows }, rowkey }: Prepared, mutation: Update, current: Buffer | undefined): Change | Outcome {
  const { row, set, schema } = mutation
  const version = current === undefined ? undefined : rows.format.version(current)
  const unmet = unmetPrecondition(mutation, current !== undefined, version, () => rows.rowOf(row, current as Buffer))
  if (unmet !== undefined || current === undefined) return unmet ?? missing
  return replaced(schema, rowkey, current, rows, rows.format.patch(current, row, set))
}

function judgedChange(prepared: Prepared, found: Buffer | null, current: Buffer | undefined): Change | Outcome {
  const { mutation, table, rowkey } = prepared
  const { rows } = table
  const verdict = judge(mutation, current === undefined ? undefined : rows.rowOf(mutation.row, current))
  switch (verdict.kind) {
    case 'outcome':
      return verdict.outcome
    case 'remove':
      return { kind: 'remove', key: rowkey, record: nothing, expiry: '', condition: found ?? nothing, now: '' }
    case 'store':
      return replaced(mutation.schema, rowkey, found, rows, rows.format.encode(verdict.row))
    case 'patch':
      return replaced(mutation.schema, rowkey, found, rows, rows.format.patch(current as Buffer, verdict.row, verdict.set))
  }
}

type Update = Extract<Mutation, { kind: 'update' }>

/** A new record in place of the one that was found, or of none. */
function replaced(schema: TableSchema, key: Buffer, found: Buffer | null, { format }: RecordRows, bytes: Uint8Array): Change {
  const record = toBuffer(bytes)
  const expiry = schema.expiryIndex < 0 ? null : format.expiry(record)
  const kind = found === null ? 'create' : 'replace'
  return { kind, key, record, expiry: expiry === null ? '' : String(expiry), condition: found ?? '', now: '' }
}
