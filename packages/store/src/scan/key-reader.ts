import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { TableStore } from '../contract/adapter.js'
import type { KeyProduct } from '../plan/key-product.js'
import type { Answer, Page, PageSource, ReadOptions } from '../contract/reading.js'
import { isPromise } from './answer.js'
import { getRows } from './get-rows.js'
import { Positions, type Position } from './position.js'

/** The rows of a list of keys as a page source; a page asks for as many keys as are wanted. */
export class KeyReader implements PageSource {
  private at = 0
  private readonly schema: TableSchema
  private readonly store: TableStore
  private readonly keys: KeyProduct
  private readonly reverse: boolean
  private readonly read: ReadOptions
  private readonly positions: Positions

  constructor(schema: TableSchema, store: TableStore, keys: KeyProduct, reverse: boolean, read: ReadOptions) {
    this.positions = new Positions(schema, reverse)
    this.schema = schema
    this.store = store
    this.keys = keys
    this.reverse = reverse
    this.read = read
  }

  /** Behind the last key that was answered. */
  position: Position | undefined

  get done(): boolean {
    return this.at >= this.keys.length
  }

  next(want: number, mayExamine?: number): Answer<Page | undefined> {
    if (this.done) return undefined
    const keys = this.following(Math.max(1, Math.min(want, mayExamine ?? want)))
    const found = getRows(this.schema, this.store, keys, this.read)
    return isPromise(found) ? found.then((rows) => this.pageOf(keys, rows)) : this.pageOf(keys, found)
  }

  private following(count: number): readonly Row[] {
    const { keys, at, reverse } = this
    const next = Math.min(at + count, keys.length)
    return reverse ? keys.slice(keys.length - next, keys.length - at).toReversed() : keys.slice(at, next)
  }

  /** Only now are the keys behind us: a page that ends before their answer comes has its cursor before them. */
  private pageOf(keys: readonly Row[], found: readonly (Row | undefined)[]): Page {
    const last = keys.at(-1) as Row
    this.at += keys.length
    this.position = this.positions.behind(last)
    const rows = found.filter((row) => row !== undefined)
    return { rows, examined: rows.length, last, cost: { calls: 1 } }
  }

  close(): void {
    this.at = this.keys.length
  }
}
