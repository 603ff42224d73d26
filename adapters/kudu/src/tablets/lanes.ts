import type { CallOptions, Predicate, Tablet } from '@rowkey/kudu-client'
import type { Slice, TableSchema, Value } from 'rowkey/adapter'
import type { Opened, TableContext } from '../context.js'
import { filterOf } from '../filter.js'
import { bucketColumn, isOutside, type KeyColumn } from '../keys.js'
import { placeOf, textOf } from '../splits.js'
import { fixedIn, rangeIn, sharedLength, type KeyBounds } from './bounds.js'

/** The conditions that put all rows of a slice into one tablet; undefined: there may be several. The client finds it by them, and asks nobody. */
export function oneTablet(
  table: TableContext,
  { places, bucketAt, partitionedBy }: Opened,
  slice: Slice,
): readonly Predicate[] | undefined {
  const { keys, salting, schema } = table
  const { bucket, from } = slice
  const shared = sharedLength(table, slice)
  const conditions: Predicate[] = []
  for (const place of partitionedBy) {
    if (place === bucketAt) {
      conditions.push({ column: bucketColumn, equals: bucket })
      continue
    }
    const position = places.indexOf(place)
    if (position < 0 || position >= shared) return undefined
    const key = keys[position] as KeyColumn
    const equals = key.write(from.prefix[position] as Value)
    if (isOutside(key, equals) !== undefined) return undefined
    conditions.push({ column: key.name, equals })
  }
  // Nothing that has these values is in another bucket than theirs.
  return salting === 'hash' && schema.layout.bucketOf(from.prefix) !== bucket ? undefined : conditions
}

/** Tablets the rows of which follow each other in the order of the key. */
export type Lane = readonly Tablet[]

/**
 * The tablets that have rows of a slice within bounds, asked for or as the client remembers them: by a name for each lane, which it also has in the rest
 * of the slice. Those of one hash partition are one lane if their ranges follow each other as keys do.
 */
export async function lanesOf(
  table: TableContext,
  { table: found }: Opened,
  slice: Slice,
  bounds: KeyBounds,
  isRemembered: boolean,
  options?: CallOptions,
): Promise<ReadonlyMap<string, Lane>> {
  const shared = sharedLength(table, slice)
  const fixed = fixedIn(table, slice, shared)
  // Also those which no condition leaves a row of: ranges of a time after key columns that are not bound.
  const conditions = found.range.length === 0 ? [] : (filterOf(table, slice.filter)?.where ?? [])
  const where = [...fixed, ...rangeIn(table, slice, shared), ...conditions]
  const all = await table.client.tablets(found, { where, ...bounds, isRemembered }, options)
  const own = table.salting === 'hash' ? all.filter(isIn(bucketsOf(table.schema, slice.bucket))) : all
  const isInOrder = found.range.every((column, i) => column === (found.range[0] as number) + i) && (found.range[0] ?? 0) <= fixed.length
  const lanes = new Map<string, Tablet[]>()
  for (const tablet of own) {
    const name = isInOrder ? tablet.buckets.join() : textOf(placeOf(tablet))
    const lane = lanes.get(name)
    if (lane === undefined) lanes.set(name, [tablet])
    else lane.push(tablet)
  }
  return lanes
}

const isIn =
  (buckets: readonly number[]) =>
  (tablet: Tablet): boolean =>
    buckets.every((bucket, level) => tablet.buckets[level] === bucket)

/** The bucket of each hash level. */
export function bucketsOf({ layout }: TableSchema, bucket: number): readonly number[] {
  let rest = bucket
  return layout.salts
    .toReversed()
    .map(({ count }) => {
      const own = rest % count
      rest = Math.floor(rest / count)
      return own
    })
    .reverse()
}
