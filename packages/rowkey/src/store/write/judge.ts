// Tested by packages/rowkey/test/mapper/writes-changes.test.ts.
import type { Row, Value } from '#codec'
import type { SchemaColumn, TableSchema } from '#model'
import type { Conditions } from '../contract/reading.js'
import { conflict, failed, heldRow, missing } from '../contract/outcomes.js'
import type { Addition, Mutation, Outcome } from '../contract/writing.js'
import { typeFacts } from '#codec/internal'
import { storeError } from '../errors.js'
import { compileFilter } from '../predicate/evaluate.js'
import { keyObject, keyText } from './key-text.js'
import { sumOf } from './addition.js'

/** What a mutation does to the row that exists now: nothing, because of an outcome; replace or create it; change some columns; remove it. */
export type Verdict =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'store'; readonly row: Row }
  | { readonly kind: 'patch'; readonly row: Row; readonly set: readonly number[] }
  | { readonly kind: 'remove' }

const remove: Verdict = Object.freeze({ kind: 'remove' })

/**
 * Checks what a mutation requires of the existing row, and computes what it makes of it: for adapters that read the row and write it while
 * nobody else can, or if it is still the same.
 *
 * @param current the existing row with all its columns; undefined if there is none, or if it has expired
 * @example
 * ```ts
 * const verdict = judge(mutation, isExpired(schema, found, now) ? undefined : found)
 * if (verdict.kind === 'outcome') return verdict.outcome
 * ```
 */
export function judge(mutation: Mutation, current: Row | undefined): Verdict {
  const { kind, row, schema, conditions } = mutation
  const refused = unmetPrecondition(mutation, current !== undefined, current?.[schema.versionIndex], () => current)
  if (refused !== undefined) return { kind: 'outcome', outcome: refused }
  if (current !== undefined && conditions !== undefined && !holds(schema, conditions, current)) {
    return { kind: 'outcome', outcome: conflict(current) }
  }
  if (mutation.kind !== 'update') return kind === 'delete' ? remove : { kind: 'store', row }
  return current === undefined ? { kind: 'store', row: mutation.create ?? row } : patched(mutation, current)
}

/**
 * What a mutation requires of the existing row that can be told without its values: whether there is one, and its version. That is all,
 * unless the mutation {@link dependsOnValues}.
 *
 * @param exists whether there is a row that has not expired
 * @param version the version of that row; null or undefined if it has none
 * @param row reads it, because a refused write returns it if it can be read
 * @returns the outcome of the mutation if the requirement is not met; undefined if it is
 * @example
 * ```ts
 * const unmet = unmetPrecondition(mutation, found !== undefined, found?.version, () => rowOf(found))
 * if (unmet !== undefined) return unmet
 * ```
 */
export function unmetPrecondition(
  mutation: Mutation,
  exists: boolean,
  version: Value | undefined,
  row: () => Row | undefined,
): Outcome | undefined {
  if (mutation.kind === 'insert') return exists ? conflict(heldRow(row)) : undefined
  if (!exists) return mustExist(mutation) ? missing : undefined
  return mutation.version === undefined || mutation.version === version ? undefined : conflict(heldRow(row))
}

function mustExist(mutation: Mutation): boolean {
  if (mutation.kind === 'update') return mutation.create === undefined
  if (mutation.kind === 'put' && mutation.creates === true) return false
  return mutation.version !== undefined || mutation.conditions !== undefined
}

/**
 * Whether what a mutation does depends on values of the existing row, not only on whether it exists and on its version: then {@link judge}
 * says what it does.
 */
export function dependsOnValues(mutation: Mutation): boolean {
  if (mutation.conditions !== undefined) return true
  return mutation.kind === 'update' && (mutation.additions !== undefined || mutation.create !== undefined)
}

/** Whether the conditions of a mutation hold for a row. */
function holds(schema: TableSchema, conditions: Conditions, row: Row): boolean {
  return compileFilter(schema, conditions)(row)
}

function patched({ schema, row, set, additions = [] }: Extract<Mutation, { kind: 'update' }>, current: Row): Verdict {
  if (additions.length === 0) return { kind: 'patch', row, set }
  const sums = row.slice()
  for (const addition of additions) {
    const { column } = addition
    const sum = sumOf(schema.columns[column] as SchemaColumn, current[column] ?? null, addition.by)
    if (sum === undefined) return { kind: 'outcome', outcome: failed(outOfRange(schema, row, addition)) }
    sums[column] = sum
  }
  return { kind: 'patch', row: sums, set: [...set, ...additions.map(({ column }) => column)] }
}

/** The row after a patch. */
export function withPatch(current: Row, row: Row, set: readonly number[]): Row {
  const after = current.slice()
  for (const position of set) after[position] = row[position] ?? null
  return after
}

/** How a column can hold more. A table grows in place only as far as its stored values stay valid. */
function wider({ type }: SchemaColumn): string {
  const { storage } = typeFacts(type)
  const canGrow = storage.class === 'int' ? storage.max < 2 ** 31 - 1 : storage.class === 'decimal' && storage.precision < maxPrecision
  if (canGrow) return ', or declare a wider column and call ensureTables()'
  return storage.class === 'int' ? ', or copy the rows with copyTable() into a table with a 64-bit column' : ''
}

/** An unsigned column below zero is not helped by a wider one. */
function remedyOf(column: SchemaColumn, by: Value): string {
  const { storage } = typeFacts(column.type)
  const isBelowZero = (storage.class === 'int' || storage.class === 'bigint') && Number(storage.min) === 0 && Number(by) < 0
  if (!isBelowZero) return `Add less${wider(column)}.`
  return `The column has no values below zero: make sure that there is enough, with if: { ${column.name}: { gte: … } }, or copy the rows into a table with a signed column.`
}

/** Of a decimal. */
const maxPrecision = 38

/** The error of an addition whose sum is outside of its column. Nothing was written. */
export function outOfRange(schema: TableSchema, row: Row, { column: at, by }: Addition): Error {
  const { name: table } = schema
  const column = schema.columns[at]?.name ?? ''
  const key = keyObject(schema, row)
  const message =
    `adding ${String(by)} to column '${column}' of the row with key (${keyText(key)}) of '${table}' makes a value that the column cannot hold. ` +
    `Nothing was written. ${schema.columns[at] === undefined ? 'Add less.' : remedyOf(schema.columns[at], by)}`
  return storeError('OUT_OF_RANGE', message, { table, key, column })
}
