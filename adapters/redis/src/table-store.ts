import { RecordFormat, type RecordReader } from '@rowkey/record'
import {
  type Operations,
  toHex,
  type PageSource,
  type ReadOptions,
  type Row,
  type Slice,
  type TableCatalog,
  type TableSchema,
  type TableStore,
  type Value,
} from '@rowkey/store'
import type { Commands } from './commands.js'
import { tableMissing, toRowkeyError, valueMissing } from './errors.js'
import { FullScan } from './full-scan.js'
import { shardKeys, toBuffer } from './keys.js'
import { placementOf, shardFinder } from './placement.js'
import { purge, type Purged } from './purge.js'
import { scanSlice, type Scanned } from './scan.js'
import { Shard, type RawPage } from './shard.js'

/** Where a row is. */
export interface Place {
  readonly shard: Shard
  readonly rowkey: Buffer
}

/** One table as one schema sees it. */
export class RedisTable implements TableStore, Scanned, Purged {
  readonly schema: TableSchema
  readonly format: RecordFormat
  readonly id: string
  readonly shards: readonly Shard[]
  readonly commands: Commands
  private readonly wholeReader: RecordReader
  private readonly find: (rowkey: Uint8Array, partitionLength: number) => number
  private readonly operations: Operations
  /** Of the salt, where there are no partition columns behind it. */
  private readonly saltLength: number
  private nextPurged = 0

  /** @throws RowkeyError `TABLE_MISSING`, `SCHEMA_MISMATCH` */
  constructor(schema: TableSchema, catalog: TableCatalog, commands: Commands, operations: Operations) {
    const placement = placementOf(catalog)
    const id = catalog.store?.['id']
    if (placement === undefined || typeof id !== 'string') throw tableMissing(schema.name)
    this.schema = schema
    this.format = new RecordFormat(schema, catalog)
    this.id = id
    this.commands = commands
    this.operations = operations
    this.wholeReader = this.format.reader()
    this.find = shardFinder(schema, placement)
    this.saltLength = schema.partitionLength === 0 ? schema.layout.partition(0, []).length : 0
    this.shards = Array.from(
      { length: placement.shards },
      (_, number) => new Shard(schema.name, id, shardKeys(schema.name, number), commands, schema.expiryAt >= 0),
    )
  }

  get(keys: readonly Row[], options: ReadOptions): Promise<readonly (Row | undefined)[]> {
    this.operations.mustBeOpen()
    return this.getRows(keys, this.readerOf(options)).catch(rethrow)
  }

  private async getRows(keys: readonly Row[], reader: RecordReader): Promise<readonly (Row | undefined)[]> {
    const [first] = keys
    if (keys.length === 1 && first !== undefined) {
      const { shard, rowkey } = this.placeOf(first)
      const [record] = await shard.gets.get([rowkey])
      return [record === null || record === undefined ? undefined : this.rowOf(first, record, reader)]
    }
    const rows = new Array<Row | undefined>(keys.length).fill(undefined)
    const places = keys.map((key) => this.placeOf(key))
    const groups = byShard(places)
    await Promise.all(
      Array.from(groups, async ([shard, indexes]) => {
        const records = await shard.gets.get(indexes.map((i) => (places[i] as Place).rowkey))
        indexes.forEach((i, at) => {
          const record = records[at]
          if (record !== null && record !== undefined) rows[i] = this.rowOf(keys[i] as Row, record, reader)
        })
      }),
    )
    return rows
  }

  scan(slice: Slice, options: ReadOptions): PageSource {
    return scanSlice(this, slice, this.readerOf(options))
  }

  /** The checkpoint is the shard and the last rowkey. */
  fullScan(checkpoint: string | undefined, options: ReadOptions): PageSource {
    return new FullScan(this, checkpoint, this.readerOf(options))
  }

  purgeExpired(now: number, limit: number): Promise<number> {
    if (this.schema.expiryAt < 0) return Promise.resolve(0)
    return this.operations.run(() => purge(this, this.nextPurged, now, limit, (shard) => (this.nextPurged = shard)).catch(rethrow))
  }

  /** @throws RowkeyError `CLOSED` */
  mustBeOpen(): void {
    this.operations.mustBeOpen()
  }

  /** The place of a row, by its key. */
  placeOf(key: Row): Place {
    const { layout } = this.schema
    const rowkey = layout.rowkey(key)
    if (this.shards.length === 1) return { shard: this.shards[0] as Shard, rowkey: toBuffer(rowkey) }
    const partitionLength = this.saltLength || rowkey.length - layout.rest(key).length
    return { shard: this.shards[this.find(rowkey, partitionLength)] as Shard, rowkey: toBuffer(rowkey) }
  }

  /** The shard of all rows of a partition. */
  shardOf(partition: Uint8Array): Shard {
    return this.shards[this.find(partition, partition.length)] as Shard
  }

  /** The row of a key and its record. */
  rowOf(key: Row, record: Uint8Array, reader: RecordReader = this.wholeReader): Row {
    const row = this.emptyRow()
    for (let i = 0; i < this.schema.keyLength; i++) row[i] = key[i] as Value
    reader.read(record, row)
    return row
  }

  /** @throws RowkeyError `CORRUPT_ROW` for a member without a value */
  rowsOf({ members, records }: RawPage, reader: RecordReader): readonly Row[] {
    const { layout, name } = this.schema
    const rows = new Array<Row>(records.length)
    for (let i = 0; i < records.length; i++) {
      const member = members[i] as Buffer
      const record = records[i]
      if (record === null || record === undefined) throw valueMissing(name, toHex(member))
      const row = this.emptyRow()
      layout.decode(member, row)
      reader.read(record, row)
      rows[i] = row
    }
    return rows
  }

  private readerOf({ columns }: ReadOptions): RecordReader {
    return columns === undefined ? this.wholeReader : this.format.reader(columns)
  }

  private emptyRow(): Value[] {
    return new Array<Value>(this.schema.columns.length).fill(null)
  }
}

/** The indexes of places, by shard. */
export function byShard(places: readonly (Place | undefined)[]): ReadonlyMap<Shard, readonly number[]> {
  const groups = new Map<Shard, number[]>()
  places.forEach((place, i) => {
    if (place === undefined) return
    const group = groups.get(place.shard)
    if (group === undefined) groups.set(place.shard, [i])
    else group.push(i)
  })
  return groups
}

function rethrow(error: unknown): never {
  throw toRowkeyError(error)
}
