import type { RecordReader } from '@rowkey/record'
import type { Page, PageSource } from '@rowkey/store'
import { toRowkeyError } from './errors.js'
import { behind, pageBytes, pageRows, type Scanned } from './scan.js'
import type { Shard } from './shard.js'

/** All rows, shard by shard. */
export class FullScan implements PageSource {
  private readonly table: Scanned
  private readonly reader: RecordReader
  private shard: number
  private last: Buffer | undefined
  private isClosed = false

  constructor(table: Scanned, checkpoint: string | undefined, reader: RecordReader) {
    this.table = table
    this.reader = reader
    const [shard = '0', last] = (checkpoint ?? '0').split('.')
    this.shard = Number(shard)
    this.last = last === undefined ? undefined : Buffer.from(last, 'base64url')
  }

  /** Shards without rows behind the last one are stepped over. */
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
      const page = await shard.page(behind(this.last), '+', false, want, pageBytes)
      const rows = this.table.rowsOf(page, this.reader)
      const checkpoint = `${this.shard}.${page.members.at(-1)?.toString('base64url') ?? ''}`
      if (page.isCut || rows.length === want) this.last = page.members.at(-1)
      else {
        this.shard++
        this.last = undefined
      }
      return rows.length === 0 ? undefined : { rows, examined: rows.length, checkpoint, cost: { calls } }
    } catch (error) {
      throw toRowkeyError(error)
    }
  }
}
