import type { Row } from '#store/adapter'
import type { StoredTable } from './catalogs.js'
import type { RecordRows } from './rows.js'
import { lowerBound, type Leaf } from './tree/node.js'

/**
 * Deletes up to `limit` expired rows and returns how many. The next call continues where this one stopped, so many small calls
 * together read each row once, not once per call.
 */
export function purgeExpired(stored: StoredTable, rows: RecordRows, now: number, limit: number): number {
  const { records, sweptTo } = stored
  const isExpired = (record: Row): boolean => rows.isExpired(record, now)
  const start = records.tree.leafFor(sweptTo)
  const found: string[] = []
  collect(start, lowerBound(start.keys, sweptTo), null, isExpired, limit, found)
  collect(records.tree.first, 0, sweptTo, isExpired, limit, found)
  stored.sweptTo = found.length < limit ? '' : (found.at(-1) ?? '')
  for (const key of found) records.delete(key)
  return found.length
}

/** Adds the keys of matching records, up to `before` and until `found` holds `limit`. */
function collect(
  from: Leaf<Row>,
  first: number,
  before: string | null,
  matches: (record: Row) => boolean,
  limit: number,
  found: string[],
): void {
  let at = first
  for (let leaf: Leaf<Row> | null = from; leaf !== null; leaf = leaf.next, at = 0) {
    for (; at < leaf.keys.length; at++) {
      const key = leaf.keys[at] as string
      if (found.length >= limit || (before !== null && key >= before)) return
      if (matches(leaf.values[at] as Row)) found.push(key)
    }
  }
}
