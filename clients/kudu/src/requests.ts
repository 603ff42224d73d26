// Tested by client.test.ts.
/**
 * A value of a column: a number of INT8, INT16, INT32, FLOAT and DOUBLE, a bigint of INT64, UNIXTIME_MICROS (microseconds since 1970) and
 * DECIMAL (the number without its point: 1.50 of scale 2 is `150n`), a boolean of BOOL, a string of STRING and VARCHAR, a `Uint8Array` of
 * BINARY, and a number of DATE (days since 1970). Writes also take safe whole numbers where a bigint is read, and strings for BINARY are refused.
 */
export type Value = number | bigint | boolean | string | Uint8Array

/** The types of Kudu. */
export type ColumnType =
  | 'INT8'
  | 'INT16'
  | 'INT32'
  | 'INT64'
  | 'UNIXTIME_MICROS'
  | 'DATE'
  | 'DECIMAL'
  | 'STRING'
  | 'VARCHAR'
  | 'BINARY'
  | 'BOOL'
  | 'FLOAT'
  | 'DOUBLE'

/** How a block of cells is encoded. `auto`: as the server chooses for the type. */
export type Encoding = 'auto' | 'plain' | 'bitshuffle' | 'runLength' | 'dictionary' | 'prefix'

/** How encoded blocks are compressed. `default`: as the server is set, which is `none` by default. */
export type Compression = 'default' | 'none' | 'snappy' | 'lz4' | 'zlib'

/** A column of a table. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Columns of the key come first and cannot be null. */
  readonly isKey: boolean
  /** Default false. */
  readonly isNullable?: boolean | undefined
  /** DECIMAL: all digits, 1 to 38, and those after the point. */
  readonly precision?: number | undefined
  readonly scale?: number | undefined
  /** VARCHAR: characters, 1 to 65,535. */
  readonly length?: number | undefined
  readonly encoding?: Encoding | undefined
  readonly compression?: Compression | undefined
  /** Bytes of a block of cells; 0 or absent = as the server is set. */
  readonly blockSize?: number | undefined
  /** What rows have that leave the column out, also those from before the column was added. Absent = null, or no default. */
  readonly defaultValue?: Value | undefined
  readonly comment?: string | undefined
}

/** A level of hash partitions: `HASH (columns) PARTITIONS buckets`. */
export interface HashLevel {
  readonly columns: readonly string[]
  /** From 2. */
  readonly buckets: number
  /** Default 0. */
  readonly seed?: number | undefined
}

/** A row by the names of its columns. A column that is not there is not set, which is not the same as null. */
export type Row = Readonly<Record<string, Value | null | undefined>>

/** A row by the positions of the table's columns; undefined is not set. Faster than {@link Row}. */
export type RowValues = readonly (Value | null | undefined)[]

/** A range of the range columns. Columns that a bound leaves out are the smallest; a bound that is absent is open. */
export interface RangePartition {
  /** Inclusive. */
  readonly from?: Row | undefined
  /** Exclusive. */
  readonly to?: Row | undefined
  /** Hash levels of this range only, as many as the table has. */
  readonly hash?: readonly HashLevel[] | undefined
}

/** How a table is cut into tablets. */
export interface Partitioning {
  /** Default none. */
  readonly hash?: readonly HashLevel[] | undefined
  /** Range columns, a part of the key; absent or empty = none. */
  readonly range?: readonly string[] | undefined
  /** Absent = one range over everything. */
  readonly ranges?: readonly RangePartition[] | undefined
  /** Cut the ranges in which they lie into two. */
  readonly splits?: readonly Row[] | undefined
}

/** A table to be created. */
export interface TableDefinition extends Partitioning {
  readonly name: string
  /** Those of the key first. */
  readonly columns: readonly Column[]
  /** Replicas of each tablet, an odd number; default that of the master, usually 3. */
  readonly replicas?: number | undefined
  readonly comment?: string | undefined
  readonly owner?: string | undefined
}

