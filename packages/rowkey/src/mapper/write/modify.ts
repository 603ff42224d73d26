// Tested by writes-versions.test.ts.
import { isRowkeyError, type Row, RowkeyError } from '#codec'
import { show } from '#codec/internal'
import type { Cancellation } from '#store/adapter'
import type { WriteRequest } from '#store/engine'
import { missingRow } from '../rows/missing.js'
import { rowNow } from '../table/read-rows.js'
import { contention } from './change-row.js'
import type { Update } from './prepare.js'
import type { HeldTurn, RowWrites } from './row-writes.js'
import { sameRow } from '../table/same-row.js'
import { untilUnchanged } from './until-unchanged.js'
import { checkWriteOptions, expiresIn, modifyRules, type ModifyOptions } from './write-options.js'

type Given = Readonly<Record<string, unknown>>
type Change = (row: never) => unknown

/**
 * Reads a row, calls `change`, and writes the result if nobody has changed the row in between. Otherwise it retries after a random pause.
 * Whether somebody has is said by the version of the row, or else by its values.
 */
export async function modifyRow(writes: RowWrites, given: Given, change: Change, options: ModifyOptions): Promise<object> {
  const { handle, preparer } = writes
  preparer.refusePlain('modify')
  if (handle.schema.versionIndex < 0) preparer.refuseLacking('modify()')
  checkWriteOptions('modify', options, modifyRules)
  expiresIn(handle.schema, options)
  if (typeof change !== 'function') {
    const message = `modify() takes a function from the row to a patch, not ${show(change)}.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'change', value: show(change) })
  }
  const key = handle.rows.toKey(given)
  const request = writes.request('modify', options, handle.mapper.clock())
  const mutation: Update = { kind: 'update', schema: handle.schema, row: key, set: [] }
  return writes.inTurn(mutation, request, async (turn) =>
    untilUnchanged(writes, request, {
      once: async () => modifyOnce(writes, key, change, options, request, turn),
      isLost: (error) => isRowkeyError(error, 'VERSION_CONFLICT') || error instanceof Unlike,
      contention: (error, attempts) =>
        error instanceof Unlike
          ? contention(writes, 'modify', key, attempts, 'it is changed only as long as it is as change() saw it', error.cause)
          : error,
    }),
  )
}

async function modifyOnce(
  writes: RowWrites,
  key: Row,
  change: Change,
  options: ModifyOptions,
  request: WriteRequest,
  turn: HeldTurn,
): Promise<object> {
  const { handle, preparer } = writes
  const { schema, rows, mapper } = handle
  const { cancellation } = request
  const hasVersion = schema.versionIndex >= 0
  const row = await (hasVersion ? versionedRow(writes, key, request, turn) : existingRow(writes, key, cancellation))
  const patch = await turn.outside(change(rows.toObject(row) as never), cancellation)
  if (patch === undefined) return writes.written({ kind: 'put', schema, row })
  const now = mapper.clock()
  const mutation = preparer.preparePatch(key, patch as Given, now, options)
  const after = row.map((value, i) => (mutation.set.includes(i) ? (mutation.row[i] ?? null) : value))
  const checking = preparer.checkPatched(after)
  if (checking !== undefined) await turn.outside(checking, cancellation)
  const unchanged = hasVersion ? { version: row[schema.versionIndex] as string } : { conditions: sameRow(schema, row) }
  try {
    await turn.send({ ...mutation, ...unchanged, after }, { ...request, now })
  } catch (error) {
    throw isRowkeyError(error, 'CONDITION_FAILED') ? new Unlike('', { cause: error }) : error
  }
  return writes.written(mutation)
}

/** The values of the row are not those that were read. What change() throws may be the same error, and is not that. */
class Unlike extends Error {}

/** The current row. If it was written before its table had versions, it gets its first version here. @throws RowkeyError `ROW_NOT_FOUND` */
async function versionedRow(writes: RowWrites, key: Row, request: WriteRequest, turn: HeldTurn): Promise<Row> {
  const { handle, preparer } = writes
  const { versionIndex } = handle.schema
  const row = await existingRow(writes, key, request.cancellation)
  if (row[versionIndex] !== null) return row
  const first = preparer.firstVersion(key, handle.mapper.clock())
  await turn.send(first, { ...request, now: handle.mapper.clock() })
  const versioned = await existingRow(writes, key, request.cancellation)
  if (versioned[versionIndex] === null) throw unversioned(writes, key, first.row[versionIndex] as string)
  return versioned
}

async function existingRow({ handle }: RowWrites, key: Row, cancellation: Cancellation | undefined): Promise<Row> {
  const row = await rowNow(handle, key, cancellation)
  if (row !== undefined) return row
  throw missingRow(handle.schema.name, handle.rows.keyOf(key), 'modify() changes existing rows. Create it with insert() or put()')
}

/** A program whose model has no version has overwritten the one that the row got. */
function unversioned({ handle }: RowWrites, key: Row, expected: string): Error {
  const table = handle.name
  const message =
    `modify() gave a row of '${table}' a version, and another program has removed it, because its model declares no version. ` +
    'Restart that program with a model that declares it.'
  return new RowkeyError('VERSION_CONFLICT', message, { table, key: handle.rows.keyOf(key), expected, current: null })
}
