// Also tested by scanner-close.test.ts, lost-answers.test.ts and faults.test.ts.
import { KuduError } from '../error.js'
import { scan, scannerKeepAlive, type NewScanRequestPB, type ScanResponsePB } from '../proto/messages.js'
import type { KeyInterval } from '../rows/pruning.js'
import type { RowBatch } from '../rows/row-batch.js'
import { show } from '../show.js'
import type { KuduTable } from '../table.js'
import type { Waiting } from '../transport/waiting.js'
import { attemptTimeout, failureOf, failureOfAttempt, pause, type Failure, type Reached } from './attempts.js'
import type { Tablets } from './context.js'
import { compare, isBefore, type LocatedTablet } from './partition-map.js'
import { batchOf, columnarLayout, readMode } from './reads.js'
import type { ScanPlan } from './scan-plan.js'

/** A scanner that is open on a server. */
interface Open {
  readonly address: string
  readonly id: Uint8Array
  /** The number of the next request. A server takes each number once. */
  call: number
  readonly tablet: LocatedTablet
}

/** Statuses of a scanner that is not there any more. */
const gone: ReadonlySet<string | undefined> = new Set(['SCANNER_EXPIRED', 'INVALID_SCAN_CALL_SEQ_ID'])
/** Statuses of requests that the server did not look at. */
const busy: ReadonlySet<string | undefined> = new Set(['ERROR_SERVER_TOO_BUSY', 'ERROR_UNAVAILABLE'])

/**
 * Reads the rows of a scan, tablet by tablet. From the second batch on, the next one is read while the caller works on the last one. The time
 * limit of the scan counts for each batch. Whoever does not read it to its end calls `close()`, or leaves `for await`.
 */
