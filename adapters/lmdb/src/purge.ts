// Tested by conformance.test.ts.
import { Sweep, type Cancellation, type Stretch } from 'rowkey/adapter'
import type { TableContext } from './context.js'

/** Rows that are examined without a pause. */
const step = 1000

/** A piece of a table. */
interface Piece {
  readonly expired: readonly Buffer[]
  /** The last key that was examined. */
  readonly last: Buffer | undefined
  /** Whether the end of the range was reached. */
  readonly isOver: boolean
}

/** Deletes expired rows, in short transactions. */
export class Purge {
  private readonly table: TableContext
  private readonly sweep = new Sweep<Buffer>()

  constructor(table: TableContext) {
    this.table = table
  }

  /** Deletes up to `limit` rows and returns how many. @throws the reason of the cancellation, before it deletes more */
  run(now: number, limit: number, cancellation?: Cancellation): Promise<number> {
    return this.sweep.run(limit, (part) => this.walk(part, now, cancellation))
  }

  /** Examines the keys after `from`, up to `upTo`. */
  private async walk({ from, upTo, left, stopAt }: Stretch<Buffer>, now: number, cancellation: Cancellation | undefined): Promise<number> {
    let deleted = 0
    let at = from
    while (deleted < left) {
      if (cancellation?.isOver === true) {
        stopAt(at)
        throw cancellation.reason
      }
      const piece = this.look(at, upTo, now, left - deleted)
      at = piece.last ?? at
      if (piece.expired.length > 0) {
        deleted += await this.table.environment.committer.commit(() => this.delete(piece.expired, now), piece.expired.length)
      } else if (!piece.isOver) await new Promise((resolve) => setImmediate(resolve))
      if (piece.isOver) return deleted
    }
    stopAt(at)
    return deleted
  }

  private look(after: Buffer | undefined, upTo: Buffer | undefined, now: number, max: number): Piece {
    const { start, end } = this.table
    const environment = this.table.startRead()
    const expired: Buffer[] = []
    let last: Buffer | undefined
    let looked = 0
    return environment.reading(() => {
      const range = { start: after ?? start, exclusiveStart: after !== undefined, end, limit: step }
      for (const { key, value } of environment.db.getRange(range)) {
        if (upTo !== undefined && Buffer.compare(key, upTo) > 0) return { expired, last, isOver: true }
        looked++
        last = key
        if (this.table.rows.isExpired(value, now)) expired.push(key)
        if (expired.length === max) return { expired, last, isOver: false }
      }
      return { expired, last, isOver: looked < step }
    })
  }

  /** Inside a transaction. Some rows may have been written again in the meantime. */
  private delete(keys: readonly Buffer[], now: number): number {
    const { db } = this.table.environment
    let deleted = 0
    for (const key of keys) {
      const record = db.getBinary(key)
      if (record === undefined || !this.table.rows.isExpired(record, now)) continue
      db.removeSync(key)
      deleted++
    }
    return deleted
  }
}
