import { checkpointUnusable, type Row } from '#store/adapter'
import type { Tree } from './tree/tree.js'

/** Where a full scan is: after a rowkey, and in a split up to a rowkey. null = from the first, to the last one. */
export interface Place {
  readonly after: string | null
  readonly upTo: string | null
}

/** No rowkey contains it, because the characters of a rowkey are bytes. */
const mark = '\u0100'

/** The checkpoint is the last rowkey. That of a split also contains the rowkey at its end, in base64 because it must be short. */
export function checkpointOf({ after, upTo }: Place, isSplit: boolean): string {
  return isSplit ? `${mark}${btoa(after ?? '')}.${btoa(upTo ?? '')}` : (after ?? '')
}

/** The place of a checkpoint, and whether it is of a split. @throws RowkeyError `CURSOR_INVALID` */
export function placeOf(checkpoint: string | undefined): readonly [place: Place, isSplit: boolean] {
  if (checkpoint?.startsWith(mark) !== true) return [{ after: checkpoint ?? null, upTo: null }, false]
  const [, after, upTo] = /^([\w+/=]*)\.([\w+/=]*)$/.exec(checkpoint.slice(1)) ?? []
  if (after === undefined || upTo === undefined) throw checkpointUnusable('it does not contain two rowkeys')
  try {
    return [{ after: atob(after) || null, upTo: atob(upTo) || null }, true]
  } catch {
    throw checkpointUnusable('it does not contain two rowkeys')
  }
}

/** Splits the keys of a tree into up to `count` ranges of the same size. It visits each leaf, not each key. */
export function splits({ first, size }: Tree<Row>, count: number): readonly string[] {
  const ranks = Array.from({ length: count - 1 }, (_, i) => Math.round(((i + 1) * size) / count))
  const ends: string[] = []
  let leaf = first
  let passed = 0
  for (const rank of new Set(ranks)) {
    if (rank === 0 || rank >= size) continue
    while (passed + leaf.keys.length < rank) {
      passed += leaf.keys.length
      leaf = leaf.next as typeof leaf
    }
    ends.push(leaf.keys[rank - passed - 1] as string)
  }
  // The last range has no end, so that it includes rows that are added.
  return [...ends, null].map((upTo, i) => checkpointOf({ after: ends[i - 1] ?? null, upTo }, true))
}