export class Scanner implements AsyncIterable<RowBatch> {
  readonly #tablets: Tablets
  readonly #table: KuduTable
  readonly #plan: ScanPlan
  readonly #waiting: () => Waiting
  readonly #since = performance.now()
  #intervals: readonly KeyInterval[]
  /** The partition key of the tablet that is read; undefined at the end. */
  #key: Uint8Array | undefined
  /** The tablet of which something has been read. */
  #tablet: string | undefined
  #hasRows = false
  /** The only tablet of the scan, as long as it is not known where it is. */
  #unlocated: string | undefined
  /** After this encoded key the tablet goes on. */
  #after: Uint8Array | undefined
  #open: Open | undefined
  #snapshot: bigint | undefined
  #left: number
  #failures = 0
  #batches = 0
  #ahead: Promise<RowBatch | undefined> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(tablets: Tablets, table: KuduTable, plan: ScanPlan, waiting: () => Waiting) {
    this.#tablets = tablets
    this.#table = table
    this.#plan = plan
    this.#waiting = waiting
    this.#intervals = plan.intervals
    this.#unlocated = plan.tablet
    this.#key = plan.tablet === undefined ? plan.intervals[0]?.from : new Uint8Array()
    this.#after = plan.after
    this.#snapshot = plan.snapshot
    this.#left = plan.limit
  }

  /** The snapshot of an ordered scan, a hybrid timestamp: that of the request, or else known from the first batch on. */
  get snapshot(): bigint | undefined {
    return this.#snapshot
  }

  /** The next rows, at least one; undefined at the end and after `close()`. */
  next(): Promise<RowBatch | undefined> {
    const next = this.#last.then(() => this.#next())
    this.#last = next.catch(() => undefined)
    return next
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RowBatch, void, undefined> {
    try {
      for (let batch = await this.next(); batch !== undefined; batch = await this.next()) yield batch
    } finally {
      await this.close()
    }
  }

  /** Tells the server that nobody reads on, instead of letting it keep the scanner for a minute. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
    await this.#ahead?.catch(() => undefined)
    await this.#closeOpen()
  }

  /**
   * Makes the server wait another minute for the next request. For callers who work long on a batch of an unordered scan. An ordered scan goes
   * on in any case.
   */
  async keepAlive(): Promise<void> {
    const open = this.#open
    if (open === undefined) return
    const waiting = this.#waiting()
    try {
      const { message } = await this.#tablets.connections.call(open.address, scannerKeepAlive, { scannerId: open.id }, waiting)
      if (message.error !== undefined) throw failureOf(waiting, message.error).error
    } finally {
      waiting.end()
    }
  }

  async #next(): Promise<RowBatch | undefined> {
    if (this.#isClosed) return undefined
    const reading = this.#ahead ?? this.#read()
    this.#ahead = undefined
    const batch = await reading
    // A caller who wanted the first rows alone costs the server no more.
    if (batch !== undefined && ++this.#batches > 1 && !this.#isEnd()) {
      this.#ahead = this.#read()
      this.#ahead.catch(() => undefined) // whoever asks for the batch hears of it
    }
    return batch
  }

  #isEnd(): boolean {
    return this.#left === 0 || this.#key === undefined
  }

  async #read(): Promise<RowBatch | undefined> {
    const waiting = this.#waiting()
    try {
      waiting.throwIfOver()
      if (this.#unlocated !== undefined) await this.#locate(this.#unlocated, waiting)
      while (!this.#isEnd()) {
        const reached = await (this.#open === undefined ? this.#begin(waiting) : this.#continue(this.#open, waiting))
        if (reached === undefined) continue
        const batch = this.#take(reached, waiting)
        if (batch.length > 0) return batch
      }
      return undefined
    } catch (error) {
      this.#key = undefined
      void this.#closeOpen()
      throw error
    } finally {
      waiting.end()
    }
  }

  /** Goes to the only tablet of the scan. */
  async #locate(id: string, waiting: Waiting): Promise<void> {
    const tablet = await this.#tablets.locations.byId(this.#table, id, waiting)
    if (tablet === undefined) throw this.#noTablet(id, waiting)
    this.#unlocated = undefined
    this.#intervals = [{ from: tablet.start, to: tablet.end }]
    this.#tablet = id
    this.#key = tablet.start
  }

  #noTablet(id: string, waiting: Waiting): KuduError {
    return waiting.error('NOT_FOUND', `failed: the table ${show(this.#table.name)} has no tablet ${show(id)}.`, { isSent: false })
  }

  /** Opens a scanner on the tablet of the next key. Undefined: there is none, and the scan goes on elsewhere. */
  async #begin(waiting: Waiting): Promise<Reached<ScanResponsePB> | undefined> {
    const { leaders, locations } = this.#tablets
    const place = { table: this.#table, key: this.#key as Uint8Array, id: this.#tablet, isRead: true, since: this.#since }
    const request = (tablet: LocatedTablet) => ({
      newScanRequest: this.#request(tablet),
      callSeqId: 0,
      batchSizeBytes: this.#plan.batchBytes,
    })
    const reached = await leaders.call(scan, { ...place, request }, waiting)
    if (reached !== undefined) {
      this.#tablet = reached.tablet.id
      return reached
    }
    // Its range was dropped, and all its rows with it.
    if (this.#plan.tablet !== undefined) throw this.#noTablet(this.#plan.tablet, waiting)
    if (this.#tablet !== undefined) this.#leave()
    else {
      const { tablet, end } = await locations.find(this.#table, place.key, this.#since, waiting)
      if (tablet === undefined) this.#goTo(end)
    }
    return undefined
  }

  #request(tablet: LocatedTablet): NewScanRequestPB {
    const { projectedColumns, columnPredicates, start, stop, isOrdered } = this.#plan
    const after = this.#after
    return {
      tabletId: tablet.id,
      limit: this.#left === Infinity ? undefined : BigInt(this.#left),
      projectedColumns,
      columnPredicates,
      // Kudu takes one of the two.
      startPrimaryKey: after === undefined ? start : undefined,
      lastPrimaryKey: after,
      stopPrimaryKey: stop,
      orderMode: isOrdered ? 'ORDERED' : 'UNORDERED',
      readMode,
      snapTimestamp: this.#snapshot,
      propagatedTimestamp: this.#tablets.clock.latest,
      rowFormatFlags: columnarLayout,
    }
  }

  /** Asks an open scanner for more. Undefined: it has failed, and the scan goes on with another one. */
  async #continue(open: Open, waiting: Waiting): Promise<Reached<ScanResponsePB> | undefined> {
    let failure: Failure
    try {
      const request = { scannerId: open.id, callSeqId: open.call, batchSizeBytes: this.#plan.batchBytes }
      const answer = await this.#tablets.connections.call(open.address, scan, request, waiting, { timeout: attemptTimeout })
      const { error } = answer.message
      if (error === undefined) return { ...answer, tablet: open.tablet, address: open.address }
      failure = failureOf(waiting, error)
    } catch (error) {
      failure = failureOfAttempt(error)
    }
    const { error, remedy } = failure
    if (!busy.has(error.status)) {
      if (remedy === undefined && !gone.has(error.status)) throw error
      if (this.#hasRows && !this.#plan.isOrdered) throw lost(waiting, error)
      this.#open = undefined
      if (remedy === 'locate') this.#tablets.locations.forget(this.#table, open.tablet.start)
    }
    await pause(waiting, ++this.#failures, error)
    return undefined
  }

  /** The rows of an answer. */
  #take({ message, sidecars, tablet, address }: Reached<ScanResponsePB>, waiting: Waiting): RowBatch {
    const { clock, scanners } = this.#tablets
    const { isOrdered } = this.#plan
    const { scannerId, hasMoreResults = false, snapTimestamp, lastPrimaryKey } = message
    clock.see(message.propagatedTimestamp)
    clock.see(snapTimestamp)
    if (isOrdered) this.#snapshot ??= snapTimestamp
    const open = this.#open ?? { address, id: scannerId ?? new Uint8Array(), call: 0, tablet }
    open.call++
    const batch = batchOf(this.#plan.columns, message, sidecars, waiting)
    if (batch.length > this.#left || (isOrdered && batch.length > 0 && (lastPrimaryKey === undefined || this.#snapshot === undefined)))
      throw waiting.error('MALFORMED_ANSWER', 'was answered wrongly: it has too many rows, or lacks their key or snapshot.', {
        isSent: true,
      })
    this.#left -= batch.length
    this.#hasRows ||= batch.length > 0
    // Without rows there is no key, and the last one stays.
    this.#after = isOrdered ? (lastPrimaryKey ?? this.#after) : undefined
    this.#failures = 0
    if (hasMoreResults) {
      this.#open = open
      scanners.add(this)
      if (this.#left === 0) void this.#closeOpen()
    } else {
      this.#open = undefined
      scanners.delete(this)
      this.#leave()
      this.#goTo(tablet.end)
    }
    return batch
  }

  /** Forgets how far a tablet has been read. */
  #leave(): void {
    this.#tablet = undefined
    this.#hasRows = false
    this.#after = this.#plan.after
  }

  /** Goes on at a partition key, or at the next interval after it. */
  #goTo(key: Uint8Array): void {
    const next = key.length === 0 ? undefined : this.#intervals.find(({ to }) => isBefore(key, to))
    if (next === undefined) this.#key = undefined
    else this.#key = compare(next.from, key) > 0 ? next.from : key
  }

  async #closeOpen(): Promise<void> {
    const open = this.#open
    if (open === undefined) return
    this.#open = undefined
    const { scanners, connections } = this.#tablets
    scanners.delete(this)
    const request = { scannerId: open.id, callSeqId: open.call, batchSizeBytes: 0, closeScanner: true }
    const waiting = this.#tablets.closing()
    // A server that does not answer forgets it by itself.
    await connections.call(open.address, scan, request, waiting).catch(() => undefined)
    waiting.end()
  }
}

const lost = (waiting: Waiting, { code, message, status, serverMessage, isSent }: KuduError): KuduError =>
  new KuduError(
    code,
    `${message} An unordered scan cannot go on after it. Use isOrdered, or keepAlive() if the work on a batch takes long.`,
    { call: waiting.call, isSent, status, serverMessage },
  )
