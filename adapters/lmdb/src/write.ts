import {
  applied,
  appliedTo,
  dependsOnValues,
  failed,
  failedBy,
  heldRow,
  isUnconditional,
  judge,
  keyOf,
  type Mutation,
  type Outcome,
  type TableSchema,
  unknown,
  unmetPrecondition,
  unprocessed,
  type WriteOptions,
} from 'rowkey/adapter'
import { partLength } from './capabilities.js'
import type { TableContext } from './context.js'
import { keyTooLong } from './errors.js'
import { CommitFailure, type Committer } from './file/committer.js'

/** Where the rows of a mutation live. */
export type TableOf = (schema: TableSchema) => TableContext

/** A mutation, prepared as far as possible outside of a transaction. */
interface Prepared {
  readonly mutation: Mutation
  readonly table: TableContext
  readonly key: Buffer
  /** Of a put or insert. */
  readonly record: Uint8Array | undefined
}

/** A mutation whose condition holds, with the record to write; none = delete. */
type Accepted = Pick<Prepared, 'mutation' | 'table' | 'key' | 'record'>

type Step = (prepared: readonly (Prepared | Outcome)[], now: number) => readonly Outcome[]

/** The outcome of each mutation of a batch. An atomic batch is one transaction. Others share transactions. */
export async function write(
  batch: readonly Mutation[],
  options: WriteOptions,
  tableOf: TableOf,
  committer: Committer,
): Promise<readonly Outcome[]> {
  if (options.atomic !== undefined) return transact(batch, writeAll, options, tableOf, committer)
  if (batch.length <= partLength) return transact(batch, writeEach, options, tableOf, committer)
  const outcomes: Outcome[] = []
  for (let at = 0; at < batch.length; at += partLength) {
    outcomes.push(...(await transact(batch.slice(at, at + partLength), writeEach, options, tableOf, committer)))
  }
  return outcomes
}

async function transact(
  batch: readonly Mutation[],
  step: Step,
  { now, cancellation }: WriteOptions,
  tableOf: TableOf,
  committer: Committer,
): Promise<readonly Outcome[]> {
  const prepared = batch.map((mutation) => prepare(mutation, tableOf))
  try {
    return await committer.submit(() => (cancellation?.isOver === true ? batch.map(() => unprocessed) : step(prepared, now)), batch.length)
  } catch (failure) {
    if (!(failure instanceof CommitFailure)) throw failure
    return batch.map(() => (failure.isUnknown ? unknown(failure.cause) : failed(failure.cause)))
  }
}

/** Encodes key and record. If a mutation is invalid, that is its outcome, and the others are not affected. */
function prepare(mutation: Mutation, tableOf: TableOf): Prepared | Outcome {
  try {
    const { schema, row, kind } = mutation
    const table = tableOf(schema)
    const { bytes } = keyOf(mutation)
    const key = table.nativeKey(bytes)
    if (key === undefined) throw keyTooLong(schema.name, bytes.length)
    return { mutation, table, key, record: kind === 'put' || kind === 'insert' ? table.rows.format.encode(row) : undefined }
  } catch (cause) {
    return failedBy(cause)
  }
}

/** Inside a transaction: writes in the given order. A failure does not stop the others. */
function writeEach(prepared: readonly (Prepared | Outcome)[], now: number): readonly Outcome[] {
  return prepared.map((one) => {
    const checked = check(one, now)
    if (!isAccepted(checked)) return checked
    return apply(checked)
  })
}

/** Inside a transaction: checks everything, then writes everything. */
function writeAll(prepared: readonly (Prepared | Outcome)[], now: number): readonly Outcome[] {
  const checks = prepared.map((one) => check(one, now))
  const accepted = checks.filter(isAccepted)
  if (accepted.length < checks.length) return checks.map((one) => (isAccepted(one) ? unprocessed : one))
  return accepted.map(apply)
}

const isPrepared = (one: Prepared | Outcome): one is Prepared => 'key' in one
const isAccepted = (one: Accepted | Outcome): one is Accepted => 'key' in one

function check(one: Prepared | Outcome, now: number): Accepted | Outcome {
  if (!isPrepared(one)) return one
  try {
    const { mutation, table, key } = one
    table.mustLive()
    const { row } = mutation
    if (isUnconditional(mutation)) return one
    const found = table.environment.db.getBinary(key)
    const current = found === undefined || table.rows.isExpired(found, now) ? undefined : found
    if (!dependsOnValues(mutation)) {
      const version = current === undefined ? undefined : table.rows.format.version(current)
      const refused = unmetPrecondition(mutation, current !== undefined, version, () => table.rows.rowOf(row, current as Buffer))
      if (refused !== undefined) return refused
      return mutation.kind === 'update' ? { ...one, record: table.rows.format.patch(current as Buffer, row, mutation.set) } : one
    }
    const verdict = judge(mutation, current === undefined ? undefined : table.rows.rowOf(row, current))
    if (verdict.kind === 'outcome') return verdict.outcome
    if (verdict.kind === 'remove') return { ...one, record: undefined }
    const { format } = table.rows
    return {
      ...one,
      record: verdict.kind === 'store' ? format.encode(verdict.row) : format.patch(current as Buffer, verdict.row, verdict.set),
    }
  } catch (cause) {
    return failedBy(cause)
  }
}

function apply({ mutation, table, key, record }: Accepted): Outcome {
  const { db } = table.environment
  if (record === undefined) db.removeSync(key)
  else db.putSync(key, record as Buffer)
  if (record === undefined || mutation.kind !== 'update' || mutation.returns !== true) return applied
  return appliedTo(heldRow(() => table.rows.rowOf(mutation.row, record)))
}
