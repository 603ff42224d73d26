// Tested by copy-table.test.ts.
import type { TableSchema } from '#model'
import { cancelRules, type CancelOptions } from '../call/cancellation.js'
import { checkOptions, isCount, isFlag, isFunction, isParallel, type OptionRule } from '../call/check-options.js'
import { isCursor } from '../scan/scan-options.js'
import type { ReadAll } from '../scan/scan-types.js'

/** A repository whose rows are copied. */
export interface CopySource<Row> {
  readonly schema: TableSchema
  readAll(): ReadAll<Row>
}

/** A repository into which rows are copied. */
export interface CopyTarget<Row> {
  readonly schema: TableSchema
  put(row: Row): Promise<unknown>
}

/** Options of {@link copyTable}. */
export interface CopyOptions<From = never, To = unknown> extends CancelOptions {
  /**
   * Makes the row of the target from a row of the source; undefined leaves the row out. It is also called by the verification, so it must
   * return the same for the same row: no random keys, no current time.
   */
  map?: (row: From) => To | undefined
  /** The checkpoint of an earlier call with the same tables that did not finish; undefined = from the start. */
  checkpoint?: string | undefined
  /** How many parts of a table are read at a time, 1 to 16; default 1. See `readAll()`. */
  parallel?: number
  /** The maximum number of rows that are copied per second, and that the verification reads per second of each table. Default no limit. */
  rowsPerSecond?: number
  /** Whether both tables are read after the copy and compared. Default true. */
  verify?: boolean
  /** Whether the target may already have rows. Rows with the key of a copied row are replaced. Default false: `TABLE_NOT_EMPTY`. */
  overwrite?: boolean
  /**
   * Called after each page that was copied. Save the checkpoint: after an error or a crash, pass it to another call. The copy does not wait
   * for it; what it throws or rejects with goes to `console.error`.
   */
  onProgress?: (progress: CopyProgress) => unknown
}

/** How far a copy is. */
export interface CopyProgress {
  /** Rows copied, also by the calls before. */
  readonly rows: number
  /** Continues after these rows, in this or another process. */
  readonly checkpoint: string
}

/** What a copy did. */
export interface CopyResult {
  /** Rows copied, also by the calls before. */
  readonly rows: number
  /** What the verification found in both tables; absent with `verify: false`. */
  readonly verified?: TableDigest
}

/** The content of a table: equal for equal rows, whatever the store, the key and the salt. */
export interface TableDigest {
  /** Rows that were compared. Rows that expire during the verification are not. */
  readonly rows: number
  /** 32 hex digits over these rows, in no order. It detects accidents, not malice. */
  readonly digest: string
}

/** The options, without the types of rows. */
export type AnyCopyOptions = CopyOptions

const rules: Readonly<Record<keyof AnyCopyOptions, OptionRule>> = {
  map: isFunction,
  checkpoint: isCursor,
  parallel: isParallel,
  rowsPerSecond: isCount,
  verify: isFlag,
  overwrite: isFlag,
  onProgress: isFunction,
  ...cancelRules,
}

/** @throws RowkeyError `INVALID_OPTION`, `CURSOR_INVALID` */
export function checkCopyOptions(options: AnyCopyOptions): void {
  checkOptions('copyTable()', options, rules)
}
