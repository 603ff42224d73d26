import { isRowkeyError, type Mutation, type Outcome, type TableSchema } from '@rowkey/store'
import { toBuffer } from './keys.js'
import type { Place, RedisTable } from './table-store.js'
import type { Change } from './write-queue.js'

/** Where the rows of a mutation live. */
export type TableOf = (schema: TableSchema) => RedisTable

/** A mutation as far as it can be worked out without looking at the row. */
export interface Prepared extends Place {
  readonly mutation: Mutation
  readonly table: RedisTable
  /** An update needs the row that is there. */
  readonly change: Change | undefined
}

const nothing = Buffer.alloc(0)

/** Keys and records of a batch; what is wrong with a mutation is its own outcome. */
export function prepare(batch: readonly Mutation[], tableOf: TableOf, now: number): readonly (Prepared | Outcome)[] {
  return batch.map((mutation) => {
    try {
      const table = tableOf(mutation.schema)
      const { shard, rowkey } = table.placeOf(mutation.row)
      return { mutation, table, shard, rowkey, change: changeOf(mutation, table, rowkey, now) }
    } catch (cause) {
      if (!isRowkeyError(cause)) throw cause
      return { kind: 'failed', cause }
    }
  })
}

export const isPrepared = (one: Prepared | Outcome): one is Prepared => 'shard' in one

function changeOf({ kind, row, version, schema }: Mutation, { format }: RedisTable, key: Buffer, at: number): Change | undefined {
  if (kind === 'update') return undefined
  const condition = version ?? ''
  const now = schema.expiryAt < 0 ? '' : String(at)
  if (kind === 'delete') {
    return { kind: version === undefined ? 'delete' : 'deleteVersion', key, record: nothing, expiry: '', condition, now }
  }
  const record = toBuffer(format.encode(row))
  const expires = schema.expiryAt < 0 ? null : row[schema.expiryAt]
  const expiry = typeof expires === 'number' ? String(expires) : ''
  return { kind: kind === 'put' && version !== undefined ? 'putVersion' : kind, key, record, expiry, condition, now }
}

/** The change that an update makes of the record that is there, or why it must not. */
export function updateOf({ mutation, table, rowkey }: Prepared, found: Buffer | null, now: number): Change | Outcome {
  const { schema, row, version } = mutation
  const { format } = table
  const set = mutation.kind === 'update' ? mutation.set : []
  try {
    if (found === null) return { kind: 'missing' }
    const expires = schema.expiryAt < 0 ? null : format.expiry(found)
    if (expires !== null && expires <= now) return { kind: 'missing' }
    if (version !== undefined && format.version(found) !== version) return { kind: 'conflict', current: table.rowOf(row, found) }
    const record = toBuffer(format.patch(found, row, set))
    const expiry = schema.expiryAt < 0 ? null : format.expiry(record)
    return { kind: 'replace', key: rowkey, record, expiry: expiry === null ? '' : String(expiry), condition: found, now: '' }
  } catch (cause) {
    if (!isRowkeyError(cause)) throw cause
    return { kind: 'failed', cause }
  }
}

export const isChange = (one: Change | Outcome): one is Change => 'key' in one
