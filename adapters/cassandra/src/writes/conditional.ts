import {
  applied,
  dependsOnValues,
  isExpired,
  isUnconditional,
  type Mutation,
  type Outcome,
  unknown,
  unmetPrecondition,
  unprocessed,
  type WriteOptions,
} from 'rowkey/adapter'
import { isApplied, noVerdict } from '../client/answers.js'
import { refuseHeavy } from './batch-weight.js'
import { deleteRow, guard, insertRow, replaceRow, updateRow, type Condition } from '../changes.js'
import { beforeSending, isNameUnknown, outcomeOf, unknownName } from '../outcomes.js'
import type { Bound } from '../client/session.js'
import { isJudged, judgedChange, type JudgedChange } from './judged.js'
import type { TableContext, Stored } from '../context.js'

// All writes of a conditional table are lightweight transactions, also puts and deletes. A plain write has a timestamp of another clock, so it
// could hide a transaction that was acknowledged, or be hidden by it.

/** What is known of the row of a mutation. */
type Known = Stored | undefined | 'unread'

/** A mutation, what was read of its row, and what it makes of that. */
interface Look {
  readonly mutation: Mutation
  readonly known: Known
  /** undefined if it does not depend on values of the row. */
  readonly change: JudgedChange | undefined
}

/** Attempts to read and write while others write the same rows. */
const maxRounds = 8

/** Mutations of one partition, all or none: outcome i answers mutation i. */
export async function writeTogether(
  table: TableContext,
  mutations: readonly Mutation[],
  options: WriteOptions,
): Promise<readonly Outcome[]> {
  const { now, cancellation } = options
  const isOver = (): boolean => cancellation?.isOver === true
  let isRefused = false // by the server: then the rows must be read
  for (let round = 0; round < maxRounds; round++) {
    if (isOver()) break
    const looks = await lookAt(table, mutations, isRefused, now)
    const refusals = looks.map((look) => (look.change === undefined ? refusal(table, look, now) : look.change.refused))
    if (refusals.some((outcome) => outcome !== undefined)) return refusals.map((outcome) => outcome ?? unprocessed)
    const sending = looks.filter((look) => !isLookOnly(table, look))
    if (sending.every(isLook)) return looks.map(({ change }) => change?.done ?? applied)
    const statements = await statementsOf(table, sending, now)
    refuseHeavy(statements, mutations.length)
    if (isOver()) break // while rows were read
    const outcome = await send(table, statements)
    if (outcome !== 'refused') return looks.map(({ change }) => (outcome.kind === 'applied' ? (change?.done ?? outcome) : outcome))
    isRefused = true
  }
  return mutations.map(() => unprocessed)
}

async function lookAt(table: TableContext, mutations: readonly Mutation[], isRefused: boolean, now: number): Promise<readonly Look[]> {
  const read = async (mutation: Mutation): Promise<Known> =>
    looksFirst(table, mutation, isRefused) ? table.stored(mutation.row, isJudged(table, mutation) ? 'values' : 'presence') : 'unread'
  const found = await beforeSending(Promise.all(mutations.map(read)))
  const isAlone = mutations.length === 1
  return mutations.map((mutation, i) => ({ mutation, known: found[i], change: judgedChange(table, mutation, found[i], now, isAlone) }))
}

/** An update that changes nothing. Alone it only reads the row; in a batch it is a condition for the others. */
const isEmpty = (mutation: Mutation): boolean => mutation.kind === 'update' && mutation.set.length === 0 && !dependsOnValues(mutation)

const isLook = ({ mutation, change }: Look): boolean => change?.isLook ?? isEmpty(mutation)

/** CQL has no condition without a column to set. So in a table without value columns, such an update can only read the row. */
const isLookOnly = ({ schema }: TableContext, look: Look): boolean => isLook(look) && schema.columns.length === schema.keyLength

/** If rows expire, a condition includes the expiry that was read. An insert is tried first, because usually no row exists. */
function looksFirst(table: TableContext, mutation: Mutation, isRefused: boolean): boolean {
  if (isUnconditional(mutation)) return false
  return isRefused || isJudged(table, mutation) || isEmpty(mutation) || (table.mode !== 'none' && mutation.kind !== 'insert')
}

function refusal({ schema }: TableContext, { mutation, known }: Look, now: number): Outcome | undefined {
  if (known === 'unread') return undefined
  const row = known?.row
  const current = row === undefined || isExpired(schema, row, now) ? undefined : row
  const version = current?.[schema.versionIndex]
  return unmetPrecondition(mutation, current !== undefined, version, () => (known?.isWhole === true ? current : undefined))
}

/** With a guard if no mutation has a condition, because they must be a lightweight transaction all the same. */
async function statementsOf(table: TableContext, looks: readonly Look[], now: number): Promise<readonly Bound[]> {
  const each = looks.map(async (look) => look.change?.statements() ?? [await statementOf(table, look, now)])
  const statements = (await Promise.all(each)).flat()
  const isConditional = looks.some(({ mutation }) => !isUnconditional(mutation))
  return isConditional ? statements : [...statements, guard(table, (looks[0] as Look).mutation.row)]
}

async function statementOf(table: TableContext, { mutation, known }: Look, now: number): Promise<Bound> {
  const { row } = mutation
  if (mutation.kind === 'insert') {
    // Replaces what has expired: the row that was read, or its remains.
    const dead = known === 'unread' ? undefined : known
    return dead === undefined ? insertRow(table, row, now, 'refuse') : replaceRow(table, row, now, { kind: 'seen', cell: dead.cell })
  }
  if (isUnconditional(mutation)) {
    if (mutation.kind === 'delete') return deleteRow(table, row)
    return insertRow(table, row, now, mutation.kind === 'put' && mutation.nulls === 'unset' ? 'leave' : 'clear')
  }
  const condition = conditionOn(table, mutation, known)
  if (mutation.kind === 'delete') return deleteRow(table, row, condition)
  return mutation.kind === 'update' ? updateRow(table, row, mutation.set, now, condition) : replaceRow(table, row, now, condition)
}

/**
 * The condition that a row still is as it was read. A condition that a column is null also holds if there is no row, and would create one. So it is
 * never the only condition.
 */
function conditionOn({ mode }: TableContext, { version }: Mutation, known: Known): Condition {
  const given = version === undefined ? {} : { version }
  if (mode === 'none' || known === 'unread' || known === undefined)
    return version === undefined ? { kind: 'present' } : { kind: 'seen', ...given }
  // The row is older than the expiry of its table, and has no cell to compare.
  if (known.cell === null && version === undefined) return { kind: 'present' }
  return { kind: 'seen', ...given, cell: known.cell }
}

async function send(table: TableContext, statements: readonly Bound[]): Promise<Outcome | 'refused'> {
  try {
    const isDone = isApplied(await table.session.write(statements))
    if (isDone === undefined) return unknown(noVerdict(table.schema.name))
    return isDone ? applied : 'refused'
  } catch (error) {
    return isNameUnknown(error) ? unknownName(table, error, true) : outcomeOf(error, true)
  }
}
