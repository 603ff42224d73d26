import type { RecordReader } from '@rowkey/record'
import { RowkeyError, type Page, type PageSource } from '@rowkey/store/adapter'
import { rethrow } from './errors.js'
import { behind, pageBytes, pageRows, type Scanned } from './scan.js'
import type { Sending, Shard } from './shards/shard.js'

/** All rows, shard by shard. */
export class FullScan implements PageSource {
  private readonly table: Scanned
  private readonly reader: RecordReader
  private readonly sending: Sending | undefined
  private shard: number
  private last: Buffer | undefined
  private isClosed = false

  constructor(table: Scanned, checkpoint: string | undefined, reader: RecordReader, sending: Sending | undefined) {
    this.table = table
    this.reader = reader
    this.sending = sending
    const place = checkpoint === undefined ? undefined : placeAt(checkpoint, table.shards.length)
    this.shard = place?.shard ?? 0
    this.last = place?.last
  }

  /** Skips shards without rows after the last row. */
  async next(target: number): Promise<Page | undefined> {
    this.table.mustBeOpen()
    const want = Math.min(Math.max(1, target), pageRows)
    for (let calls = 1; this.shard < this.table.shards.length && !this.isClosed; calls++) {
      const page = await this.read(this.table.shards[this.shard] as Shard, want, calls)
      if (page !== undefined) return page
    }
    return undefined
  }

  close(): void {
    this.isClosed = true
  }

  private async read(shard: Shard, want: number, calls: number): Promise<Page | undefined> {
    try {
      const page = await shard.page({ low: behind(this.last), high: '+', reverse: false }, { rows: want, bytes: pageBytes }, this.sending)
      const rows = this.table.rowsOf(page, this.reader)
      const checkpoint = checkpointAt(this.table.shards.length, this.shard, page.members.at(-1))
      if (page.isCut || rows.length === want) this.last = page.members.at(-1)
      else {
        this.shard++
        this.last = undefined
      }
      return rows.length === 0 ? undefined : { rows, examined: rows.length, checkpoint, cost: { calls } }
    } catch (error) {
      return rethrow(error)
    }
  }
}

/** The number of shards, the shard that was read last, and its last rowkey. */
const checkpointAt = (shards: number, shard: number, last: Buffer | undefined): string =>
  `${shards}.${shard}.${last?.toString('base64url') ?? ''}`

/** @throws RowkeyError `CURSOR_INVALID`, also if the table had another number of shards, because its rows are in other shards now */
function placeAt(checkpoint: string, shards: number): { readonly shard: number; readonly last: Buffer } {
  const [, had, shard, last] = /^(\d+)\.(\d+)\.([\w-]+)$/.exec(checkpoint) ?? []
  if (last !== undefined && Number(had) === shards && Number(shard) < shards) {
    return { shard: Number(shard), last: Buffer.from(last, 'base64url') }
  }
  const reason =
    last === undefined ? 'it does not contain a shard and a rowkey' : `it is of a table with ${had} shards, and this table has ${shards}`
  throw new RowkeyError('CURSOR_INVALID', `the checkpoint cannot be used: ${reason}. Start without one.`, { reason })
}
