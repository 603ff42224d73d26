// Tested by agreement.test.ts and schema.test.ts.
import { isRowkeyError, pause, storeUnavailable, type Cancellation, type KeyedMutex } from 'rowkey/adapter'
import { randomUUID } from 'node:crypto'
import { agreement } from '../client/agreement.js'
import type { CatalogRows } from './catalog-rows.js'
import { explained, isContended } from '../errors.js'

// Cassandra before 5.1 does not order changes of tables. Two changes at the same moment, by two nodes or on 3.11 by one, may leave nodes with
// different tables, or one table with two ids. So this lock orders them. Changes of one process wait for each other in memory. Processes use a row,
// which they take and release by lightweight transactions. If a process ends without releasing it, the row expires.

/** Times of the lock, in milliseconds; the lease in whole seconds. */
export interface LockTimes {
  /** Time to live of the row, unless it is renewed. */
  readonly lease: number
  /** Between two renewals. */
  readonly renewal: number
  /** How long a process waits for others. */
  readonly patience: number
}

const usual: LockTimes = { lease: 20_000, renewal: 5_000, patience: 60_000 }

/** Lets one process at a time change the tables of a keyspace. */
export class SchemaLock {
  private readonly rows: CatalogRows
  private readonly mutex: KeyedMutex
  private readonly times: LockTimes

  constructor(rows: CatalogRows, mutex: KeyedMutex, times: LockTimes = usual) {
    this.rows = rows
    this.mutex = mutex
    this.times = times
  }

  /** @throws RowkeyError `STORE_UNAVAILABLE` if others do not finish; what `change` throws; the reason of the cancellation */
  hold<T>(change: (lease: Lease) => Promise<T>, cancellation?: Cancellation): Promise<T> {
    const atTurn = async (): Promise<T> => {
      cancellation?.throwIfOver()
      const lease = new Lease(this.rows, this.times, cancellation)
      try {
        await this.take(lease, cancellation)
        return await change(lease)
      } finally {
        await lease.end()
      }
    }
    return this.mutex.run(this.rows.keyspace, atTurn, cancellation)
  }

  private async take(lease: Lease, cancellation: Cancellation | undefined): Promise<void> {
    for (const begin = performance.now(); ;) {
      if (await this.isTaken(lease, cancellation)) return
      const waited = performance.now() - begin
      if (waited > this.times.patience) {
        const seconds = Math.round(waited / 1000)
        const said = `other processes have been changing tables of keyspace '${this.rows.keyspace}' for ${seconds} s`
        throw storeUnavailable('cassandra', 'refused', new Error(said))
      }
      await pause(20 + Math.random() * 80, cancellation)
    }
  }

  private async isTaken(lease: Lease, cancellation: Cancellation | undefined): Promise<boolean> {
    try {
      const holder = await this.rows.holder()
      return (holder === undefined || holder === lease.owner) && (await lease.taken())
    } catch (error) {
      // For a moment, a node may refuse a table that its definitions already contain.
      if (isContended(error)) return false
      if (!isRowkeyError(error, 'TABLE_NOT_FOUND')) throw error
      await this.rows.make(cancellation)
      return false
    }
  }
}

/** The lock while it is held. */
export class Lease {
  private readonly rows: CatalogRows
  private readonly times: LockTimes
  private readonly cancellation: Cancellation | undefined
  readonly owner: string = randomUUID()
  private timer: ReturnType<typeof setInterval> | undefined
  /** In the time of `performance.now()`: until then nobody else can have the lock. */
  private until = 0
  /** Whether a request for the lock was sent, and may have arrived. */
  private isAsked = false
  /** Whether the server may still be executing a statement. */
  private isUnanswered = false

  constructor(rows: CatalogRows, times: LockTimes, cancellation?: Cancellation) {
    this.rows = rows
    this.times = times
    this.cancellation = cancellation
  }

  /** Takes the lock; false if somebody else has it, or if the outcome is unknown. */
  async taken(): Promise<boolean> {
    const isSecond = this.isAsked
    this.isAsked = true
    const asked = performance.now()
    try {
      if (!(await this.rows.lock(this.owner, this.times.lease / 1000))) return false
    } catch (error) {
      if (!isContended(error)) throw error
      return false // the next look tells whether this one got it
    }
    this.until = asked + this.times.lease
    // The row may be from an earlier attempt, and then it expires earlier.
    if (isSecond && !(await this.renewed())) return false
    this.timer = setInterval(() => void this.renewed().catch(() => undefined), this.times.renewal)
    this.timer.unref()
    return true
  }

  /**
   * Creates, changes or drops a table, and waits for all nodes.
   *
   * @throws RowkeyError `STORE_UNAVAILABLE`, also if the lock was lost in the meantime; what is wrong with the statement
   */
  async define(table: string, statement: string): Promise<void> {
    const isHeld = performance.now() < this.until - this.times.lease / 4 || (await this.renewed())
    if (!isHeld) {
      const said = new Error(`another process has taken the lock on the tables of keyspace '${this.rows.keyspace}'`)
      throw storeUnavailable('cassandra', 'refused', said)
    }
    try {
      await this.rows.session.define(statement)
    } catch (error) {
      const known = explained(this.rows.keyspace, table, error)
      this.isUnanswered ||= isRowkeyError(known, 'STORE_UNAVAILABLE')
      throw known
    }
    await agreement(this.rows.session, this.cancellation)
  }

  /** Releases the lock. If the server may still be executing a statement, the row stays until it expires. */
  async end(): Promise<void> {
    clearInterval(this.timer)
    if (!this.isAsked || this.isUnanswered) return
    // If this fails, others wait until the row expires.
    await this.rows.unlock(this.owner).catch(() => undefined)
  }

  private async renewed(): Promise<boolean> {
    const asked = performance.now()
    if (!(await this.rows.renew(this.owner, this.times.lease / 1000))) {
      this.until = 0
      return false
    }
    this.until = asked + this.times.lease
    return true
  }
}
