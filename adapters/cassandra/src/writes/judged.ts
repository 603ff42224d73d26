// Tested by conditional.test.ts.
import {
  applied,
  appliedTo,
  dependsOnValues,
  failed,
  isExpired,
  judge,
  type Mutation,
  type Outcome,
  type Row,
  RowkeyError,
  type Verdict,
  withPatch,
} from 'rowkey/adapter'
import { name } from '../options.js'
import { deleteRow, insertRow, markRow, replaceRow, rewriteRow, updateRow, type Condition } from '../changes.js'
import { beforeSending } from '../outcomes.js'
import type { Bound } from '../client/session.js'
import type { Stored, TableContext } from '../context.js'

/** A change that was computed from the row, and is applied if what it was computed from is still the same. */
export interface JudgedChange {
  /** Why it must not be applied. */
  readonly refused: Outcome | undefined
  /** Its outcome once it is applied. */
  readonly done: Outcome
  /** Whether it leaves an existing row as it is. */
  readonly isLook: boolean
  statements(): Promise<readonly Bound[]>
}

type Change = Exclude<Verdict, { kind: 'outcome' }>

/** Whether the row is read to compute what a mutation does, or to return it. */
export function isJudged(table: TableContext, mutation: Mutation): boolean {
  return dependsOnValues(mutation) || isReturned(mutation) || changesExpiry(table, mutation)
}

const isReturned = (mutation: Mutation): boolean => mutation.kind === 'update' && mutation.returns === true

/** Whether a change of some columns gives the whole row another time to live. */
function changesExpiry({ schema, mode }: TableContext, mutation: Mutation): boolean {
  return mode === 'native' && mutation.kind === 'update' && mutation.set.includes(schema.expiryIndex)
}

/** undefined for a mutation that does not depend on values of the row. `isAlone`: it is not part of a batch. */
export function judgedChange(
  table: TableContext,
  mutation: Mutation,
  known: Stored | undefined | 'unread',
  now: number,
  isAlone: boolean,
): JudgedChange | undefined {
  if (known === 'unread' || !isJudged(table, mutation)) return undefined
  const current = known?.row === undefined || isExpired(table.schema, known.row, now) ? undefined : known.row
  const verdict = judge(mutation, current)
  if (verdict.kind === 'outcome') return refusal(verdict.outcome)
  const done = doneOf(mutation, verdict, current)
  const change = { refused: undefined, done, isLook: false }
  if (current === undefined) return { ...change, statements: async () => [await creation(table, verdict, known, now)] }
  const isLook = verdict.kind === 'patch' && verdict.set.length === 0
  if (isLook && isAlone) return { ...change, isLook, statements: notSent }
  const condition = conditionOn(table, mutation, current, known)
  const isUnsure = condition.kind === 'seen' && isOfNulls(condition)
  if (isUnsure && !isCreation(table, mutation, verdict, current)) return refusal(failed(cannotTell(table)))
  const mark = isUnsure ? [markRow(table, mutation.row)] : []
  return { ...change, isLook, statements: async () => [await statementOf(table, { mutation, verdict, current, condition }, now), ...mark] }
}

const refusal = (refused: Outcome): JudgedChange => ({ refused, done: applied, isLook: false, statements: notSent })

function notSent(): never {
  throw new Error('a change that is not sent has no statements')
}

function doneOf(mutation: Mutation, verdict: Change, current: Row | undefined): Outcome {
  if (!isReturned(mutation) || verdict.kind === 'remove') return applied
  return appliedTo(verdict.kind === 'store' ? verdict.row : withPatch(current as Row, verdict.row, verdict.set))
}

/** Writes a row if there is still none, or only the remains of an expired one. */
function creation(table: TableContext, verdict: Change, known: Stored | undefined, now: number): Promise<Bound> {
  if (verdict.kind !== 'store') return notSent()
  if (known === undefined) return insertRow(table, verdict.row, now, 'refuse')
  return replaceRow(table, verdict.row, now, { kind: 'seen', cell: known.cell })
}

/** A change of an existing row, and the condition that this row is still the same. */
interface Computed {
  readonly mutation: Mutation
  readonly verdict: Change
  readonly current: Row
  readonly condition: Condition
}

async function statementOf(table: TableContext, { mutation, verdict, current, condition }: Computed, now: number): Promise<Bound> {
  if (verdict.kind === 'store') return replaceRow(table, verdict.row, now, condition)
  if (verdict.kind === 'remove') return deleteRow(table, mutation.row, condition)
  const { row, set } = verdict
  if (condition.kind !== 'seen' || !changesExpiry(table, mutation)) return updateRow(table, row, set, now, condition)
  const added = await beforeSending(table.addedValues(mutation.row))
  return rewriteRow(table, withPatch(current, row, set), set, now, { ...condition, added })
}

/** The condition that the columns which a change was computed from, or which it writes again, still are as they were read. */
function conditionOn(table: TableContext, mutation: Mutation, current: Row, known: Stored | undefined): Condition {
  const { schema, mode } = table
  const { version, conditions = [] } = mutation
  const additions = mutation.kind === 'update' ? (mutation.additions ?? []) : []
  const values = schema.columns.flatMap((_, at) => (at < schema.keyLength || at === schema.expiryIndex ? [] : [at]))
  const isWhole = isReturned(mutation) || changesExpiry(table, mutation)
  const compared = isWhole ? values : [...new Set([...conditions, ...additions].map(({ column }) => column))]
  const cell = known?.cell ?? null
  const given = { ...(version === undefined ? {} : { version }), ...(mode === 'none' ? {} : { cell }) }
  const condition = (columns: readonly number[]): Seen => ({ kind: 'seen', ...given, same: { columns, row: current } })
  const others = version === undefined ? compared : compared.filter((at) => at !== schema.versionIndex)
  if (!isOfNulls(condition(others))) return condition(others)
  const another = values.find((at) => (current[at] ?? null) !== null)
  return compared.length === 0 ? { kind: 'present' } : condition(another === undefined ? compared : [...compared, another])
}

type Seen = Extract<Condition, { kind: 'seen' }>

/** Whether it only requires nulls. Then it also holds if there is no row, and would create one. */
function isOfNulls({ version, cell = null, same }: Seen): boolean {
  return version === undefined && cell === null && (same?.columns ?? []).every((at) => (same?.row[at] ?? null) === null)
}

/** Whether a change would make the same row if none existed, so it need not tell whether one does. */
function isCreation({ mode, schema, writers }: TableContext, mutation: Mutation, verdict: Change, current: Row): boolean {
  if (mode !== 'none' || verdict.kind !== 'patch' || mutation.kind !== 'update' || mutation.create === undefined) return false
  const { create } = mutation
  const after = withPatch(current, verdict.row, verdict.set)
  return schema.columns.every((_, at) => {
    const [one, other] = [create, after].map((row) => writers[at]?.(row[at] ?? null) ?? null)
    return at < schema.keyLength || one === other || (one != null && other != null && one.equals(other))
  })
}

function cannotTell({ schema }: TableContext): RowkeyError {
  const message =
    `${name} cannot tell a row of '${schema.name}' whose columns are all null from no row, so it cannot check a condition on it, add to it or ` +
    'return it. Declare a required column or a version.'
  return new RowkeyError('NOT_SUPPORTED', message, { table: schema.name, capability: 'conditions', adapter: name })
}
