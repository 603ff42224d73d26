// Tested by tree.test.ts.
import { nodeWidth, type Branch, type Leaf } from './node.js'

/** Min free places of a neighbour that takes entries of a full leaf. With fewer, the leaf would soon be full again. */
const leastRoom = nodeWidth / 8

/**
 * The leaf `slot` of `parent` is full: the emptier one of its neighbours takes some of its entries. This fills leaves to about five sixths,
 * splitting alone to two thirds.
 *
 * @returns the slot of the left one of the two leaves, -1 if there is no neighbour with room
 */
export function shareFull<V>(parent: Branch<V>, slot: number): number {
  const before = lengthAt(parent, slot - 1)
  const after = lengthAt(parent, slot + 1)
  if (Math.min(before, after) > nodeWidth - leastRoom) return -1
  const left = before < after ? slot - 1 : slot
  share(parent, left)
  return left
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

/** A leaf that is not there has no room. */
function lengthAt<V>({ children }: Branch<V>, slot: number): number {
  return (children[slot] as Leaf<V> | undefined)?.keys.length ?? nodeWidth
}