/** A change of a table. Those of one call are made together, or none is. */
export type TableChange =
  | { readonly addColumn: Column }
  | { readonly dropColumn: string }
  | { readonly renameColumn: string; readonly to: string }
  /** What is absent stays. `defaultValue: null` takes the default away. */
  | {
      readonly alterColumn: string
      readonly encoding?: Encoding
      readonly compression?: Compression
      readonly blockSize?: number
      readonly defaultValue?: Value | null
      readonly comment?: string
    }
  | { readonly addRange: RangePartition }
  | { readonly dropRange: RangePartition }
  | { readonly renameTable: string }

/** What a write does with its row. `insertIgnore` and the others of its kind leave a row as it is where the plain one is an error. */
export type OperationType = 'insert' | 'update' | 'upsert' | 'delete' | 'insertIgnore' | 'updateIgnore' | 'deleteIgnore'

/** A write of one row. `upsert` and `update` leave columns that are not set as they are; `delete` has the key alone. */
export interface Operation {
  readonly type: OperationType
  readonly row: Row | RowValues
}

/** A condition on one column. `from` is inclusive, `to` exclusive. */
export type Predicate =
  | { readonly column: string; readonly equals: Value }
  | { readonly column: string; readonly in: readonly Value[] }
  | { readonly column: string; readonly from?: Value | undefined; readonly to?: Value | undefined }
  | { readonly column: string; readonly isNull: boolean }

/** A scan of a table. */
export interface Scan {
  /** Names of columns, in the order in which rows have them; default all. Empty: rows are only counted. */
  readonly columns?: readonly string[] | undefined
  /** All must hold. Evaluated by the servers. */
  readonly where?: readonly Predicate[] | undefined
  /** From this key on, inclusive: a row of key columns, of which the last ones may be absent (then from the smallest), or an encoded key. */
  readonly start?: Row | RowValues | Uint8Array | undefined
  /** Up to this key, exclusive; in the same forms. */
  readonly stop?: Row | RowValues | Uint8Array | undefined
  /** Ordered only: after this encoded key, such as `lastKey` of a batch. Not together with `start`. */
  readonly after?: Uint8Array | undefined
  /** Max rows, from 1. */
  readonly limit?: number | undefined
  /**
   * Rows of each tablet in the order of the key, at one snapshot: then the scan goes on past expired scanners and dead servers. Tablets follow
   * each other in the order of their partitions. Default false: in any order, the newest rows.
   */
  readonly isOrdered?: boolean | undefined
  /** The snapshot, a hybrid timestamp; default that of the first answer. */
  readonly snapshot?: bigint | undefined
  /** Bytes of a batch, about; default 1 MiB. A batch has at least a block of rows (128), however long. */
  readonly batchBytes?: number | undefined
  /** Only this tablet, by its id. */
  readonly tablet?: string | undefined
}

/** Which tablets of a table are asked for: those that can have rows of a scan. */
export interface TabletsScan extends Pick<Scan, 'where' | 'start' | 'stop'> {
  /** Default false: the masters are asked. true: only for what the client does not remember; a range that was dropped may still be told. */
  readonly isRemembered?: boolean | undefined
}

/** A part of a table that one server serves. */
export interface Tablet {
  readonly id: string
  /** The bucket of each hash level. */
  readonly buckets: readonly number[]
  /** The range columns encoded, inclusive; empty = from the smallest. */
  readonly rangeStart: Uint8Array
  /** Exclusive; empty = to the end. */
  readonly rangeEnd: Uint8Array
  readonly replicas: readonly Replica[]
}

/** A copy of a tablet. */
export interface Replica {
  /** The server, `host:port`. */
  readonly address: string
  readonly isLeader: boolean
}

/** How large a table is, as its servers told the master some time ago. */
export interface TableStatistics {
  /** Rows that are there; undefined if the table is older than what counts them. */
  readonly rows: number | undefined
  /** On the disk, of one replica of each tablet. */
  readonly bytes: number | undefined
  readonly tablets: readonly TabletStatistics[]
}

/** How large a tablet is. */
export interface TabletStatistics {
  readonly id: string
  readonly rows: number | undefined
  readonly bytes: number | undefined
}

/** Options of one call. */
export interface CallOptions {
  /** Milliseconds until the call fails with `TIMEOUT`, with all its attempts; default that of the client. */
  readonly timeout?: number | undefined
  /** Ends the call with `ABORTED`. What was sent is not taken back. */
  readonly signal?: AbortSignal | undefined
}
