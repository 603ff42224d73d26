import type { Delete, Get, HBaseClient, Put, Result } from '@rowkey/hbase-client'
import { latin1String } from 'rowkey/adapter'
import type { ProfileLimits } from '../capabilities.js'
import { EnabledTable } from './enabled-table.js'

/** Runs after everything that is ready to run. So concurrent calls can share one request without waiting for a timer. */
function atEndOfTick(run: () => void): void {
  queueMicrotask(() => process.nextTick(run)) // after all microtasks, also those that they start
}

/** Items of several callers that go in one request. */
abstract class Together<Item, Answer> {
  protected readonly client: HBaseClient
  protected readonly table: string
  private readonly maxItems: number
  private readonly maxBytes: number
  private waiting: { readonly item: Item; readonly resolve: (answer: Answer) => void; readonly reject: (error: unknown) => void }[] = []
  private bytes = 0

  constructor(client: HBaseClient, table: string, { rows, bytes }: { readonly rows: number; readonly bytes: number }) {
    this.client = client
    this.table = table
    this.maxItems = rows
    this.maxBytes = bytes
  }

  /** The answer for one item, which shares a request with the other items of this tick. */
  send(item: Item): Promise<Answer> {
    const bytes = this.bytesOf(item)
    if (this.isFull(this.waiting.length, this.bytes + bytes)) this.flush()
    if (this.waiting.length === 0) atEndOfTick(this.flush)
    this.bytes += bytes
    return new Promise((resolve, reject) => this.waiting.push({ item, resolve, reject }))
  }

  /** What an item adds to a request. */
  protected abstract bytesOf(item: Item): number

  /** Answer i is that of item i. */
  protected abstract request(items: readonly Item[]): Promise<readonly Answer[]>

  /** Whether a request with some items has no place for one more, with which it would have so many bytes. */
  protected isFull(items: number, bytes: number): boolean {
    return items > 0 && (items === this.maxItems || bytes > this.maxBytes)
  }

  protected readonly flush = (): void => {
    const { waiting } = this
    if (waiting.length === 0) return
    this.waiting = []
    this.bytes = 0
    const fail = (error: unknown): void => {
      for (const { reject } of waiting) reject(error)
    }
    try {
      this.request(waiting.map(({ item }) => item)).then((answers) => {
        waiting.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
      }, fail)
    } catch (error) {
      fail(error) // at the end of a tick nobody else catches it
    }
  }
}

/** Gets of one table. Those of one tick are one request. */
export class Gets extends Together<Get, Result> {
  constructor(client: HBaseClient, table: string, { read }: Pick<ProfileLimits, 'read'>) {
    super(client, table, { rows: Math.min(read.rows, maxGets), bytes: maxGetBytes })
  }

  protected bytesOf({ row }: Get): number {
    return row.length
  }

  protected async request(gets: readonly Get[]): Promise<readonly Result[]> {
    const [only] = gets
    return gets.length === 1 && only !== undefined ? [await this.client.get(this.table, only)] : this.client.getMany(this.table, gets)
  }
}

/** The answer holds all rows, of which each may be large. */
const maxGets = 100
const maxGetBytes = 1 << 20

/** Writes of one table. Single ones of one tick are one request, but two of the same row are sent one after the other. */
abstract class Writes<Write extends { readonly row: Uint8Array }> extends Together<Write, undefined> {
  private readonly rows = new Set<string>()
  private readonly isEnabled: EnabledTable

  constructor(client: HBaseClient, table: string, { write }: Pick<ProfileLimits, 'write'>) {
    super(client, table, write)
    this.isEnabled = new EnabledTable(client, table)
  }

  override send(write: Write): Promise<undefined> {
    const row = latin1String(write.row)
    if (this.rows.has(row)) this.flush()
    const sent = super.send(write)
    this.rows.add(row)
    return sent
  }

  /**
   * Divides writes of distinct rows into requests of their own. `send` gets which of them a request has, and the function that sends it
   * now.
   */
  sendAll(writes: readonly Write[], send: (from: number, to: number, request: () => Promise<unknown>) => void): void {
    let from = 0
    let bytes = 0
    const sendUpTo = (to: number): void => {
      const some = writes.slice(from, to)
      send(from, to, () => this.sendTogether(some))
      from = to
      bytes = 0
    }
    for (let at = 0; at < writes.length; at++) {
      const more = this.bytesOf(writes[at] as Write)
      if (this.isFull(at - from, bytes + more)) sendUpTo(at)
      bytes += more
    }
    if (from < writes.length) sendUpTo(writes.length)
  }

  protected async request(writes: readonly Write[]): Promise<readonly undefined[]> {
    this.rows.clear()
    await this.sendTogether(writes)
    return []
  }

  protected async sendTogether(writes: readonly Write[]): Promise<unknown> {
    const [only] = writes
    if (writes.length === 1 && only !== undefined) return this.sendOne(only)
    if (this.isEnabled.isDue) await this.isEnabled.check()
    return this.sendSome(writes)
  }

  protected abstract sendOne(write: Write): Promise<unknown>
  protected abstract sendSome(writes: readonly Write[]): Promise<unknown>
}

/** Puts of whole rows. */
export class Puts extends Writes<Put> {
  protected bytesOf({ row, cells }: Put): number {
    let bytes = row.length
    for (const { qualifier, value } of cells) bytes += qualifier.length + value.length + cellOverhead
    return bytes
  }

  protected sendOne(put: Put): Promise<unknown> {
    return this.client.put(this.table, put)
  }

  protected sendSome(puts: readonly Put[]): Promise<unknown> {
    return this.client.putMany(this.table, puts)
  }
}

/** Deletes of whole rows. */
export class Deletes extends Writes<Delete> {
  protected bytesOf({ row }: Delete): number {
    return row.length + cellOverhead
  }

  protected sendOne(deletion: Delete): Promise<unknown> {
    return this.client.delete(this.table, deletion)
  }

  protected sendSome(deletes: readonly Delete[]): Promise<unknown> {
    return this.client.deleteMany(this.table, deletes)
  }
}

/** Bytes of a cell in a request beside its names and its value. */
const cellOverhead = 32
