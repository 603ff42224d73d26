// Tested by lanes.test.ts and conformance.test.ts.
import type { Predicate, Value as KuduValue } from '@rowkey/kudu-client'
import type { Bound, Row, Slice, Value } from 'rowkey/adapter'
import type { TableContext } from '../context.js'
import { bucketColumn, isOutside, type KeyColumn } from '../keys.js'

/** The rows of a slice as Kudu names them: by keys, of which the columns that are left out are the smallest. */
export interface KeyBounds {
  /** Inclusive. */
  readonly start: readonly KuduValue[] | undefined
  /** Exclusive. */
  readonly stop: readonly KuduValue[] | undefined
}

/** undefined: no key is within the slice. */
export function boundsOf(
  { keys, salting }: TableContext,
  { bucket, from, to }: Pick<Slice, 'bucket' | 'from' | 'to'>,
): KeyBounds | undefined {
  const start = keyFrom(keys, from)
  if (start === undefined) return undefined
  const stop = keyFrom(keys, to)
  if (stop?.length === 0) return undefined // it ends before the first day
  if (salting === 'column') return { start: [bucket, ...start], stop: stop === undefined ? [bucket + 1] : [bucket, ...stop] }
  return { start: start.length === 0 ? undefined : start, stop }
}

/** The first key at a bound or after it, as far as it is not the smallest; undefined: no key is there. */
function keyFrom(keys: readonly KeyColumn[], { prefix, edge }: Bound): readonly KuduValue[] | undefined {
  const stored: KuduValue[] = []
  for (let i = 0; i < prefix.length; i++) {
    const column = keys[i] as KeyColumn
    const value = column.write(prefix[i] as Value)
    const outside = isOutside(column, value)
    if (outside !== undefined) return outside === 'before' ? stored : nextKey(keys, stored)
    stored.push(value)
  }
  return edge === 'before' ? stored : nextKey(keys, stored)
}

/** The first key after all that begin with these values. */
function nextKey(keys: readonly KeyColumn[], prefix: readonly KuduValue[]): readonly KuduValue[] | undefined {
  for (let length = prefix.length; length > 0; length--) {
    const next = (keys[length - 1] as KeyColumn).next(prefix[length - 1] as KuduValue)
    if (next !== undefined) return [...prefix.slice(0, length - 1), next]
  }
  return undefined
}

/** The first key after a row; undefined: there is none. */
export const keyAfter = (table: TableContext, row: Row): readonly KuduValue[] | undefined =>
  boundsOf(table, { bucket: table.schema.layout.bucketOf(row), from: { prefix: [], edge: 'before' }, to: { prefix: row, edge: 'after' } })
    ?.stop

/** How many leading key columns have one value in a slice. */
export function sharedLength({ schema }: TableContext, { from, to }: Slice): number {
  const max = Math.min(from.prefix.length, to.prefix.length)
  let at = 0
  while (at < max && schema.layout.column(at).compare(from.prefix[at] as Value, to.prefix[at] as Value) === 0) at++
  return at
}

/** What these columns have in a slice, by which tablets are left out. */
export function fixedIn({ keys, salting }: TableContext, { bucket, from }: Slice, shared: number): readonly Predicate[] {
  const own = keys.slice(0, shared).flatMap((key, i): readonly Predicate[] => {
    const equals = key.write(from.prefix[i] as Value)
    return isOutside(key, equals) === undefined ? [{ column: key.name, equals }] : []
  })
  return salting === 'column' ? [{ column: bucketColumn, equals: bucket }, ...own] : own
}

/** What the first column has that is not the same in a whole slice. Kudu leaves out ranges by conditions, and not by keys. */
export function rangeIn({ keys }: TableContext, { from, to }: Slice, shared: number): readonly Predicate[] {
  const key = keys[shared]
  if (key === undefined) return []
  const isLast = ({ prefix }: Bound): boolean => prefix.length === shared + 1
  const endOf = (bound: Bound, isInclusive: boolean): KuduValue | undefined => {
    if (bound.prefix.length <= shared) return undefined
    const value = key.write(bound.prefix[shared] as Value)
    if (isOutside(key, value) !== undefined) return undefined
    return isInclusive ? value : key.next(value)
  }
  const least = endOf(from, !isLast(from) || from.edge === 'before')
  const beyond = endOf(to, isLast(to) && to.edge === 'before')
  if (least === undefined && beyond === undefined) return []
  return [{ column: key.name, ...(least === undefined ? {} : { from: least }), ...(beyond === undefined ? {} : { to: beyond }) }]
}
