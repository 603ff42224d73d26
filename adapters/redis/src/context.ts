// Tested by conformance.test.ts.
import {
  type EncodedKey,
  type InFlight,
  type RecordFormat,
  type RecordReader,
  RecordRows,
  type Row,
  type TableCatalog,
  type TableSchema,
  toHex,
} from 'rowkey/adapter'
import { toBuffer, type Commands } from './client/commands.js'
import { catalogUnusable, tableMissing, valueMissing } from './errors.js'
import { catalogKey, shardKeys } from './keys.js'
import { placementOf, shardFinder } from './shards/placement.js'
import type { RawPage } from './shards/replies.js'
import { Shard, type Place } from './shards/shard.js'

/** One table as one schema sees it: what its reads and writes share. */
export class TableContext {
  readonly schema: TableSchema
  readonly rows: RecordRows
  readonly format: RecordFormat
  readonly shards: readonly Shard[]
  readonly calls: InFlight
  private readonly findShard: (rowkey: Uint8Array, partitionBytes: number) => number

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
    this.findShard = shardFinder(schema, placement)
    this.shards = Array.from(
      { length: placement.shards },
      (_, number) => new Shard(schema.name, id, shardKeys(schema.name, number), commands, schema.expiryIndex >= 0),
    )
  }

  placeOf({ bytes, partitionBytes }: EncodedKey): Place {
    return { shard: this.shards[this.findShard(bytes, partitionBytes)] as Shard, rowkey: toBuffer(bytes) }
  }

  /** The shard of all rows of a partition. */
  shardOf(partition: Uint8Array): Shard {
    return this.shards[this.findShard(partition, partition.length)] as Shard
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
