/** A column of a family: `family` and `qualifier` are bytes; without `qualifier` the whole family. */
export interface Column {
  readonly family: Uint8Array
  readonly qualifier?: Uint8Array | undefined
}

/** A cell of a row that was read. */
export interface Cell {
  /** Equal families and qualifiers of one answer may be the same array, so that a reader can compare them by identity first. */
  readonly family: Uint8Array
  readonly qualifier: Uint8Array
  /** Part of the memory of the answer: copy what you keep for long. */
  readonly value: Uint8Array
  /** Milliseconds since 1970, unless the writer gave another number: any signed 64-bit integer. */
  readonly timestamp: bigint
}

/** A row that was read; `row` undefined: there is none. */
export interface Result {
  readonly row: Uint8Array | undefined
  /** In the order of family and qualifier. */
  readonly cells: readonly Cell[]
}

/** What a Get and a Scan have in common. */
export interface ReadSelection {
  /** Absent = all columns. A row that has none of them is not returned. */
  readonly columns?: readonly Column[] | undefined
  /** Default 1: the newest version of each cell. */
  readonly maxVersions?: number | undefined
  /** From `min` (inclusive) to `max` (exclusive). */
  readonly timeRange?: { readonly min: bigint; readonly max: bigint } | undefined
  /** A filter of `filters.ts`, or its serialized `FilterProtos.Filter`. */
  readonly filter?: Uint8Array | undefined
  readonly cacheBlocks?: boolean | undefined
  /** Any replica instead of the primary one (`Consistency.TIMELINE`). */
  readonly isTimeline?: boolean | undefined
}

/** A read of one row. */
export interface Get extends ReadSelection {
  readonly row: Uint8Array
}

/** A read of a range of rows. */
export interface Scan extends ReadSelection {
  /** Inclusive. Absent or empty = from the first row; if `reversed`, from the last one. */
  readonly start?: Uint8Array | undefined
  /** Exclusive. Absent or empty = to the end. */
  readonly stop?: Uint8Array | undefined
  readonly reversed?: boolean | undefined
  /** Max rows of the whole scan, from 1. With it the server reads no further. */
  readonly limit?: number | undefined
  /** Rows that the gateway asks a region server for at a time. */
  readonly caching?: number | undefined
}

/** A cell to write. */
export interface PutCell {
  readonly family: Uint8Array
  readonly qualifier: Uint8Array
  readonly value: Uint8Array
  /** Absent = that of the put, or else the server's clock. */
  readonly timestamp?: bigint | undefined
}

/** Attributes of an operation by name, such as `_ttl`. */
export type Attributes = Readonly<Record<string, Uint8Array>>

/** `skip`: not in the log, `async`: in the log later, `sync` and `fsync`: before the answer. Absent = as the table says. */
export type Durability = 'skip' | 'async' | 'sync' | 'fsync'

/** A write of cells of one row. */
export interface Put {
  readonly row: Uint8Array
  /** At least one. */
  readonly cells: readonly PutCell[]
  /** Of the cells that have none of their own; absent = the server's clock. */
  readonly timestamp?: bigint | undefined
  readonly attributes?: Attributes | undefined
  readonly durability?: Durability | undefined
}

/** What a delete deletes of its columns: `column` = all versions up to `timestamp`; `version` = the newest one only, or that of `timestamp`. */
export type DeleteType = 'column' | 'version' | 'family' | 'familyVersion'

/** A delete of cells of one row. */
export interface Delete {
  readonly row: Uint8Array
  /** Absent = the whole row. */
  readonly columns?: readonly Column[] | undefined
  readonly type?: DeleteType | undefined
  /** All versions up to this one; absent = the server's clock. */
  readonly timestamp?: bigint | undefined
  readonly attributes?: Attributes | undefined
  readonly durability?: Durability | undefined
}

/** A change of one row among others that are applied together. */
export type RowMutation = { readonly put: Put } | { readonly delete: Delete }

/** A column whose value is compared. */
export interface Check {
  readonly row: Uint8Array
  readonly family: Uint8Array
  readonly qualifier: Uint8Array
  /** Undefined: the column must be absent. An empty value counts as absent, so an empty array means the same. */
  readonly value: Uint8Array | undefined
}

/** How `value` of a check compares with the stored one: `less` holds if `value` < stored. A missing column meets none of them. */
export type CompareOperator = 'less' | 'lessOrEqual' | 'equal' | 'notEqual' | 'greaterOrEqual' | 'greater'

/** Amounts to add to cells that hold 8 bytes, big-endian. */
export interface Increment {
  readonly row: Uint8Array
  /** At least one. */
  readonly columns: readonly { readonly family: Uint8Array; readonly qualifier: Uint8Array; readonly amount: bigint }[]
  readonly attributes?: Attributes | undefined
  readonly durability?: Durability | undefined
  /** Whether the answer has the new values. Default true. */
  readonly returnResults?: boolean | undefined
}

/** A column family of a table. Absent properties: the server's defaults. */
export interface ColumnFamily {
  readonly name: string
  readonly maxVersions?: number | undefined
  readonly minVersions?: number | undefined
  /** Seconds, from 1. */
  readonly timeToLive?: number | undefined
  readonly compression?: 'NONE' | 'GZ' | 'SNAPPY' | 'LZO' | 'LZ4' | 'BZIP2' | 'ZSTD' | undefined
  readonly dataBlockEncoding?: 'NONE' | 'PREFIX' | 'DIFF' | 'FAST_DIFF' | 'ROW_INDEX_V1' | undefined
  readonly bloomFilter?: 'NONE' | 'ROW' | 'ROWCOL' | 'ROWPREFIX_FIXED_LENGTH' | undefined
  /** Bytes. */
  readonly blockSize?: number | undefined
  readonly inMemory?: boolean | undefined
  /** Others by name, such as `NEW_VERSION_BEHAVIOR`. */
  readonly attributes?: Readonly<Record<string, string>> | undefined
  /** Settings of the server for this family only, such as `hbase.hstore.compaction.min`. */
  readonly configuration?: Readonly<Record<string, string>> | undefined
}

/** A table. Its name is `table` in the default namespace or `namespace:table`. */
export interface TableDescriptor {
  readonly name: string
  readonly families: readonly ColumnFamily[]
  /** By name. */
  readonly attributes?: Readonly<Record<string, string>> | undefined
}

/** A part of a table that one server serves. */
export interface Region {
  /** Inclusive; empty = from the first row. */
  readonly start: Uint8Array
  /** Exclusive; empty = to the last row. */
  readonly end: Uint8Array
  /** What the gateway says. That of 2.6 says 0 for every region. */
  readonly id: bigint
  readonly server: { readonly host: string; readonly port: number }
}

/** Options of one call. */
export interface CallOptions {
  /** Milliseconds until the call fails with `TIMEOUT`; default that of the client. */
  readonly timeout?: number | undefined
  /** Ends the call with `ABORTED`. What was sent is not taken back. */
  readonly signal?: AbortSignal | undefined
}
