// Tested by wide-tables.test.ts.
import { isExpired, judge, keyOf, type Mutation, type Outcome, type Row, unprocessed, type WriteOptions } from 'rowkey/adapter'
import { requestOf, type NativeRequest } from '../changes.js'
import type { TableContext } from '../context.js'
import { failedRead } from '../outcomes.js'
import { readToChange, type Seen } from './marks.js'
import type { Item } from '../keys.js'

/**
 * Whether a change has to be computed from the existing item. Servers compare values differently from the core and from each other: floats,
 * text beyond the basic plane, empty values. So they only check that nothing has changed.
 */
export function isJudged({ mutation, isTooLarge }: NativeRequest): boolean {
  if (mutation.conditions !== undefined || isTooLarge === true) return true
  return mutation.kind === 'update' && (mutation.create !== undefined || hasLongAmounts(mutation))
}

/** A server adds numbers of 38 digits. The amount from the least value of a column to its greatest one can have one digit more. */
export function hasLongAmounts({ additions = [] }: Extract<Mutation, { kind: 'update' }>): boolean {
  return additions.some(({ by }) => String(by).replace(/\D/g, '').length > 38)
}

/** The request of a change, computed from the item as it is now, or its outcome if it must not be applied. */
export async function judgedRequest(table: TableContext, mutation: Mutation, options: WriteOptions): Promise<NativeRequest | Outcome> {
  try {
    const seen = await readToChange(table, mutation, comparedNames(mutation), options)
    const request = requestFor(table, mutation, seen, options.now)
    return 'table' in request ? { ...request, isComputed: true } : request
  } catch (cause) {
    return options.cancellation?.isOver === true ? unprocessed : failedRead(cause)
  }
}

function requestFor(table: TableContext, mutation: Mutation, { item, same }: Seen, now: number): NativeRequest | Outcome {
  const { schema, version } = mutation
  const current = currentRow(table, mutation, item, now)
  const verdict = judge(mutation, current)
  if (verdict.kind === 'outcome') return verdict.outcome
  const common = { schema, key: keyOf(mutation), version }
  if (current === undefined || item === undefined) {
    if (verdict.kind !== 'store') return unprocessed
    return requestOf({ ...common, kind: 'insert', row: verdict.row }, table, now)
  }
  if (verdict.kind === 'store') return requestOf({ ...common, kind: 'put', row: verdict.row }, table, now, same)
  if (verdict.kind === 'remove') return requestOf({ ...common, kind: 'delete', row: mutation.row }, table, now, same)
  const returns = mutation.kind === 'update' && mutation.returns === true
  const request = requestOf({ ...common, kind: 'update', row: verdict.row, set: verdict.set, returns }, table, now, same)
  return verdict.set.length === 0 ? { ...request, unchanged: current } : request
}

/** The row of an item, unless it has expired. */
function currentRow({ format }: TableContext, mutation: Mutation, item: Item | undefined, now: number): Row | undefined {
  const row = item === undefined ? undefined : format.rowOf(mutation.row, item, format.reader())
  return row === undefined || isExpired(mutation.schema, row, now) ? undefined : row
}

/** The attributes from which the change was computed. */
function comparedNames(mutation: Mutation): readonly string[] {
  const additions = mutation.kind === 'update' ? (mutation.additions ?? []) : []
  const columns = new Set([...(mutation.conditions ?? []), ...additions].map(({ column }) => column))
  return [...columns].map((column) => mutation.schema.columns[column]?.physical ?? '')
}
