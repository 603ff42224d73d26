// Tested by conditional.test.ts.
import {
  byColumns,
  heldRow,
  type InFlight,
  isRowkeyError,
  type ReadOptions,
  type Row,
  type SchemaColumn,
  type TableCatalog,
  type TableSchema,
  type Value,
} from 'rowkey/adapter'
import { beingChanged, isColumnUnknown, isKeyUnfit } from './errors.js'
import { expiryBytes, expiryModeOf, type ExpiryCell, type ExpiryMode } from './expiry.js'
import { hasBucket, primaryKey, type KeyColumn } from './keys.js'
import { int32 } from './client/native-bytes.js'
import type { NativeRow } from './client/answers.js'
import { RowReader } from './rows.js'
import { bucketColumn, guardColumn, quoted, Statements, type PrimaryKey } from './client/cql.js'
import type { Bound, PageOptions, Session } from './client/session.js'
import type { metadata, types } from 'cassandra-driver'
import { beforeSending } from './outcomes.js'
import { whatIsGone } from './native-table.js'
import { valueTypeOf } from './values.js'

/** What is stored now for a key. */
export interface Stored {
  readonly cell: ExpiryCell
  /** undefined for the remains of a row that expired. */
  readonly row: Row | undefined
  /** Whether the row has all its columns, not only expiry and version. */
  readonly isWhole: boolean
}

/** Values of columns that other processes have added to the table: as the driver has decoded them, and encodes them again. */
export interface AddedValues {
  readonly names: readonly string[]
  readonly values: Bound['params']
}

/** One table as one schema sees it: what its reads and writes share. */
export class TableContext {
  readonly schema: TableSchema
  readonly keyspace: string
  readonly key: PrimaryKey<KeyColumn>
  /** Its columns that are the model's. */
  readonly keys: readonly KeyColumn[]
  readonly statements: Statements
  readonly mode: ExpiryMode
  readonly session: Session
  readonly columns: TableColumns
  /** By position: returns the bytes of a value, and null for null. */
  readonly writers: readonly ((value: Value) => Buffer | null)[]
  readonly calls: InFlight
  readonly reader: (columns: readonly number[] | undefined) => RowReader
  /** Expiry and version. */
  private readonly own: readonly number[]
  private readonly buckets: Buffer[] = []

  constructor(schema: TableSchema, catalog: TableCatalog, keyspace: string, session: Session, calls: InFlight) {
    this.schema = schema
    this.keyspace = keyspace
    this.key = primaryKey(schema, hasBucket(catalog))
    this.keys = this.key.columns
    this.statements = new Statements(keyspace, schema, this.key)
    this.mode = expiryModeOf(schema, catalog)
    this.session = session
    this.columns = new TableColumns(keyspace, schema, session)
    this.writers = schema.columns.map(writerOf)
    this.calls = calls
    this.own = [schema.expiryIndex, schema.versionIndex].filter((at) => at >= 0)
    this.reader = byColumns((columns) => new RowReader(schema, this.keys, this.mode, columns))
  }

  /** Rows. @throws RowkeyError `TABLE_NOT_FOUND`, `SCHEMA_MISMATCH`, `STORE_UNAVAILABLE` */
  async read(bound: Bound, consistency: ReadOptions['consistency'], page?: PageOptions): Promise<types.ResultSet> {
    const { session, schema } = this
    for (let attempt = 0; ; attempt++) {
      try {
        return await session.read(schema.name, bound, consistency, page)
      } catch (error) {
        const isUnfit = isKeyUnfit(error)
        if (!isRowkeyError(error, 'TABLE_NOT_FOUND') && !isColumnUnknown(error) && !isUnfit) throw error
        const gone = await whatIsGone(this)
        if (gone !== undefined) throw gone
        if (isUnfit) throw error
        if (attempt > 0) throw beingChanged(schema.name)
      }
    }
  }

