import { conflict, failedBy, keyOf, missing, type Mutation, type Outcome, type TableSchema } from '@rowkey/store/adapter'
import { toBuffer } from './keys.js'
import type { Place } from './shards/shard.js'
import type { Change } from './shards/write-queue.js'
import type { RedisTable } from './table.js'

/** Where the rows of a mutation live. */
export type TableOf = (schema: TableSchema) => RedisTable

/** A mutation, prepared as far as possible without reading its row. */
export interface Prepared extends Place {
  readonly mutation: Mutation
  readonly table: RedisTable
  /** undefined for an update, which needs the existing row. */
  readonly change: Change | undefined
}

const nothing = Buffer.alloc(0)

/** Encodes key and record. If a mutation is invalid, that is its outcome, and the others are not affected. */
export function prepare(mutation: Mutation, tableOf: TableOf, now: number): Prepared | Outcome {
  try {
    const table = tableOf(mutation.schema)
    const { shard, rowkey } = table.placeOfKey(keyOf(mutation))
    return { mutation, table, shard, rowkey, change: changeOf(mutation, table, rowkey, now) }
  } catch (cause) {
    return failedBy(cause)
  }
}

export const isPrepared = (one: Prepared | Outcome): one is Prepared => 'shard' in one
export const isChange = (one: Change | Outcome): one is Change => 'key' in one

function changeOf({ kind, row, version, schema }: Mutation, { rows }: RedisTable, key: Buffer, at: number): Change | undefined {
  if (kind === 'update') return undefined
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

/** The change that an update makes to the existing record, or its outcome if it must not be applied. */
export function updateOf({ mutation, table, rowkey }: Prepared, found: Buffer | null, now: number): Change | Outcome {
  const { schema, row, version } = mutation
  const { rows } = table
  const set = mutation.kind === 'update' ? mutation.set : []
  try {
    if (found === null || rows.isExpired(found, now)) return missing
    if (version !== undefined && rows.format.version(found) !== version) return conflict(rows.rowOf(row, found))
    const record = toBuffer(rows.format.patch(found, row, set))
    const expiry = schema.expiryIndex < 0 ? null : rows.format.expiry(record)
    return { kind: 'replace', key: rowkey, record, expiry: expiry === null ? '' : String(expiry), condition: found, now: '' }
  } catch (cause) {
    return failedBy(cause)
  }
}
