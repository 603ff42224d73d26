import type { Row } from '@rowkey/codec'
import type { SchemaColumn, TableSchema } from '@rowkey/model'
import type { Conditions } from '../contract/reading.js'
import { failed, missing, conflict } from '../contract/outcomes.js'
import type { Addition, Mutation, Outcome } from '../contract/writing.js'
import { typeFacts } from '@rowkey/codec/internal'
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
const isMissing: Verdict = Object.freeze({ kind: 'outcome', outcome: missing })

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
  const { kind, row, schema, version, conditions } = mutation
  if (kind === 'insert') return current === undefined ? { kind: 'store', row } : { kind: 'outcome', outcome: conflict(current) }
  if (current === undefined) {
    if (mutation.kind === 'update') return mutation.create === undefined ? isMissing : { kind: 'store', row: mutation.create }
    if (version !== undefined || conditions !== undefined) return isMissing
  } else {
    const isOther = version !== undefined && current[schema.versionIndex] !== version
    if (isOther || (conditions !== undefined && !holds(schema, conditions, current))) return { kind: 'outcome', outcome: conflict(current) }
  }
  if (mutation.kind === 'update') return patched(mutation, current as Row)
  return kind === 'delete' ? remove : { kind: 'store', row }
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

/** Of a decimal. */
const maxPrecision = 38

/** The error of an addition whose sum is outside of its column. Nothing was written. */
export function outOfRange(schema: TableSchema, row: Row, { column: at, by }: Addition): Error {
  const { name: table } = schema
  const column = schema.columns[at]?.name ?? ''
  const key = keyObject(schema, row)
  const message =
    `adding ${String(by)} to column '${column}' of the row with key (${keyText(key)}) of '${table}' makes a value that the column cannot hold. ` +
    `Nothing was written. Add less${schema.columns[at] === undefined ? '' : wider(schema.columns[at])}.`
  return storeError('OUT_OF_RANGE', message, { table, key, column })
}
