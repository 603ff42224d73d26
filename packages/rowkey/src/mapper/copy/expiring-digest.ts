import type { Row } from '#codec'
import type { TableSchema } from '#model'
import type { TableDigest } from './copy-options.js'
import { lanes, RowHash } from './row-hash.js'

/** Rows that expire at about the same time: how many, and the sums of their hashes. */
interface Slot {
  rows: number
  readonly sums: number[]
}

/**
 * A digest of rows in no order. Rows may expire while a table is read, and a store may delete them at any time. So rows are summed by the time
 * that they have left, in slots whose width doubles, and the digest only includes slots in which nothing can have expired.
 */
export class ExpiringDigest {
  private readonly hash: RowHash
  private readonly expiryIndex: number
  private readonly start: number
  /** Slot 0: rows that never expire. Slot n: rows with at least 2^(n − 1) − 1 seconds left. */
  private readonly slots: Slot[] = []

  /** @param start epoch milliseconds, the same for all tables that are compared */
  constructor(schema: TableSchema, start: number) {
    this.hash = new RowHash(schema)
    this.expiryIndex = schema.expiryIndex
    this.start = start
  }

  add(row: Row): void {
    const expiry = row[this.expiryIndex]
    const index = typeof expiry === 'number' ? slotOf(expiry - this.start) : 0
    const slot = (this.slots[index] ??= { rows: 0, sums: new Array<number>(lanes).fill(0) })
    slot.rows++
    const hashes = this.hash.of(row)
    for (let lane = 0; lane < lanes; lane++) slot.sums[lane] = ((slot.sums[lane] as number) + (hashes[lane] as number)) >>> 0
  }

  /** The digest without the rows that can have expired by `now`. */
  at(now: number): TableDigest {
    let rows = 0
    const sums = new Array<number>(lanes).fill(0)
    for (const [index, slot] of this.slots.entries()) {
      if ((slot as Slot | undefined) === undefined || (index > 0 && leastLeft(index) <= now - this.start)) continue
      rows += slot.rows
      for (let lane = 0; lane < lanes; lane++) sums[lane] = ((sums[lane] as number) + (slot.sums[lane] as number)) >>> 0
    }
    return { rows, digest: sums.map((sum) => sum.toString(16).padStart(8, '0')).join('') }
  }
}

const slotOf = (left: number): number => 1 + Math.floor(Math.log2(1 + Math.max(0, left) / 1000))
/** The milliseconds that a row of a slot has left at least. */
const leastLeft = (slot: number): number => (2 ** (slot - 1) - 1) * 1000
