// Tested by catalogs.test.ts.
import { RecordRows, type RecordFormat, type RecordReader } from '@rowkey/record'
import { toHex } from '@rowkey/store/adapter'
import type {
  ChangeOptions,
  EncodedKey,
  InFlight,
  PageSource,
  ReadOptions,
  Row,
  Slice,
  TableCatalog,
  TableSchema,
  TableStore,
} from '@rowkey/store/adapter'
import type { Commands } from './client/commands.js'
import { catalogUnusable, rethrow, tableMissing, valueMissing } from './errors.js'
import { FullScan } from './full-scan.js'
import { getRows, type Got } from './get.js'
import { catalogKey, shardKeys } from './keys.js'
import { toBuffer } from './client/commands.js'
import { Purge, type Purged } from './purge.js'
import { scanSlice, sendingOf, type Scanned } from './scan.js'
import { splits } from './splits.js'
import { placementOf, shardFinder } from './shards/placement.js'
import type { RawPage } from './shards/replies.js'
import { Shard, type Place } from './shards/shard.js'

/** One table as one schema sees it. */
export class RedisTable implements TableStore, Got, Scanned, Purged {
  readonly schema: TableSchema
  readonly rows: RecordRows
  readonly format: RecordFormat
  readonly shards: readonly Shard[]
  readonly mustBeOpen: () => void
  private readonly findShard: (rowkey: Uint8Array, partitionBytes: number) => number
  private readonly calls: InFlight
  private readonly purge: Purge

  /** @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH`, `STORE_UNUSABLE` */
  constructor(schema: TableSchema, catalog: TableCatalog, commands: Commands, calls: InFlight) {
    const placement = placementOf(catalog)
    const id = catalog.store?.['id']
    if (placement === undefined || typeof id !== 'string') throw tableMissing(schema.name)
    if (placement.placed === 'bucket' && placement.shards !== schema.layout.buckets)
      throw catalogUnusable(catalogKey(schema.name), 'damaged')
    this.schema = schema
    this.rows = new RecordRows(schema, catalog)
    this.format = this.rows.format
    this.calls = calls
    this.mustBeOpen = calls.mustBeOpen
    this.findShard = shardFinder(schema, placement)
    this.shards = Array.from(
      { length: placement.shards },
      (_, number) => new Shard(schema.name, id, shardKeys(schema.name, number), commands, schema.expiryIndex >= 0),
    )
    this.purge = new Purge(this)
  }

  get(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    this.mustBeOpen()
    return getRows(this, keys, this.rows.readerOf(options))
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    return scanSlice(this, slice, this.rows.readerOf(options), sendingOf(this, options, slice.filter))
  }

  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    return new FullScan(this, checkpoint, this.rows.readerOf(options), sendingOf(this, options))
  }

  splits(count: number): Promise<readonly string[]> {
    this.mustBeOpen()
    return splits(this.shards, count)
  }

  purgeExpired(now: number, limit: number, { cancellation }: ChangeOptions = {}): Promise<number> {
    if (this.schema.expiryIndex < 0) return Promise.resolve(0)
    return this.calls.run(() => this.purge.run(now, limit, cancellation).catch(rethrow))
  }

  placeOf(key: Row): Place {
    return this.placeOfKey(this.schema.layout.encodeKey(key))
  }

  placeOfKey({ bytes, partitionBytes }: EncodedKey): Place {
    return { shard: this.shards[this.findShard(bytes, partitionBytes)] as Shard, rowkey: toBuffer(bytes) }
  }

  shardOf(partition: Uint8Array): Shard {
    return this.shards[this.findShard(partition, partition.length)] as Shard
  }

  rowOf(key: Row, record: Uint8Array, reader?: RecordReader): Row {
    return this.rows.rowOf(key, record, reader)
  }

  /** @throws RowkeyError `CORRUPT_ROW` for a member without a value */
  rowsOf({ members, records }: RawPage, reader: RecordReader): readonly Row[] {
    const rows = new Array<Row>(records.length)
    for (let i = 0; i < records.length; i++) {
      const member = members[i] as Buffer
      const record = records[i]
      if (record === null || record === undefined) throw valueMissing(this.schema.name, toHex(member))
      rows[i] = this.rows.rowAt(member, record, reader)
    }
    return rows
  }
}
