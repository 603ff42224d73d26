import assert from 'node:assert/strict' // expect() is too slow for every node after every step
import { Branch, Leaf, leastFill, nodeWidth, type Node } from '../../src/memory/tree/node.js'
import type { Tree } from '../../src/memory/tree/tree.js'

/** Everything that must hold of a tree between two operations. */
export function expectSound<V extends object>(tree: Tree<V>): void {
  const leaves: Leaf<V>[] = []
  visit(tree.root, tree.height, undefined, undefined)
  assert(same(chain(tree.first, 'next'), leaves), 'leaves by next')
  assert(same(chain(tree.last, 'prev').reverse(), leaves), 'leaves by prev')
  assert.equal(
    leaves.reduce((sum, { keys }) => sum + keys.length, 0),
    tree.size,
    'size',
  )

  function visit(node: Node<V>, level: number, low: string | undefined, high: string | undefined): void {
    if (level === 0) visitLeaf(node as Leaf<V>, low, high)
    else visitBranch(node as Branch<V>, level, low, high)
  }
  function visitLeaf(leaf: Leaf<V>, low: string | undefined, high: string | undefined): void {
    assert(leaf instanceof Leaf, 'depth of a leaf')
    const { keys, values } = leaf
    leaves.push(leaf)
    assert.equal(values.length, keys.length)
    assert(keys.length <= nodeWidth, 'overfull leaf')
    if (leaf !== tree.root) assert(keys.length > 0, 'empty leaf')
    if (leaf !== tree.first && leaf !== tree.last) assert(keys.length >= leastFill, 'underfull leaf')
    expectSorted(keys, low, high)
  }
  function visitBranch(branch: Branch<V>, level: number, low: string | undefined, high: string | undefined): void {
    assert(branch instanceof Branch, 'depth of a branch')
    const { separators, children } = branch
    assert.equal(children.length, separators.length + 1)
    assert(children.length <= nodeWidth, 'overfull branch')
    assert(children.length >= (branch === tree.root ? 2 : leastFill), 'underfull branch')
    expectSorted(separators, low, high)
    children.forEach((child, i) => visit(child, level - 1, separators[i - 1] ?? low, separators[i] ?? high))
  }
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i])
}

function chain<V>(from: Leaf<V>, link: 'next' | 'prev'): Leaf<V>[] {
  const found: Leaf<V>[] = []
  for (let leaf: Leaf<V> | null = from; leaf !== null; leaf = leaf[link]) found.push(leaf)
  return found
}

function expectSorted(keys: readonly string[], low: string | undefined, high: string | undefined): void {
  for (let i = 1; i < keys.length; i++) assert((keys[i - 1] as string) < (keys[i] as string), 'keys out of order')
  if (low !== undefined) assert(keys.length === 0 || (keys[0] as string) >= low, 'key below its separator')
  if (high !== undefined) assert(keys.length === 0 || (keys.at(-1) as string) < high, 'key above its separator')
}
