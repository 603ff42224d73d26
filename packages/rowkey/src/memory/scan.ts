import type { Page, PageSource, Row } from '#store/adapter'
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
  /** Highest key first. */
  readonly reverse: boolean
}

const cost = Object.freeze({ calls: 1 })

/**
 * Pages over [from, to). Between pages it keeps a leaf and an index. If keys were added or removed in the meantime, it finds its place again
 * by the last key that it returned.
 */
export class LeafScan implements PageSource {
  private readonly walk: Walk
  private readonly checkpointAfter: ((last: string) => string) | undefined
  private leaf: Leaf<Row> | null = null
  /** Between the entries that were returned and the others. */
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
    const { stored, rows: mapping, wanted } = this.walk
    if (this.edits !== stored.records.tree.edits) this.seek()
    const want = Math.max(1, target)
    const rows: Row[] = []
    while (rows.length < want && this.takeFrom(this.leaf as Leaf<Row>, want - rows.length, rows));
    if (rows.length === 0) return undefined
    const page: Page = { rows: mapping.toRows(rows, wanted), examined: rows.length, cost }
    return this.checkpointAfter === undefined ? page : { ...page, checkpoint: this.checkpointAfter(this.last as string) }
  }

  close(): void {
    this.done = true
    this.leaf = null
  }

  /** Adds up to `want` rows of a leaf. @returns whether to go on with the next leaf */
  private takeFrom({ keys, values, next, prev }: Leaf<Row>, want: number, rows: Row[]): boolean {
    const { from, to, reverse } = this.walk
    const start = this.at
    let end: number
    let at: number
    let isLast: boolean
    if (reverse) {
      isLast = keys.length > 0 && (keys[0] as string) < (from as string)
      end = isLast ? lowerBound(keys, from as string) : 0
      at = Math.max(end, start - want)
      for (let i = start - 1; i >= at; i--) rows.push(values[i] as Row)
      if (at < start) this.last = keys[at] as string
    } else {
      isLast = to !== null && keys.length > 0 && (keys[keys.length - 1] as string) >= to
      end = isLast ? lowerBound(keys, to as string) : keys.length
      at = Math.min(end, start + want)
      for (let i = start; i < at; i++) rows.push(values[i] as Row)
      if (at > start) this.last = keys[at - 1] as string
    }
    this.at = at
    if (at !== end) return false
    const neighbour = reverse ? prev : next
    if (isLast || neighbour === null) {
      this.done = true
      return false
    }
    this.leaf = neighbour
    this.at = reverse ? neighbour.keys.length : 0
    return true
  }

  /** Finds the place after the last key that it returned; at first, the start of the range. */
  private seek(): void {
    const { stored, from, to, reverse } = this.walk
    const { tree } = stored.records
    this.edits = tree.edits
    if (reverse) {
      const before = this.last ?? to
      this.leaf = before === null ? tree.last : tree.leafFor(before)
      this.at = before === null ? this.leaf.keys.length : lowerBound(this.leaf.keys, before)
    } else {
      this.leaf = tree.leafFor(this.last ?? (from as string))
      this.at = this.last === null ? lowerBound(this.leaf.keys, from as string) : upperBound(this.leaf.keys, this.last)
    }
  }
}
