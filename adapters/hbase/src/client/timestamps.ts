import { latin1String } from 'rowkey/adapter'

/**
 * Timestamps for servers on which a delete hides everything up to its own millisecond, also what is written after it. The next write of a row
 * that was deleted here gets a later one. What other processes write in the same millisecond, or with a clock that is behind, can be hidden.
 */
export class RowTimestamps {
  private readonly clock: () => number
  /** The last timestamp of rows that were deleted, or whose timestamps are ahead of the clock. */
  private readonly last = new Map<string, number>()
  private now = 0
  private sweptAt = 0

  constructor(clock: () => number = Date.now) {
    this.clock = clock
  }

  ofPut(row: Uint8Array): bigint {
    return BigInt(this.next(row, false))
  }

  /** Of a delete of the row or of some of its columns. */
  ofDelete(row: Uint8Array): bigint {
    return BigInt(this.next(row, true))
  }

  /** A row was found with a cell of this timestamp: what is computed from it must be later, also if this clock is behind. */
  saw(row: Uint8Array, timestamp: bigint): void {
    const key = latin1String(row)
    const seen = Number(timestamp)
    if (seen >= Math.max(this.time(), this.last.get(key) ?? 0)) this.last.set(key, seen)
  }

  private next(row: Uint8Array, isDelete: boolean): number {
    const now = this.time()
    this.sweep(now)
    const key = latin1String(row)
    const before = this.last.get(key)
    const timestamp = before === undefined || before < now ? now : before + 1
    if (isDelete || timestamp > now) this.last.set(key, timestamp)
    return timestamp
  }

  /** The clock, which never goes back here: what it had passed is forgotten, and must stay in the past. */
  private time(): number {
    return (this.now = Math.max(this.now, this.clock()))
  }

  /** Forgets what the clock has passed. */
  private sweep(now: number): void {
    if (now - this.sweptAt < sweepMs) return
    this.sweptAt = now
    for (const [key, timestamp] of this.last) if (timestamp < now) this.last.delete(key)
  }
}

const sweepMs = 1000
