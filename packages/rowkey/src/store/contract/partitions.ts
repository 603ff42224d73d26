// Tested by packages/rowkey/test/mapper/partitions.test.ts.
import type { TableSchema } from '#model'
import type { ChangeOptions, TableCatalog } from './adapter.js'
import type { Slice } from './reading.js'

/** A range of a table, by the values of its columns: from some, inclusive, to others, exclusive. An end that is absent is open. */
export interface PartitionRange {
  readonly from?: Readonly<Record<string, unknown>>
  readonly to?: Readonly<Record<string, unknown>>
}

/** A part of a table that one server serves. */
export interface Partition {
  /** Its range; undefined if the table has no range columns. */
  readonly range: PartitionRange | undefined
  /** Its bucket in each hash level. */
  readonly buckets: readonly number[]
  /** `host:port` of its leader; undefined while there is none. */
  readonly server: string | undefined
  /** On the disk of one replica, as its server last told; undefined if it has not. */
  readonly bytes: number | undefined
  /**
   * With `countRows`, its rows of this moment, counted. Without it, how many its server last told, which may be some seconds old; undefined if it has not.
   */
  readonly rows: number | undefined
}

/** Options of a look at the partitions of a table. */
export interface PartitionsOptions extends ChangeOptions {
  /** Only those that have rows of these slices; default all. */
  readonly slices?: readonly Slice[] | undefined
  /** Whether their rows are counted, which reads the keys of the whole table. Default false. */
  readonly countRows?: boolean | undefined
}

/** Ranges that a table gets and loses, all in one step. */
export interface RangeChanges {
  readonly add: readonly PartitionRange[]
  readonly drop: readonly PartitionRange[]
}

/** Options of {@link SupportsRanges.rotate}. */
export interface RotateOptions extends ChangeOptions {
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether nothing is changed. */
  readonly dryRun: boolean
}

/** An adapter of a store that cuts tables by ranges of values, with which rows are dropped together. */
export interface SupportsRanges {
  partitions(schema: TableSchema, catalog: TableCatalog, options: PartitionsOptions): Promise<readonly Partition[]>
  changeRanges(schema: TableSchema, catalog: TableCatalog, changes: RangeChanges, options: ChangeOptions): Promise<void>
  /** Adds the ranges that the model wants by now, and drops those that it keeps no longer. Returns what that is. */
  rotate(schema: TableSchema, catalog: TableCatalog, options: RotateOptions): Promise<RangeChanges>
}
