import { isRowkeyError, type Mutation, type Outcome, type TableSchema, type WriteOptions } from '@rowkey/store'
import type { LmdbTable } from './table-store.js'
import { keyTooLong } from './errors.js'

const applied: Outcome = Object.freeze({ kind: 'applied' })
const missing: Outcome = Object.freeze({ kind: 'missing' })
const unprocessed: Outcome = Object.freeze({ kind: 'unprocessed' })

/** Where the rows of a mutation live. */
export type TableOf = (schema: TableSchema) => LmdbTable

/** A mutation as far as it can be worked out outside of a transaction. */
export interface Prepared {
  readonly mutation: Mutation
  readonly table: LmdbTable
  readonly key: Buffer
  /** Of put and insert. */
  readonly record: Uint8Array | undefined
}

/** A mutation whose condition holds, with the record to write; none = delete. */
type Accepted = Pick<Prepared, 'table' | 'key' | 'record'>

/** What is wrong with a mutation is its own outcome; what is wrong with LMDB is not. */
function orFailed<T>(run: () => T): T | Outcome {
  try {
    return run()
  } catch (cause) {
    if (!isRowkeyError(cause)) throw cause
    return { kind: 'failed', cause }
  }
}

/** Keys and records of a batch. */
export function prepare(batch: readonly Mutation[], tableOf: TableOf): readonly (Prepared | Outcome)[] {
  return batch.map((mutation) =>
    orFailed(() => {
      const { schema, row, kind } = mutation
      const table = tableOf(schema)
      const key = table.keyOf(row)
      if (key === undefined) throw keyTooLong(schema.name, schema.layout.rowkey(row).length)
      return { mutation, table, key, record: kind === 'put' || kind === 'insert' ? table.format.encode(row) : undefined }
    }),
  )
}

/** Inside a transaction: writes in the given order; what fails does not stop the others. */
export function writeEach(prepared: readonly (Prepared | Outcome)[], options: WriteOptions): readonly Outcome[] {
  return prepared.map((one) => {
    const checked = check(one, options.now)
    if (!isAccepted(checked)) return checked
    apply(checked)
    return applied
  })
}

/** Inside a transaction: checks everything, then writes everything. */
export function writeAll(prepared: readonly (Prepared | Outcome)[], options: WriteOptions): readonly Outcome[] {
  const checks = prepared.map((one) => check(one, options.now))
  const accepted = checks.filter(isAccepted)
  if (accepted.length < checks.length) return checks.map((one) => (isAccepted(one) ? unprocessed : one))
  for (const one of accepted) apply(one)
  return checks.map(() => applied)
}

const isPrepared = (one: Prepared | Outcome): one is Prepared => 'key' in one
const isAccepted = (one: Accepted | Outcome): one is Accepted => 'key' in one

function check(one: Prepared | Outcome, now: number): Accepted | Outcome {
  if (!isPrepared(one)) return one
  return orFailed(() => {
    const { mutation, table, key } = one
    table.mustLive()
    const { kind, version, row } = mutation
    if (version === undefined && (kind === 'put' || kind === 'delete')) return one
    const found = table.environment.db.getBinary(key)
    const current = found === undefined || isExpired(table, found, now) ? undefined : found
    const refused = refusal(one, current)
    if (refused !== undefined) return refused
    return kind === 'update' ? { table, key, record: table.format.patch(current as Buffer, row, mutation.set) } : one
  })
}

/** Why the mutation must not be applied, undefined if it may be. */
function refusal({ mutation, table }: Prepared, current: Buffer | undefined): Outcome | undefined {
  const { kind, version, row } = mutation
  const conflict = (): Outcome => ({ kind: 'conflict', current: table.rowOf(row, current as Buffer, table.wholeReader) })
  if (kind === 'insert') return current === undefined ? undefined : conflict()
  if (current === undefined) return missing
  return version === undefined || table.format.version(current) === version ? undefined : conflict()
}

function isExpired({ schema, format }: LmdbTable, record: Uint8Array, now: number): boolean {
  if (schema.expiryAt < 0) return false
  const expiry = format.expiry(record)
  return expiry !== null && expiry <= now
}

function apply({ table, key, record }: Accepted): void {
  const { db } = table.environment
  if (record === undefined) db.removeSync(key)
  else db.putSync(key, record as Buffer)
}
