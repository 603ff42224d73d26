import { isRowkeyError, type Operations, type Row, type TableCatalog, type TableSchema } from '@rowkey/store'
import { beingChanged, isColumnUnknown } from './errors.js'
import { expiryCell, expiryModeOf, type ExpiryCell, type ExpiryMode } from './expiry.js'
import { keyColumns, type KeyColumn } from './key-columns.js'
import { int32 } from './native-bytes.js'
import { RowReader, type NativeRow } from './row-reader.js'
import type { Session } from './session.js'
import { Statements } from './statements.js'
import { TableColumns } from './table-columns.js'
import { whatIsGone } from './unknown-names.js'

/** Those of a session, but for the table. */
type ReadArguments = Parameters<Session['read']> extends [string, ...infer Rest] ? Rest : never

/** What is stored under a key now. */
export interface Stored {
  readonly cell: ExpiryCell
  /** undefined for the remains of a row that expired. */
  readonly row: Row | undefined
}

/** One table as one schema sees it: what its reads and writes are made of. */
export class CassandraTable {
  readonly schema: TableSchema
  readonly keyspace: string
  readonly keys: readonly KeyColumn[]
  readonly statements: Statements
  readonly mode: ExpiryMode
  readonly session: Session
  readonly columns: TableColumns
  readonly operations: Operations
  private readonly readers = new Map<string, RowReader>()
  private readonly whole: RowReader

  constructor(schema: TableSchema, catalog: TableCatalog, keyspace: string, session: Session, operations: Operations) {
    this.schema = schema
    this.keyspace = keyspace
    this.keys = keyColumns(schema)
    this.statements = new Statements(keyspace, schema, this.keys)
    this.mode = expiryModeOf(schema, catalog)
    this.session = session
    this.columns = new TableColumns(keyspace, schema, session)
    this.operations = operations
    this.whole = new RowReader(schema, this.keys, this.mode, undefined)
  }

  /** @throws RowkeyError `CLOSED` */
  mustBeOpen(): void {
    this.operations.mustBeOpen()
  }

  /** Rows. @throws RowkeyError `TABLE_MISSING`, `SCHEMA_MISMATCH`, `STORE_UNAVAILABLE` */
  async read(...given: ReadArguments): ReturnType<Session['read']> {
    const { session, schema } = this
    for (let attempt = 0; ; attempt++) {
      try {
        return await session.read(schema.name, ...given)
      } catch (error) {
        if (!isRowkeyError(error, 'TABLE_MISSING') && !isColumnUnknown(error)) throw error
        const gone = await whatIsGone(this)
        if (gone !== undefined) throw gone
        if (attempt > 0) throw beingChanged(schema.name)
      }
    }
  }

  /** What conditions look at. */
  async stored(key: Row): Promise<Stored | undefined> {
    const reader = this.whole
    const bound = { query: this.statements.get(reader.columns), params: this.keyBytes(key) }
    const { rows } = await this.read(bound, 'strong')
    const found = rows[0] as unknown as NativeRow | undefined
    return found === undefined ? undefined : { cell: expiryCell(found[`c${this.schema.expiryAt}`]), row: reader.read(found) }
  }

  /** Bucket and key columns of a key, or of the beginning of one. */
  keyBytes(prefix: Row, length: number = this.keys.length, bucket: number = this.schema.layout.bucketOf(prefix)): Buffer[] {
    const bytes = [int32(bucket)]
    for (let i = 0; i < length; i++) bytes.push((this.keys[i] as KeyColumn).write(prefix[i] ?? null))
    return bytes
  }

  reader(columns: readonly number[] | undefined): RowReader {
    if (columns === undefined) return this.whole
    const wanted = columns.join()
    let reader = this.readers.get(wanted)
    if (reader === undefined) {
      if (this.readers.size >= mostReaders) this.readers.clear()
      this.readers.set(wanted, (reader = new RowReader(this.schema, this.keys, this.mode, columns)))
    }
    return reader
  }
}

/** Sets of columns that an application selects. */
const mostReaders = 64
