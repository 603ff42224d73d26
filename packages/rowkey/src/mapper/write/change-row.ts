// Tested by writes-changes.test.ts.
import { isRowkeyError, type Row } from '#codec'
import type { MaybePromise } from '#store/adapter'
import { judge, onlyCreates, outcomeError, withPatch, type WriteRequest } from '#store/engine'
import { mapperError } from '../call/errors.js'
import { rowNow } from '../table/read-rows.js'
import type { Update } from './prepare.js'
import type { HeldTurn, RowWrites } from './row-writes.js'
import { contendedFactor, sameRow } from '../table/same-row.js'
import { untilUnchanged } from './until-unchanged.js'
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
 * still the same. Otherwise it starts again.
 *
 * @throws RowkeyError as an update, `CHECK_NEEDS_ROW`, `VALIDATION_FAILED`, after the last attempt `WRITE_FAILED`, which may be repeated
 */
async function changeChecked(writes: RowWrites, mutation: Update, request: WriteRequest): Promise<object> {
  writes.preparer.refuseUncomparable(mutation)
  const key = mutation.row.slice(0, mutation.schema.keyLength)
  /** Of the caller's own condition or version: the row that was read does not meet it, so nobody was faster. */
  let refused: unknown
  const once = async (turn: HeldTurn): Promise<object> => {
    const found = await rowNow(writes.handle, key, request.cancellation)
    const verdict = judge(mutation, found)
    // Not what the store says: it could add to a row that was created or changed in the meantime, unchecked.
    if (verdict.kind === 'outcome') throw (refused = outcomeError(mutation, verdict.outcome))
    return verdict.kind === 'patch' && found !== undefined
      ? patchFound(writes, mutation, found, verdict, request, turn)
      : createRow(writes, mutation, request, turn)
  }
  return writes.inTurn(mutation, request, async (turn) =>
    // Whoever is late found that somebody else was not: all together, they get on.
    untilUnchanged(
      writes,
      { ...request, attempts: request.attempts * contendedFactor },
      {
        once: async () => once(turn),
        isLost: (error) => error !== refused && isChanged(error),
        contention: (error, attempts) =>
          contention(writes, mutation.kind, mutation.row, attempts, 'the row has to pass checks before it is changed', error),
      },
    ),
  )
}

/** Neither the caller's condition nor its version is to blame: others were faster, each time. */
export function contention({ handle }: RowWrites, kind: string, row: Row, attempts: number, why: string, cause: unknown): Error {
  const { schema, rows } = handle
  const message =
    `${kind} of a row of '${schema.name}' was not applied: ${why}, and each of the ${attempts} times ` +
    'that it was read, somebody else had changed it in the meantime. It is safe to repeat the call. If many programs change this row all the ' +
    'time, divide it into several rows.'
  return mapperError('WRITE_FAILED', message, { table: schema.name, key: rows.keyOf(row) as Given, repeatable: true }, { cause })
}

async function createRow(writes: RowWrites, mutation: Update, request: WriteRequest, turn: HeldTurn): Promise<object> {
  await turn.outside(writes.preparer.check(mutation), request.cancellation)
  const { schema, create, key } = mutation
  await turn.send({ kind: 'insert', schema, row: create ?? mutation.row, key }, request)
  return finished(writes, mutation, create)
}

async function patchFound(
  writes: RowWrites,
  mutation: Update,
  found: Row,
  { row, set }: { readonly row: Row; readonly set: readonly number[] },
  request: WriteRequest,
  turn: HeldTurn,
): Promise<object> {
  if (onlyCreates(mutation)) return finished(writes, mutation, found)
  const after = withPatch(found, row, set)
  await turn.outside(writes.preparer.checkPatched(after), request.cancellation)
  const { additions: _, create: __, ...update } = mutation
  const written = await turn.send({ ...update, row, set, after, conditions: sameRow(writes.handle.schema, found) }, request)
  return finished(writes, mutation, written ?? after)
}

function finished(writes: RowWrites, mutation: Update, row: Row | undefined): object {
  return mutation.returns === true && row !== undefined ? writes.writtenRow(mutation, row) : writes.written(mutation, row)
}

const isChanged = (error: unknown): boolean =>
  isRowkeyError(error, 'CONDITION_FAILED') || isRowkeyError(error, 'ROW_EXISTS') || isRowkeyError(error, 'VERSION_CONFLICT')
