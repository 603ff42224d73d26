import type { Row } from '@rowkey/codec'
import type { MaybePromise } from '@rowkey/store/adapter'
import { isRowkeyError } from '@rowkey/codec'
import { inTime, isExpired } from '@rowkey/store/adapter'
import { backOff, getRows, judge, outcomeError, withPatch, type WriteRequest } from '@rowkey/store/engine'
import { mapperError } from '../call/errors.js'
import type { Update } from './prepare.js'
import type { RowWrites } from './row-writes.js'
import { sameRow } from './same-row.js'
import type { IncrementOptions, UpdateOptions, UpsertOptions } from './write-options.js'

type Given = Readonly<Record<string, unknown>>

/** Changes columns of an existing row. */
export function updateRow(writes: RowWrites, key: Given, patch: Given, options: UpdateOptions): MaybePromise<object> {
  const now = writes.handle.mapper.clock()
  return changeRow(writes, writes.preparer.prepareUpdate(key, patch, options, now), writes.request('update', options, now))
}

/** Creates a row or changes the given columns of it. */
export function upsertRow(writes: RowWrites, row: Given, options: UpsertOptions): MaybePromise<object> {
  const now = writes.handle.mapper.clock()
  return changeRow(writes, writes.preparer.prepareUpsert(row, options, now), writes.request('upsert', options, now))
}

/** Adds amounts to columns of a row. */
export function incrementRow(writes: RowWrites, key: Given, by: Given, options: IncrementOptions): MaybePromise<object> {
  const now = writes.handle.mapper.clock()
  return changeRow(writes, writes.preparer.prepareIncrement(key, by, options, now), writes.request('increment', options, now))
}

/** The store computes the new row by itself, unless that row has to pass checks which a part of it cannot show to hold. */
function changeRow(writes: RowWrites, mutation: Update, request: WriteRequest): MaybePromise<object> {
  return writes.preparer.mustSeeRow(mutation) ? changeChecked(writes, mutation, request) : writes.writeChecked(mutation, request)
}

/**
 * A change in a table whose rows have checks: the row is read, the changed row is computed and checked, and written if the existing one is
 * still the same. Otherwise it starts again after a random pause.
 *
 * @throws RowkeyError as an update, `CHECK_NEEDS_ROW`, `VALIDATION_FAILED`, after the last attempt `WRITE_FAILED`, which may be repeated
 */
async function changeChecked(writes: RowWrites, mutation: Update, request: WriteRequest): Promise<object> {
  writes.preparer.refuseUncomparable(mutation)
  // Whoever is late found that somebody else was not: all together, they get on.
  const contended = { ...request, attempts: request.attempts * contendedFactor }
  for (let attempt = 1; ; attempt++) {
    request.cancellation?.throwIfOver()
    const found = await currentRow(writes, mutation, request)
    try {
      return await changeOnce(writes, mutation, found, request)
    } catch (error) {
      if (!isChanged(error) || isOwnCondition(mutation, found)) throw error
      if (await backOff(writes.handle.mapper.writer, attempt, contended)) continue
      request.cancellation?.throwIfOver()
      throw contention(writes, mutation, attempt, error)
    }
  }
}

/** How many times as often a change is tried that only others have hindered. */
const contendedFactor = 8

/** Neither the caller's condition nor its version is to blame: others were faster, each time. */
function contention({ handle }: RowWrites, { kind, row }: Update, attempts: number, cause: unknown): Error {
  const { schema, rows } = handle
  const message =
    `${kind} of a row of '${schema.name}' was not applied: the row has to pass checks before it is changed, and each of the ${attempts} times ` +
    'that it had, somebody else had changed it in the meantime. It is safe to repeat the call. If many programs change this row all the ' +
    'time, divide it into several rows.'
  return mapperError('WRITE_FAILED', message, { table: schema.name, key: rows.keyOf(row) as Given, repeatable: true }, { cause })
}

async function changeOnce(writes: RowWrites, mutation: Update, found: Row | undefined, request: WriteRequest): Promise<object> {
  const { handle, preparer } = writes
  const verdict = judge(mutation, found)
  // Not what the store says: it could add to a row that was created or changed in the meantime, unchecked.
  if (verdict.kind === 'outcome') throw outcomeError(mutation, verdict.outcome)
  if (verdict.kind !== 'patch' || found === undefined) {
    const checking = preparer.check(mutation)
    if (checking !== undefined) await inTime(request.cancellation, checking)
    const { schema, create, key } = mutation
    await writes.send({ kind: 'insert', schema, row: create ?? mutation.row, ...(key === undefined ? {} : { key }) }, request)
    return finished(writes, mutation, create)
  }
  const after = withPatch(found, verdict.row, verdict.set)
  const checking = preparer.checkPatched(after)
  if (checking !== undefined) await inTime(request.cancellation, checking)
  const { additions: _, create: __, ...update } = mutation
  const row = await writes.send({ ...update, row: verdict.row, set: verdict.set, conditions: sameRow(handle.schema, found) }, request)
  return finished(writes, mutation, row ?? after)
}

function finished(writes: RowWrites, mutation: Update, row: Row | undefined): object {
  return mutation.returns === true && row !== undefined ? writes.writtenRow(mutation, row) : writes.written(mutation)
}

const isChanged = (error: unknown): boolean =>
  isRowkeyError(error, 'CONDITION_FAILED') || isRowkeyError(error, 'ROW_EXISTS') || isRowkeyError(error, 'VERSION_CONFLICT')

/** Whether the row that was read already fails what the caller requires of it. */
function isOwnCondition(mutation: Update, found: Row | undefined): boolean {
  return found !== undefined && judge(mutation, found).kind === 'outcome'
}

async function currentRow({ handle }: RowWrites, { row: given }: Update, { cancellation }: WriteRequest): Promise<Row | undefined> {
  const { schema, mapper } = handle
  const store = await handle.store(cancellation)
  const read = cancellation === undefined ? {} : { cancellation }
  const [row] = await getRows(schema, store, [given.slice(0, schema.keyLength)], { consistency: 'strong', ...read })
  return row === undefined || isExpired(schema, row, mapper.clock()) ? undefined : row
}
