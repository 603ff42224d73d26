import type { Page, PageSource, Row } from '@rowkey/store/adapter'
import type { StoredTable } from './catalogs.js'
import type { RecordRows } from './rows.js'
import { lowerBound, upperBound, type Leaf } from './tree/node.js'

/** What a scan walks over. */
export interface Walk {
  readonly stored: StoredTable
  readonly rows: RecordRows
  /** Positions to fill; undefined = all. */
  readonly wanted: readonly number[] | undefined
  /** Half-open; null = above every key. */
  readonly from: string | null
  readonly to: string | null
}

const cost = Object.freeze({ calls: 1 })

/**
 * Pages over [from, to), lowest key first. Between pages it keeps a leaf and an index. If keys were added or removed in the meantime, it
 * finds its place again by the last key that it returned.
 */
export class ForwardScan implements PageSource {
  private readonly walk: Walk
  private readonly checkpointAfter: ((last: string) => string) | undefined
  private leaf: Leaf<Row> | null = null
  private at = 0
  private edits = -1
  private last: string | null
  private done: boolean

  /** `after`: continue after this key. `checkpointAfter`: makes the checkpoints of a full scan. */
  constructor(walk: Walk, after: string | null = null, checkpointAfter?: (last: string) => string) {
    this.walk = walk
    this.last = after
    this.checkpointAfter = checkpointAfter
    this.done = walk.from === null
  }

  next(target: number): Page | undefined {
    if (this.done) return undefined
    const want = Math.max(1, target)
    const { tree } = this.walk.stored.records
    if (this.edits !== tree.edits) this.seek()
    const { to } = this.walk
    const rows: Row[] = []
    let { leaf, at } = this
    while (leaf !== null) {
      const { keys, values } = leaf
      let end = keys.length
      if (to !== null && end > 0 && (keys[end - 1] as string) >= to) {
        end = lowerBound(keys, to)
        this.done = true
      }
      const stop = Math.min(end, at + want - rows.length)
      for (let i = at; i < stop; i++) rows.push(values[i] as Row)
      if (stop > at) this.last = keys[stop - 1] as string
      at = stop
      if (stop < end) this.done = false
      if (stop < end || this.done) break
      leaf = leaf.next
      at = 0
      if (rows.length >= want) break
    }
    this.leaf = leaf
    this.at = at
    if (leaf === null) this.done = true
    if (rows.length === 0) return undefined
    const page: Page = { rows: this.walk.rows.toRows(rows, this.walk.wanted), examined: rows.length, cost }
    return this.checkpointAfter === undefined ? page : { ...page, checkpoint: this.checkpointAfter(this.last as string) }
  }

  close(): void {
    this.done = true
    this.leaf = null
  }

  private seek(): void {
    const { tree } = this.walk.stored.records
    const from = this.walk.from as string
    this.edits = tree.edits
    this.leaf = tree.leafFor(this.last ?? from)
    this.at = this.last === null ? lowerBound(this.leaf.keys, from) : upperBound(this.leaf.keys, this.last)
  }
}

/** Pages over [from, to), highest key first. */
export class ReverseScan implements PageSource {
  private readonly walk: Walk
  private leaf: Leaf<Row> | null = null
  /** The index after the next row. */
  private end = 0
  private edits = -1
  private last: string | null = null
  private done: boolean

  constructor(walk: Walk) {
    this.walk = walk
    this.done = walk.from === null
  }

  next(target: number): Page | undefined {
    if (this.done) return undefined
    const want = Math.max(1, target)
    const { tree } = this.walk.stored.records
    if (this.edits !== tree.edits) this.seek()
    const from = this.walk.from as string
    const rows: Row[] = []
    let { leaf, end } = this
    while (leaf !== null) {
      const { keys, values } = leaf
      let start = 0
      if (keys.length > 0 && (keys[0] as string) < from) {
        start = lowerBound(keys, from)
        this.done = true
      }
      const stop = Math.max(start, end - want + rows.length)
      for (let i = end - 1; i >= stop; i--) rows.push(values[i] as Row)
      if (stop < end) this.last = keys[stop] as string
      end = stop
      if (stop > start) this.done = false
      if (stop > start || this.done) break
      leaf = leaf.prev
      end = leaf === null ? 0 : leaf.keys.length
      if (rows.length >= want) break
    }
    this.leaf = leaf
    this.end = end
    if (leaf === null) this.done = true
    return rows.length === 0 ? undefined : { rows: this.walk.rows.toRows(rows, this.walk.wanted), examined: rows.length, cost }
  }

  close(): void {
    this.done = true
    this.leaf = null
  }

  private seek(): void {
    const { tree } = this.walk.stored.records
    const before = this.last ?? this.walk.to
    this.edits = tree.edits
    this.leaf = before === null ? tree.last : tree.leafFor(before)
    this.end = before === null ? this.leaf.keys.length : lowerBound(this.leaf.keys, before)
  }
}
