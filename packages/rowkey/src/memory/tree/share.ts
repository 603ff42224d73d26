// Tested by tree.test.ts.
import { insertEntry, nodeWidth, type Branch, type Leaf } from './node.js'

/** Min free places of a neighbour that takes entries of a full leaf. With fewer, the leaf would soon be full again. */
const leastRoom = nodeWidth / 8

/**
 * Adds an entry to the full leaf `slot` of `parent`, if one of its neighbours has room: the emptier one takes some entries of the leaf.
 * This fills leaves to about five sixths, splitting alone to two thirds.
 *
 * @returns false, and changes nothing, if the neighbours are full
 */
export function addByShare<V>(parent: Branch<V>, slot: number, at: number, key: string, value: V): boolean {
  const { children } = parent
  const before = slot === 0 ? nodeWidth : (children[slot - 1] as Leaf<V>).keys.length
  const after = slot === children.length - 1 ? nodeWidth : (children[slot + 1] as Leaf<V>).keys.length
  if (Math.min(before, after) > nodeWidth - leastRoom) return false
  const isLeft = before < after
  const first = isLeft ? slot - 1 : slot
  share(parent, first)
  const left = children[first] as Leaf<V>
  const right = children[first + 1] as Leaf<V>
  // Where the entry belongs among the entries of both leaves. At the end of the left one, it is below the separator.
  const place = isLeft ? before + at : at
  const size = left.keys.length
  if (place <= size) insertEntry(left, place, key, value)
  else insertEntry(right, place - size, key, value)
  return true
}

/** Gives the leaves `slot` and `slot + 1` of `parent` the same number of entries. Their arrays stay, because new ones would reserve more. */
export function share<V>(parent: Branch<V>, slot: number): void {
  const left = parent.children[slot] as Leaf<V>
  const right = parent.children[slot + 1] as Leaf<V>
  const middle = (left.keys.length + right.keys.length) >>> 1
  if (left.keys.length > middle) {
    right.keys.unshift(...left.keys.splice(middle))
    right.values.unshift(...left.values.splice(middle))
  } else {
    const count = middle - left.keys.length
    left.keys.push(...right.keys.splice(0, count))
    left.values.push(...right.values.splice(0, count))
  }
  parent.separators[slot] = right.keys[0] as string
}
