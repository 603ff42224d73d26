import { expired } from './expiry.js'
import type { Table } from './table.js'
import type { Leaf } from './tree/node.js'
import { lowerBound } from './tree/search.js'
import type { Row } from '@rowkey/store'

/**
 * Deletes up to `limit` expired rows and returns how many. The next call goes on where this one stopped, so that many small
 * calls read each row once, not once per call.
 */
export function purge(table: Table, place: number, now: number, limit: number): number {
  const { tree, sweptTo } = table
  const found: string[] = []
  const start = tree.leafFor(sweptTo)
  const index = lowerBound(start.keys, sweptTo)
  collect(start, index, null, found)
  if (found.length < limit) collect(tree.first, 0, sweptTo, found)
  table.sweptTo = found.length < limit ? '' : (found.at(-1) ?? '')
  for (const key of found) tree.delete(key)
  return found.length

  function collect(from: Leaf<Row>, first: number, before: string | null, into: string[]): void {
    let at = first
    for (let leaf: Leaf<Row> | null = from; leaf !== null; leaf = leaf.next) {
      for (; at < leaf.keys.length; at++) {
        const key = leaf.keys[at] as string
        if (into.length >= limit || (before !== null && key >= before)) return
        if (expired(leaf.values[at] as Row, place, now)) into.push(key)
      }
      at = 0
    }
  }
}
