import type { MaybePromise, Page, PageSource } from '../contract/reading.js'
import type { Position } from './position.js'

/**
 * What the core pulls rows from: the slice of one bucket, its ranges, the merged buckets, a list of keys, a whole table. Like the
 * `PageSource` of an adapter, but it also knows where it stands.
 */
export interface RowSource<P = Position> extends PageSource {
  /** @param mayExamine about how many rows this round may read; with 0 it returns only what is in memory. Default: any number. */
  next(want: number, mayExamine?: number): MaybePromise<Page | undefined>
  /** Everything up to here has been examined, and what was found has been returned; undefined before the first row. */
  readonly position: P | undefined
  /** true when it is known that there is nothing left, which may be before `next()` returns undefined. */
  readonly ended: boolean
}
