import { nodeWidth, type Branch, type Leaf } from './node.js'
import { share } from './share.js'

/**
 * Joins the leaves `slot` and `slot + 1` of `parent`, or shares their entries evenly if one leaf cannot hold them. Returns the left one.
 */
export function joinLeaves<V>(parent: Branch<V>, slot: number): Leaf<V> {
  const left = parent.children[slot] as Leaf<V>
  const right = parent.children[slot + 1] as Leaf<V>
  if (left.keys.length + right.keys.length > nodeWidth) {
    share(parent, slot)
    return left
  }
  left.keys.push(...right.keys)
  left.values.push(...right.values)
  left.next = right.next
  if (right.next !== null) right.next.prev = left
  // A paused scan may still hold the removed leaf. Without links, the leaf keeps no other leaf in memory.
  right.next = null
  right.prev = null
  removeRight(parent, slot)
  return left
}

/** The same for branches. The separator between them moves down from the parent. */
export function joinBranches<V>(parent: Branch<V>, slot: number): void {
  const left = parent.children[slot] as Branch<V>
  const right = parent.children[slot + 1] as Branch<V>
  left.separators.push(parent.separators[slot] as string, ...right.separators)
  left.children.push(...right.children)
  if (left.children.length <= nodeWidth) {
    removeRight(parent, slot)
    return
  }
  const middle = left.children.length >>> 1
  right.children = left.children.splice(middle)
  right.separators = left.separators.splice(middle)
  parent.separators[slot] = left.separators.pop() as string
}

function removeRight<V>(parent: Branch<V>, slot: number): void {
  parent.separators.splice(slot, 1)
  parent.children.splice(slot + 1, 1)
}