  /**
   * The row of a key, as conditions need it. Unless all its values are `needed`, one that the model cannot hold has only expiry and version.
   *
   * @throws RowkeyError `UNREADABLE_ROW`
   */
  async stored(key: Row, needed: 'values' | 'presence'): Promise<Stored | undefined> {
    const reader = this.reader(undefined)
    const bound = { query: this.statements.get(reader.columns), params: this.keyBytes(key) }
    const { rows } = await this.read(bound, 'strong')
    const found = rows[0] as unknown as NativeRow | undefined
    if (found === undefined) return undefined
    const cell = reader.expiry(found)
    const whole = needed === 'values' ? reader.read(found) : heldRow(() => reader.read(found))
    if (whole !== undefined) return { cell, row: whole, isWhole: true }
    // Only the remains of a row that expired have no presence either.
    const presence = this.reader(this.own).read(found)
    return { cell, row: presence, isWhole: presence === undefined }
  }

  /** What a row has now in the columns that other processes have added. */
  async addedValues(key: Row): Promise<AddedValues> {
    const names = await this.columns.unknown()
    if (names.length === 0) return { names, values: [] }
    const selected = names.map((name, i) => `${quoted(name)} AS a${i}`).join(', ')
    const { rows } = await this.read({ query: this.statements.get(selected), params: this.keyBytes(key) }, 'strong')
    const found = rows[0] as unknown as NativeRow | undefined
    return { names, values: names.map((_, i) => found?.[`a${i}`] ?? null) as AddedValues['values'] }
  }

  /** The bytes of the columns of the primary key, for a key or its first columns. */
  keyBytes(prefix: Row, length: number = this.keys.length, bucket?: number): Buffer[] {
    const bytes = this.key.hasBucket ? [this.bucketBytes(bucket ?? this.schema.layout.bucketOf(prefix))] : []
    for (let i = 0; i < length; i++) bytes.push((this.keys[i] as KeyColumn).write(prefix[i] ?? null))
    return bytes
  }

  private bucketBytes(bucket: number): Buffer {
    return bucket < rememberedBuckets ? (this.buckets[bucket] ??= int32(bucket)) : int32(bucket)
  }

  /** The key columns after those of the partition. */
  sortKeyBytes(key: Row): Buffer[] {
    const bytes: Buffer[] = []
    for (let i = this.schema.partitionLength; i < this.keys.length; i++) bytes.push((this.keys[i] as KeyColumn).write(key[i] ?? null))
    return bytes
  }
}

function writerOf({ role, type }: SchemaColumn): (value: Value) => Buffer | null {
  if (role === 'expiry') return (value) => expiryBytes(value as number | null)
  const { write } = valueTypeOf({ type })
  return (value) => (value === null ? null : write(value))
}

/** Buckets whose bytes are cached. A table may have millions. */
const rememberedBuckets = 256

/** The value columns that a table has now. Others may have added some since it was opened, and a put must clear those too. */
class TableColumns {
  private readonly keyspace: string
  private readonly schema: TableSchema
  private readonly session: Session
  private seen: metadata.TableMetadata | null = null
  private added: readonly string[] = []

  constructor(keyspace: string, schema: TableSchema, session: Session) {
    this.keyspace = keyspace
    this.schema = schema
    this.session = session
  }

  /** Columns of the table that are not in the schema. A promise only if the driver must be asked, which is rare: every put calls this. */
  unknown(): readonly string[] | Promise<readonly string[]> {
    const { seen, session, keyspace } = this
    return seen !== null && session.isCurrent(keyspace, seen) ? this.added : this.lookedUp()
  }

  private async lookedUp(): Promise<readonly string[]> {
    const known = await beforeSending(this.session.tableMetadata(this.keyspace, this.schema.name))
    if (known !== this.seen) {
      this.seen = known
      const own = new Set([bucketColumn, guardColumn, ...this.schema.columns.map(({ physical }) => physical)])
      const names = (known?.columns ?? []).filter((column) => !(column as { isStatic?: boolean }).isStatic).map(({ name }) => name)
      this.added = names.filter((name) => !own.has(name))
    }
    return this.added
  }
}
