// Tested by delete-all.test.ts.
import type { Row } from '#codec'
import { isExpired, type Cancellation, type Mutation, type Outcome, type ReadOptions } from '#store/adapter'
import { compileFilter, getRows, lastBegin, writeError, type WriteRequest } from '#store/engine'
import { requiresNothing, type Requirements } from '../rows/requirements.js'
import type { TableHandle } from '../table/table-handle.js'
import { sameRow } from '../table/same-row.js'

/**
 * Deletes rows that a scan has read, if they still meet it, and returns how many. The store looks at that: at the version that the row had,
 * or else at the conditions of the scan, or at all values of the row if a filter in code decided. A row that has changed is read again, and
 * deleted if it meets the scan as it is now.
 *
 * A table with plain writes, and a store that cannot compare values, deletes what was read without looking again.
 *
 * @throws RowkeyError `WRITE_INCOMPLETE`, also for a row that changed at every attempt; `DEADLINE`; the reason of an aborted signal
 */
export async function removeRows(
  handle: TableHandle,
  found: readonly Row[],
  requires: Requirements,
  cancellation: Cancellation | undefined,
): Promise<number> {
  const { mapper } = handle
  const request = { attempts: mapper.attempts, cancellation }
  let rows = found
  let removed = 0
  for (let attempt = 1; ; attempt++) {
    const sending: WriteRequest = { ...request, now: mapper.clock() }
    const mutations = rows.map((row) => removal(handle, row, requires, attempt))
    const outcomes = await mapper.sender.each([handle], mutations, sending)
    removed += outcomes.filter(({ kind }) => kind === 'applied').length
    if (!outcomes.every(isSettled)) throw writeError(mutations, outcomes.map(withoutSettled), sending)
    // A row that fails the conditions themselves does not meet the scan any more. Of another one only is known that it has changed.
    const changed = rows.filter((_, i) => outcomes[i]?.kind === 'conflict' && mutations[i]?.conditions !== requires.conditions)
    if (changed.length === 0) return removed
    // Read after the pause, not before it: what was read must still be so when the delete arrives.
    const isAgain = await mapper.sender.backOff(attempt, sending)
    rows = await meeting(handle, changed, requires, cancellation)
    if (rows.length === 0) return removed
    if (isAgain) continue
    cancellation?.throwIfOver()
    throw writeError(
      rows.map((row) => removal(handle, row, requires, attempt)),
      rows.map((current): Outcome => ({ kind: 'conflict', current })),
      sending,
    )
  }
}

/**
 * A delete of a row that was read, on the condition that makes sure that it still meets the scan, if the store can check one: at first the
 * version. A row that is written all the time has another one whenever the delete arrives, but may still meet the conditions.
 */
function removal({ schema, mapper }: TableHandle, row: Row, requires: Requirements, attempt: number): Mutation {
  const mutation: Mutation = { kind: 'delete', schema, row: row.slice(0, schema.keyLength) }
  if (schema.writes === 'plain' || requiresNothing(requires)) return mutation
  const { conditions: compares } = mapper.adapter.capabilities
  const version = row[schema.versionIndex]
  const isByVersion = attempt === 1 || requires.filter !== undefined || compares !== 'columns'
  if (isByVersion && typeof version === 'string' && (compares === 'version' || compares === 'columns')) return { ...mutation, version }
  if (compares !== 'columns') return mutation
  return { ...mutation, conditions: requires.filter === undefined ? requires.conditions : sameRow(schema, row) }
}

/** Deleted, gone, or changed: nothing that the caller has to know of. */
const isSettled = ({ kind }: Outcome): boolean => kind === 'applied' || kind === 'missing' || kind === 'conflict'

const withoutSettled = (outcome: Outcome): Outcome => (isSettled(outcome) ? { kind: 'applied' } : outcome)

/** Those rows, as they are now, that meet the scan. */
async function meeting(
  handle: TableHandle,
  changed: readonly Row[],
  { conditions, filter }: Requirements,
  cancellation: Cancellation | undefined,
): Promise<readonly Row[]> {
  const { schema, mapper } = handle
  const read: ReadOptions = { consistency: 'strong', cancellation }
  const keys = changed.map((row) => row.slice(0, schema.keyLength))
  const now = await getRows(schema, await handle.store(cancellation, lastBegin(schema, keys)), keys, read)
  const passes = compileFilter(schema, conditions)
  return now.filter(
    (row): row is Row =>
      row !== undefined && !isExpired(schema, row, mapper.clock()) && passes(row) && (filter === undefined || filter(row)),
  )
}
