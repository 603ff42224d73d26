// Tested by end-of-tick.test.ts.
import type { Delete, Get, HBaseClient, Put, Result } from '@rowkey/hbase-client'
import { latin1String } from '@rowkey/store/adapter'
import type { ProfileLimits } from '../capabilities.js'

/** Runs after everything that is ready to run. So concurrent calls can share one request without waiting for a timer. */
function atEndOfTick(run: () => void): void {
  queueMicrotask(() => process.nextTick(run)) // after all microtasks, also those that they start
}

/** Items of several callers that go in one request. */
abstract class Together<Item, Answer> {
  private readonly maxItems: number
  private readonly maxBytes: number
  private waiting: { readonly item: Item; readonly resolve: (answer: Answer) => void; readonly reject: (error: unknown) => void }[] = []
  private bytes = 0

  constructor({ rows, bytes }: { readonly rows: number; readonly bytes: number }) {
    this.maxItems = rows
    this.maxBytes = bytes
  }

  /** Answer i is that of item i. */
  protected abstract send(items: readonly Item[]): Promise<readonly Answer[]>

  /** The answer for one item, which shares a request with the other items of this tick. */
  protected add(item: Item, bytes: number): Promise<Answer> {
    if (this.waiting.length === this.maxItems || (this.waiting.length > 0 && this.bytes + bytes > this.maxBytes)) this.flush()
    if (this.waiting.length === 0) atEndOfTick(this.flush)
    this.bytes += bytes
    return new Promise((resolve, reject) => this.waiting.push({ item, resolve, reject }))
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
      this.send(waiting.map(({ item }) => item)).then((answers) => {
        waiting.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
      }, fail)
    } catch (error) {
      fail(error) // at the end of a tick nobody else catches it
    }
  }
}

/** Gets of one table. Those of one tick are one request. */
export class Gets extends Together<Get, Result> {
  private readonly client: HBaseClient
  private readonly table: string

  constructor(client: HBaseClient, table: string, { read }: Pick<ProfileLimits, 'read'>) {
    super({ rows: Math.min(read.rows, maxGets), bytes: maxGetBytes })
    this.client = client
    this.table = table
  }

  get(get: Get): Promise<Result> {
    return this.add(get, get.row.length)
  }

  protected async send(gets: readonly Get[]): Promise<readonly Result[]> {
    const [only] = gets
    return gets.length === 1 && only !== undefined ? [await this.client.get(this.table, only)] : this.client.getMultiple(this.table, gets)
  }
}

/** The answer holds all rows, of which each may be large. */
const maxGets = 100
const maxGetBytes = 1 << 20

/** Writes of one table. Those of one tick are one request, but two of the same row are sent one after the other. */
abstract class Writes<Write extends { readonly row: Uint8Array }> extends Together<Write, undefined> {
  protected readonly client: HBaseClient
  protected readonly table: string
  private readonly rows = new Set<string>()

  constructor(client: HBaseClient, table: string, { write }: Pick<ProfileLimits, 'write'>) {
    super(write)
    this.client = client
    this.table = table
  }

  protected addWrite(write: Write, bytes: number): Promise<undefined> {
    const row = latin1String(write.row)
    if (this.rows.has(row)) this.flush()
    const done = this.add(write, bytes)
    this.rows.add(row)
    return done
  }

  protected async send(writes: readonly Write[]): Promise<readonly undefined[]> {
    this.rows.clear()
    await this.sendAll(writes)
    return []
  }

  protected abstract sendAll(writes: readonly Write[]): Promise<unknown>
}

/** Puts of whole rows. */
export class Puts extends Writes<Put> {
  put(put: Put): Promise<undefined> {
    let bytes = put.row.length
    for (const { qualifier, value } of put.cells) bytes += qualifier.length + value.length + cellOverhead
    return this.addWrite(put, bytes)
  }

  protected sendAll(puts: readonly Put[]): Promise<unknown> {
    const [only] = puts
    return puts.length === 1 && only !== undefined ? this.client.put(this.table, only) : this.client.putMultiple(this.table, puts)
  }
}

/** Deletes of whole rows. */
export class Deletes extends Writes<Delete> {
  delete(one: Delete): Promise<undefined> {
    return this.addWrite(one, one.row.length + cellOverhead)
  }

  protected sendAll(deletes: readonly Delete[]): Promise<unknown> {
    const [only] = deletes
    if (deletes.length === 1 && only !== undefined) return this.client.deleteSingle(this.table, only)
    return this.client.deleteMultiple(this.table, deletes)
  }
}

/** Bytes of a cell in a request beside its names and its value. */
const cellOverhead = 32
