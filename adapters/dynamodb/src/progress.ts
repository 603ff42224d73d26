import { isKey, isSameKey } from './answers.js'
import { badAnswer } from './errors.js'
import type { ItemKey } from './keys.js'

/** Max pages in a row that read no item and are not the last. The service ends a page early only after it has read a megabyte. */
export const maxIdle = 100

/**
 * Whether the pages of a walk over a whole table move on. Partition keys have no order that is known, so a key that comes again is found by
 * comparing with one earlier key, which is replaced after 1, 2, 4, … pages. That finds every circle, and holds one key.
 */
export class Progress {
  private readonly table: string
  private earlier: ItemKey | undefined
  private pages = 0
  private replaceAt = 1
  private idle = 0

  /** `start`: after which key the walk begins. */
  constructor(table: string, start?: ItemKey) {
    this.table = table
    this.earlier = start
  }

  /**
   * The key to go on after; undefined at the end.
   *
   * @param given `LastEvaluatedKey` of a page
   * @param examined how many items the page has read
   * @throws RowkeyError `ADAPTER_FAULT`
   */
  after(given: unknown, examined: number): ItemKey | undefined {
    if (given === undefined) return undefined
    if (!isKey(given)) throw badAnswer(this.table, 'a page that ends at something that is not a key')
    if (this.earlier !== undefined && isSameKey(given, this.earlier))
      throw badAnswer(this.table, 'a page that ends where an earlier one did')
    this.idle = examined > 0 ? 0 : this.idle + 1
    if (this.idle > maxIdle) throw badAnswer(this.table, `${this.idle} pages in a row without an item`)
    if (++this.pages === this.replaceAt) {
      this.earlier = given
      this.replaceAt *= 2
    }
    return given
  }
}
