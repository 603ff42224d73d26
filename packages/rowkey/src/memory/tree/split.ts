import { Branch, insertEntry, Leaf, nodeWidth } from './node.js'

const half = nodeWidth / 2

/** Adds an entry to a full leaf, whose upper half moves to a new right neighbour. Returns that neighbour. */
export function splitLeaf<V>(leaf: Leaf<V>, at: number, key: string, value: V): Leaf<V> {
  const right = new Leaf(upperHalf(leaf.keys), upperHalf(leaf.values))
  if (at > half) insertEntry(right, at - half, key, value)
  else insertEntry(leaf, at, key, value)
  return linked(leaf, right)
}

/**
 * Adds an entry at either end of the tree, after or before a full leaf, and moves nothing. So rows that are written in ascending or
 * descending key order fill every leaf. Returns the right one of the two leaves.
 */
export function extendLeaf<V>(leaf: Leaf<V>, at: number, key: string, value: V): Leaf<V> {
  // A copy has no room that it does not need.
  const keys = leaf.keys.slice()
  const values = leaf.values.slice()
  const isLast = at > 0
  leaf.keys = isLast ? keys : [key]
  leaf.values = isLast ? values : [value]
  return linked(leaf, isLast ? new Leaf([key], [value]) : new Leaf(keys, values))
}

/** Moves the upper half of a full array into a new one, which has room for as many items and no more. An array that grows reserves more. */
function upperHalf<T>(items: T[]): T[] {
  const upper = items.slice()
  upper.splice(0, half)
  items.splice(half)
  return upper
}

function linked<V>(leaf: Leaf<V>, right: Leaf<V>): Leaf<V> {
  right.prev = leaf
  right.next = leaf.next
  if (leaf.next !== null) leaf.next.prev = right
  leaf.next = right
  return right
}

/** Splits an overfull branch into two. The separator between them moves to the parent. */
export function splitBranch<V>(branch: Branch<V>): { readonly separator: string; readonly right: Branch<V> } {
  const right = new Branch(branch.separators.splice(half), branch.children.splice(half))
  return { separator: branch.separators.pop() as string, right }
}
