/**
 * Answers in a row that may bring nothing. A store may have to skip what others deleted, but none needs as many requests for it without
 * saying that it has come further.
 */
const maxIdle = 100

/**
 * Sees whether a loop over the answers of a store moves on, so that it ends if the store repeats itself.
 *
 * Cost: one comparison per answer, and one place in memory.
 *
 * @example
 * ```ts
 * const progress = new Progress()
 * do {
 *   const { items, token } = await client.query(from)
 *   if (token !== undefined && progress.returnsTo(token)) throw new Error('the server repeats itself')
 *   from = token
 * } while (from !== undefined)
 * ```
 */
export class Progress {
  private idle = 0
  /** One of the places so far: the last one whose number is a power of two. */
  private remembered: string | undefined
  private left = 1
  private power = 1

  /** After each answer: whether too many in a row have brought nothing. */
  isStuck(hasMoved: boolean): boolean {
    this.idle = hasMoved ? 0 : this.idle + 1
    return this.idle > maxIdle
  }

  /**
   * After each answer that names a new place: whether the loop has been there before. A circle of n places is found before the loop has gone
   * through it three times (the algorithm of Brent).
   */
  returnsTo(place: string): boolean {
    if (place === this.remembered) return true
    if (--this.left === 0) {
      this.remembered = place
      this.power *= 2
      this.left = this.power
    }
    return false
  }
}
