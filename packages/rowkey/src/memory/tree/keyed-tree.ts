import type { Row } from '#store/adapter'
import { HashIndex, indexCapacity } from './hash-index.js'
import { Tree } from './tree.js'

/** The records of a table: a tree for the order, and a hash index that finds a key in about a quarter of the time of the tree. */
export class KeyedTree {
  readonly tree: Tree<Row> = new Tree()
  /** undefined after there were more rows than it can hold, or keys that were chosen to collide. */
  private byKey: HashIndex | undefined = new HashIndex()
  private readonly capacity: number

  constructor(capacity: number = indexCapacity) {
    this.capacity = capacity
  }

  get(key: string): Row | undefined {
    return this.byKey === undefined ? this.tree.get(key) : this.byKey.get(key)
  }

  set(key: string, row: Row): void {
    this.tree.set(key, row)
    if (this.byKey === undefined) return
    if (this.tree.size > this.capacity || !this.byKey.set(key, row)) this.byKey = undefined
  }

  delete(key: string): void {
    if (this.byKey === undefined || this.byKey.delete(key)) this.tree.delete(key)
  }
}
