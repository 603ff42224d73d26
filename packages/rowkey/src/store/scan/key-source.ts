import type { Row } from '#codec'
import type { TableSchema } from '#model'
import type { TableStore } from '../contract/adapter.js'
import type { KeyProduct } from '../plan/key-product.js'
import type { MaybePromise, Page, ReadOptions } from '../contract/reading.js'
import { andThen } from './maybe-promise.js'
import { getRows } from './get-rows.js'
import { Positions, type Position, type RowSource } from './row-source.js'

/** The rows of a list of keys; a page requests as many keys as rows are wanted. */
export class KeySource implements RowSource {
  private at = 0
  private readonly schema: TableSchema
  private readonly store: TableStore
  private readonly keys: KeyProduct
  private readonly reverse: boolean
  private readonly read: ReadOptions
  private readonly positions: Positions
  /** After the last key that the store has answered. */
  position: Position | undefined

  constructor(schema: TableSchema, store: TableStore, keys: KeyProduct, reverse: boolean, read: ReadOptions) {
    this.positions = new Positions(schema, reverse)
    this.schema = schema
    this.store = store
    this.keys = keys
    this.reverse = reverse
    this.read = read
  }

  get ended(): boolean {
    return this.at >= this.keys.length
  }

  next(want: number, mayExamine?: number): MaybePromise<Page | undefined> {
    if (this.ended) return undefined
    const keys = this.following(Math.max(1, Math.min(want, mayExamine ?? want)))
    return andThen(getRows(this.schema, this.store, keys, this.read), (rows) => this.pageOf(keys, rows))
  }

  close(): void {
    this.at = this.keys.length
  }

  private following(count: number): readonly Row[] {
    const { keys, at, reverse } = this
    const next = Math.min(at + count, keys.length)
    return reverse ? keys.slice(keys.length - next, keys.length - at).toReversed() : keys.slice(at, next)
  }

  /** The position moves only now, because the cursor of a page that ends before this answer must be before these keys. */
  private pageOf(keys: readonly Row[], found: readonly (Row | undefined)[]): Page {
    const last = keys.at(-1) as Row
    this.at += keys.length
    this.position = this.positions.after(last)
    const rows = found.filter((row) => row !== undefined)
    return { rows, examined: rows.length, last, cost: { calls: 1 } }
  }
}
