// Also tested by faults.test.ts and conformance.test.ts.
import type { Delete, Result } from '@rowkey/hbase-client'
import {
  applied,
  appliedTo,
  dependsOnValues,
  heldRow,
  isExpired,
  judge,
  type MaybePromise,
  type Mutation,
  type Outcome,
  type Row,
  unmetPrecondition,
  unprocessed,
  type Verdict,
  withPatch,
  type WriteOptions,
} from 'rowkey/adapter'
import { deletionOf, isAbsent, isUnchanged, patchOf, replacementOf, type Replacement, type Requirement } from '../changes.js'
import { wholeRow } from '../client/selection.js'
import type { TableContext } from '../context.js'
import { unmarked } from '../errors.js'
import { getResult } from '../get.js'
import { failedRead } from '../outcomes.js'
import { markIn } from '../rows.js'
import { applyIf, deleteIf } from './apply-if.js'

/**
 * Whether a mutation is computed from the row, so that the row is read before it is sent: a check of the server compares one cell, as bytes. An
 * expired row does not exist for a mutation, and the server does not know that.
 */
export function needsRow({ schema, server }: TableContext, mutation: Mutation): boolean {
  if (mutation.kind === 'insert') return false
  if (server.timestamps !== undefined) return true // that of the change must be later than those of the row
  const isEmpty = mutation.kind === 'update' && mutation.set.length === 0
  return schema.expiryIndex >= 0 || isEmpty || dependsOnValues(mutation) || isReturned(mutation)
}

const isReturned = (mutation: Mutation): boolean => mutation.kind === 'update' && mutation.returns === true

/** How often a change is computed again because another write has changed the row. */
const maxLooks = 10

/**
 * A change that is computed from the row, and applied if nobody has changed the row since.
 *
 * @param tried marks of changes by this mutation that were refused
 */
export async function writeJudged(
  table: TableContext,
  mutation: Mutation,
  rowkey: Uint8Array,
  tried: Uint8Array[],
  options: WriteOptions,
): Promise<Outcome> {
  const isOver = (): boolean => options.cancellation?.isOver === true
  for (let look = 0; look < maxLooks && !isOver(); look++) {
    let found: Result | undefined
    let verdict: Verdict
    try {
      found = await readRow(table, mutation, rowkey)
      if (found !== undefined && isOneOf(tried, markIn(found)?.value)) return doneBefore(table, mutation, found)
      verdict = verdictOf(table, mutation, found, options.now)
    } catch (cause) {
      return isOver() ? unprocessed : failedRead(cause)
    }
    if (verdict.kind === 'outcome') return verdict.outcome
    const check = checkOf(table, found, rowkey)
    const change = await changeOf(table, verdict, found, rowkey)
    if (isOver()) break // while the row was read
    const sent =
      change === undefined ? applied : 'put' in change ? await applyIf(table, check, change, tried) : await deleteIf(table, check, change)
    if (sent !== 'refused') return sent === applied ? doneOf(table, mutation, verdict, found) : sent
  }
  return unprocessed
}

/** Whether the whole row is read: to compute what a mutation does, or to return it, also where another row or version is in its way. */
const readsWhole = (mutation: Mutation): boolean =>
  mutation.kind === 'insert' || mutation.version !== undefined || dependsOnValues(mutation) || isReturned(mutation)

/** The row as it is now, with the columns that decide. */
function readRow(table: TableContext, mutation: Mutation, row: Uint8Array): Promise<Result | undefined> {
  return getResult(table, { row, ...(readsWhole(mutation) ? wholeRow : ownReader(table).selection) })
}

/** Reads when a row expires and which version it has, and nothing that this model perhaps cannot hold. */
function ownReader({ schema, format }: TableContext): ReturnType<TableContext['format']['reader']> {
  return format.reader([schema.expiryIndex, schema.versionIndex].filter((position) => position >= 0))
}

function verdictOf(table: TableContext, mutation: Mutation, found: Result | undefined, now: number): Verdict {
  const { schema, format } = table
  const { kind, row } = mutation
  const own = found === undefined ? undefined : ownReader(table).rowOf(row, found)
  const current = own === undefined || isExpired(schema, own, now) ? undefined : own
  const whole = (): Row | undefined => (found === undefined ? undefined : format.reader().rowOf(row, found))
  if (dependsOnValues(mutation)) return judge(mutation, current === undefined ? undefined : whole())
  const held = (): Row | undefined => (readsWhole(mutation) ? whole() : undefined)
  const unmet = unmetPrecondition(mutation, current !== undefined, current?.[schema.versionIndex], held)
  if (unmet !== undefined) return { kind: 'outcome', outcome: unmet }
  if (mutation.kind === 'update') return { kind: 'patch', row, set: mutation.set }
  return kind === 'delete' ? { kind: 'remove' } : { kind: 'store', row }
}

type Change = Exclude<Verdict, { kind: 'outcome' }>

/** That the row is still as it was found. @throws RowkeyError `CORRUPT_ROW` */
function checkOf(table: TableContext, found: Result | undefined, rowkey: Uint8Array): Requirement {
  if (found === undefined) return isAbsent(rowkey)
  const seen = markIn(found)
  if (seen === undefined) throw unmarked(table.schema.name)
  table.server.timestamps?.saw(rowkey, seen.timestamp)
  return isUnchanged(rowkey, seen.value)
}

/** undefined: there is nothing to change. */
function changeOf(
  table: TableContext,
  verdict: Change,
  found: Result | undefined,
  rowkey: Uint8Array,
): MaybePromise<Replacement | Delete | undefined> {
  switch (verdict.kind) {
    case 'remove':
      return found === undefined ? undefined : deletionOf(table, rowkey, markIn(found)?.timestamp)
    case 'store':
      return replacementOf(table, verdict.row, rowkey)
    case 'patch':
      return verdict.set.length === 0 ? undefined : patchOf(table, verdict.row, verdict.set, rowkey)
  }
}

const isOneOf = (tried: readonly Uint8Array[], mark: Uint8Array | undefined): boolean =>
  mark !== undefined && tried.some((each) => Buffer.compare(each, mark) === 0)

/** The row is as this mutation has left it. */
const doneBefore = ({ format }: TableContext, mutation: Mutation, found: Result): Outcome =>
  isReturned(mutation) ? appliedTo(heldRow(() => format.reader().rowOf(mutation.row, found))) : applied

function doneOf({ format }: TableContext, mutation: Mutation, verdict: Change, found: Result | undefined): Outcome {
  if (!isReturned(mutation) || verdict.kind === 'remove') return applied
  if (verdict.kind === 'store') return appliedTo(verdict.row)
  const { row, set } = verdict
  return appliedTo(heldRow(() => withPatch(format.reader().rowOf(mutation.row, found as Result), row, set)))
}
