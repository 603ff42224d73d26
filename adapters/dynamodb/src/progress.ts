import { isKey, isSameKey } from './answers.js'
import { badAnswer } from './errors.js'
import type { ItemKey } from './keys.js'

/**
 * Whether the pages of a walk over a whole table move on. Partition keys have no order that is known, so a key that comes again is found by
 * comparing with one earlier key, which is replaced after 1, 2, 4, … pages. That finds every circle, and holds one key. Pages without items may be
 * many: compatible servers end a page after so many deleted items, at the key of one of them.
 */
export class Progress {
  private readonly table: string
  private earlier: ItemKey | undefined
  private pages = 0
  private replaceAt = 1

  /** `start`: after which key the walk begins. */
  constructor(table: string, start?: ItemKey) {
    this.table = table
    this.earlier = start
  }

  /**
   * The key to go on after; undefined at the end.
   *
   * @param given `LastEvaluatedKey` of a page
   * @throws RowkeyError `ADAPTER_FAULT`
   */
  after(given: unknown): ItemKey | undefined {
    if (given === undefined) return undefined
    if (!isKey(given)) throw badAnswer(this.table, 'a page that ends at something that is not a key')
    if (this.earlier !== undefined && isSameKey(given, this.earlier))
      throw badAnswer(this.table, 'a page that ends where an earlier one did')
    if (++this.pages === this.replaceAt) {
      this.earlier = given
      this.replaceAt *= 2
    }
    return given
  }
}
