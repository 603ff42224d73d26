import { joinBranches, joinLeaves } from './join.js'
import { Branch, insertEntry, Leaf, leastFill, lowerBound, nodeWidth, upperBound, type Node } from './node.js'
import { addByShare } from './share.js'
import { extendLeaf, splitBranch, splitLeaf } from './split.js'

interface Step<V> {
  readonly branch: Branch<V>
  readonly slot: number
}

/**
 * A B+tree over one-byte strings: their `<` is byte order and several times faster than comparing byte arrays.
 *
 * A walk over the leaves remembers {@link edits} and a key. When `edits` has changed, its leaf and index may be stale, and it searches
 * that key again.
 */
export class Tree<V extends object> {
  size = 0
  /** Changes whenever a key is added or removed, not when a value is replaced. */
  edits = 0
  readonly first: Leaf<V>
  last: Leaf<V>
  root: Node<V>
  /** Levels of branches above the leaves. */
  height = 0

  constructor() {
    this.first = this.last = this.root = new Leaf<V>([], [])
  }

  get(key: string): V | undefined {
    const { keys, values } = this.leafFor(key)
    const at = lowerBound(keys, key)
    return at < keys.length && keys[at] === key ? values[at] : undefined
  }

  /** The leaf that holds `key`, or would hold it. */
  leafFor(key: string): Leaf<V> {
    let node = this.root
    for (let level = this.height; level > 0; level--) {
      const { separators, children } = node as Branch<V>
      node = children[upperBound(separators, key)] as Node<V>
    }
    return node as Leaf<V>
  }

  /** Returns the value that was replaced. */
  set(key: string, value: V): V | undefined {
    let leaf = this.last
    let at = leaf.keys.length
    // Rows are often written in key order. Then the last leaf is the right one, without a search.
    if (at === 0 || key <= (leaf.keys[at - 1] as string)) {
      leaf = this.leafFor(key)
      at = lowerBound(leaf.keys, key)
      if (at < leaf.keys.length && leaf.keys[at] === key) {
        const previous = leaf.values[at]
        leaf.values[at] = value
        return previous
      }
    }
    this.size++
    this.edits++
    if (leaf.keys.length === nodeWidth) this.addToFull(leaf, at, key, value)
    else insertEntry(leaf, at, key, value)
    return undefined
  }

  /** Returns the value that was removed. */
  delete(key: string): V | undefined {
    const { keys, values } = this.leafFor(key)
    const at = lowerBound(keys, key)
    if (at === keys.length || keys[at] !== key) return undefined
    const removed = values[at]
    keys.splice(at, 1)
    values.splice(at, 1)
    this.size--
    this.edits++
    if (keys.length < leastFill && this.height > 0) this.refill(key)
    return removed
  }

  private addToFull(leaf: Leaf<V>, at: number, key: string, value: V): void {
    const isAtEnd = (at === nodeWidth && leaf.next === null) || (at === 0 && leaf.prev === null)
    const path = this.pathTo(key)
    const above = path.at(-1)
    if (!isAtEnd && above !== undefined && addByShare(above.branch, above.slot, at, key, value)) return
    const right = isAtEnd ? extendLeaf(leaf, at, key, value) : splitLeaf(leaf, at, key, value)
    if (leaf === this.last) this.last = right
    this.addLeaf(path, right)
  }

  /** Adds a new leaf to the branches above it, to the right of the leaf at the end of the path. */
  private addLeaf(path: readonly Step<V>[], leaf: Leaf<V>): void {
    let right: Node<V> = leaf
    let separator = leaf.keys[0] as string
    for (let level = path.length - 1; level >= 0; level--) {
      const { branch, slot } = path[level] as Step<V>
      branch.separators.splice(slot, 0, separator)
      branch.children.splice(slot + 1, 0, right)
      if (branch.children.length <= nodeWidth) return
      ;({ separator, right } = splitBranch(branch))
    }
    this.root = new Branch([separator], [this.root, right])
    this.height++
  }

  /** Joins nodes that a delete has left underfull, from the leaf of `key` upwards. */
  private refill(key: string): void {
    const path = this.pathTo(key)
    for (let level = path.length - 1; level >= 0; level--) {
      const { branch, slot } = path[level] as Step<V>
      const pair = Math.max(0, slot - 1)
      if (level === path.length - 1) {
        const left = joinLeaves(branch, pair)
        if (left.next === null) this.last = left
      } else joinBranches(branch, pair)
      if (branch.children.length >= leastFill) break
    }
    while (this.height > 0 && (this.root as Branch<V>).children.length === 1) {
      this.root = (this.root as Branch<V>).children[0] as Node<V>
      this.height--
    }
  }

  private pathTo(key: string): Step<V>[] {
    const path: Step<V>[] = []
    let node = this.root
    for (let level = this.height; level > 0; level--) {
      const branch = node as Branch<V>
      const slot = upperBound(branch.separators, key)
      path.push({ branch, slot })
      node = branch.children[slot] as Node<V>
    }
    return path
  }
}
