// Tested by adapter-kit.test.ts.

/** A part of a table, and how many rows a purge may still delete. */
export interface Stretch<Place> {
  /** Where the part begins; undefined = where the table does. */
  readonly from: Place | undefined
  /** Where it may end; undefined = where the table does. */
  readonly upTo: Place | undefined
  readonly left: number
  /** Notes where the walk has stopped before the end. */
  readonly stopAt: (place: Place | undefined) => void
}

/**
 * How far the purges of a table have come: each continues where the last one stopped, so that many small calls together read each row once.
 *
 * @example
 * ```ts
 * private readonly sweep = new Sweep<Uint8Array>()
 * purgeExpired(now, limit) {
 *   return this.sweep.run(limit, ({ from, upTo, left, stopAt }) => this.deleteExpired(now, from, upTo, left, stopAt))
 * }
 * ```
 */
export class Sweep<Place> {
  private sweptTo: Place | undefined

  /** @param walk deletes up to `left` rows of a part of the table, and resolves to their number */
  async run(limit: number, walk: (part: Stretch<Place>) => Promise<number>): Promise<number> {
    const { sweptTo } = this
    this.sweptTo = undefined
    const stopAt = (place: Place | undefined): void => {
      this.sweptTo = place
    }
    const deleted = await walk({ from: sweptTo, upTo: undefined, left: limit, stopAt })
    if (deleted >= limit || sweptTo === undefined) return deleted
    return deleted + (await walk({ from: undefined, upTo: sweptTo, left: limit - deleted, stopAt }))
  }
}
