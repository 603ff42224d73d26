import { applied, appliedTo, dependsOnValues, failed, isExpired, judge, RowkeyError, withPatch } from '@rowkey/store/adapter'
import type { Mutation, Outcome, Row, Verdict } from '@rowkey/store/adapter'
import { name } from '../options.js'
import { deleteRow, insertRow, replaceRow, rewriteRow, updateRow, type Condition } from '../changes.js'
import type { Bound } from '../client/session.js'
import type { Stored, TableContext } from '../context.js'

/** A change that was computed from the row, and is applied if what it was computed from is still the same. */
export interface JudgedChange {
  /** Why it must not be applied. */
  readonly refused: Outcome | undefined
  /** Its outcome once it is applied. */
  readonly done: Outcome
  /** Whether it leaves the row as it is. */
  readonly isEmpty: boolean
  statement(): Promise<Bound> | Bound
}

/** Whether the row is read to compute what a mutation does, to return it, or to write it again with another expiry. */
export function isJudged(mutation: Mutation): boolean {
  return dependsOnValues(mutation) || dependsOnRow(mutation)
}

/** Whether all columns of the row have to be the same as they were read. */
function dependsOnRow(mutation: Mutation): boolean {
  return mutation.kind === 'update' && (mutation.returns === true || mutation.set.includes(mutation.schema.expiryIndex))
}

/** undefined for a mutation that does not depend on values of the row. */
export function judgedChange(
  table: TableContext,
  mutation: Mutation,
  known: Stored | undefined | 'unread',
  now: number,
): JudgedChange | undefined {
  if (known === 'unread' || !isJudged(mutation)) return undefined
  const { schema } = table
  const current = known?.row === undefined || isExpired(schema, known.row, now) ? undefined : known.row
  const verdict = judge(mutation, current)
  if (verdict.kind === 'outcome') return refusing(verdict.outcome)
  const condition = current === undefined ? undefined : conditionOn(table, mutation, current, known)
  if (condition instanceof Error) return refusing(failed(condition))
  return {
    refused: undefined,
    done: doneOf(mutation, verdict, current),
    isEmpty: verdict.kind === 'patch' && verdict.set.length === 0,
    statement: () => statementOf(table, mutation, verdict, current, condition, known, now),
  }
}

const refusing = (refused: Outcome): JudgedChange => ({ refused, done: applied, isEmpty: false, statement: noStatement })

function noStatement(): never {
  throw new Error('a refused change has no statement')
}

function doneOf(mutation: Mutation, verdict: Exclude<Verdict, { kind: 'outcome' }>, current: Row | undefined): Outcome {
  if (mutation.kind !== 'update' || mutation.returns !== true || verdict.kind === 'remove') return applied
  return appliedTo(verdict.kind === 'store' ? verdict.row : withPatch(current as Row, verdict.row, verdict.set))
}

function statementOf(
  table: TableContext,
  { row }: Mutation,
  verdict: Exclude<Verdict, { kind: 'outcome' }>,
  current: Row | undefined,
  condition: Condition | undefined,
  known: Stored | undefined,
  now: number,
): Promise<Bound> | Bound {
  if (verdict.kind === 'store' && condition === undefined) {
    // No row, or the remains of an expired one.
    return known === undefined
      ? insertRow(table, verdict.row, now, true)
      : replaceRow(table, verdict.row, now, { kind: 'seen', cell: known.cell })
  }
  if (verdict.kind === 'store') return replaceRow(table, verdict.row, now, condition as Condition)
  if (verdict.kind === 'remove') return deleteRow(table, row, condition)
  if (verdict.set.includes(table.schema.expiryIndex)) {
    return rewriteRow(table, withPatch(current as Row, verdict.row, verdict.set), now, condition as Condition)
  }
  return updateRow(table, verdict.row, verdict.set, now, condition as Condition)
}

/**
 * The condition that the columns which a change was computed from still are as they were read. A condition that columns are null also holds if
 * there is no row, and would create one. So one of the compared columns always has a value.
 */
function conditionOn({ schema, mode }: TableContext, mutation: Mutation, current: Row, known: Stored | undefined): Condition | Error {
  const { version, conditions = [] } = mutation
  const additions = mutation.kind === 'update' ? (mutation.additions ?? []) : []
  const values = schema.columns.flatMap((_, at) => (at < schema.keyLength || at === schema.expiryIndex ? [] : [at]))
  const compared = dependsOnRow(mutation) ? values : [...new Set([...conditions, ...additions].map(({ column }) => column))]
  const hasValue = (at: number): boolean => (current[at] ?? null) !== null
  const given = { ...(version === undefined ? {} : { version }), ...(mode === 'none' ? {} : { cell: known?.cell ?? null }) }
  const hasCell = mode !== 'none' && (known?.cell ?? null) !== null
  if (compared.length === 0 && version === undefined && !hasCell) return { kind: 'present' }
  const isSure = version !== undefined || hasCell || compared.some(hasValue)
  const another = isSure ? undefined : values.find(hasValue)
  if (!isSure && another === undefined) {
    const message = `${name} cannot tell a row of '${schema.name}' whose columns are all null from no row, so it cannot check a condition on it. Declare a required column or a version.`
    return new RowkeyError('NOT_SUPPORTED', message, { table: schema.name, capability: 'conditions', adapter: name })
  }
  const columns = [...compared, ...(another === undefined ? [] : [another])].filter(
    (at) => version === undefined || at !== schema.versionIndex,
  )
  return { kind: 'seen', ...given, same: { columns, row: current } }
}
