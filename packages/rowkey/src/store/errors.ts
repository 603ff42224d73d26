// Tested by test/errors/messages.test.ts.
import type { Outcome } from './contract/writing.js'
import { RowkeyError } from '#codec'

/** What the errors of this package carry in `details`, by code. `index`: the place in the list that the call was given, from 0. */
export interface StoreErrorDetails {
  ADAPTER_FAULT: { readonly table: string; readonly bucket: number }
  /** What the store can write atomically, and how many writes were requested. */
  ATOMIC_SCOPE: { readonly adapter: string; readonly scope: 'row' | 'partition' | 'store'; readonly max: number; readonly writes: number }
  /** An option of the given client. */
  CLIENT_OPTION: { readonly adapter: string; readonly option: string; readonly value: string }
  /** After `close()`. */
  CLOSED: Readonly<Record<string, never>>
  /** The row exists, but does not meet the condition `if` on these columns. */
  CONDITION_FAILED: {
    readonly table: string
    readonly key: Readonly<Record<string, unknown>>
    readonly columns: readonly string[]
    readonly index?: number
  }
  CORRUPT_ROW: { readonly table: string; readonly column: string }
  UNREADABLE_ROW: { readonly table: string; readonly column: string }
  CURSOR_INVALID: { readonly reason: string }
  CURSOR_MISMATCH: { readonly differs: 'table' | 'layout' | 'predicate' | 'direction' | 'store' }
  DEADLINE: {
    readonly table: string
    /** Epoch milliseconds. */
    readonly deadline: number
    /** For scans: where to continue. */
    readonly cursor?: string
    /** For `putMany()`: how many rows are known to be written. */
    readonly rows?: number
    /** For writes, by index of the input: what is not known to be applied. */
    readonly outcomes?: StoreErrorDetails['WRITE_INCOMPLETE']['outcomes']
  }
  FAN_OUT_EXCEEDED: { readonly table: string; readonly fanOut: number; readonly maxFanOut: number }
  FULL_SCAN_REFUSED: { readonly table: string; readonly column: string }
  INVALID_OPTION: { readonly option: string; readonly value: string; readonly index?: number }
  /** `bound`: if it is in a bound of the scan. */
  INVALID_PREDICATE: {
    readonly table: string
    readonly column: string
    readonly bound?: 'from' | 'after' | 'to' | 'before'
    readonly index?: number
  }
  LIMIT_EXCEEDED: {
    readonly table: string
    readonly limit: 'rowkey' | 'partition' | 'sortKey' | 'column' | 'row'
    readonly bytes: number
    readonly max: number
    readonly index?: number
  }
  ORDER_UNAVAILABLE: { readonly table: string; readonly order: readonly string[] }
  /** The sum of an increment is outside of its column. */
  OUT_OF_RANGE: {
    readonly table: string
    readonly key: Readonly<Record<string, unknown>>
    readonly column: string
    readonly index?: number
  }
  OUTCOME_UNKNOWN: { readonly table: string; readonly key: Readonly<Record<string, unknown>> }
  /** No range of the table takes the row. */
  NO_PARTITION: { readonly table: string; readonly key: Readonly<Record<string, unknown>>; readonly index?: number }
  PARTITION_REQUIRED: { readonly table: string; readonly column: string }
  ROW_EXISTS: { readonly table: string; readonly key: Readonly<Record<string, unknown>>; readonly index?: number }
  ROW_NOT_FOUND: { readonly table: string; readonly key: Readonly<Record<string, unknown>>; readonly index?: number }
  SCHEMA_MISMATCH: { readonly table: string; readonly differences: readonly string[] }
  NOT_SUPPORTED: { readonly table: string; readonly capability: string; readonly adapter: string; readonly index?: number }
  /** `path`: the folder, the key in Redis, or the keyspace. */
  STORE_UNUSABLE: {
    readonly adapter: string
    readonly path: string
    /** Of another program; of a newer version; broken; open with other options; no access; it refuses writes, or the disk is full. */
    readonly reason: 'foreign' | 'newer' | 'damaged' | 'options' | 'path' | 'write'
  }
  STORE_REFUSED: {
    readonly adapter: string
    readonly table: string
    /** Too much that is deleted, expired or null lies between the rows; no permission; what the `cause` says. */
    readonly reason: 'tombstones' | 'access' | 'other'
  }
  STORE_UNAVAILABLE: {
    readonly adapter: string
    /** No answer (the `cause` says why), or a refusal. */
    readonly reason: 'unanswered' | 'refused'
  }
  TABLE_NOT_FOUND: { readonly table: string }
  TOO_MANY_RANGES: { readonly table: string; readonly ranges: number; readonly maxRanges: number }
  VERSION_CONFLICT: {
    readonly table: string
    readonly key: Readonly<Record<string, unknown>>
    /** null: the row was to have none. */
    readonly expected: string | null
    /** The version of the row, null if it has none; absent if the store did not return it. */
    readonly current?: string | null
    readonly index?: number
  }
  PLAIN_WRITES_ONLY: { readonly table: string; readonly method: string; readonly index?: number }
  WRITE_FAILED: {
    readonly table: string
    readonly key: Readonly<Record<string, unknown>>
    /** The store did not process it: the same call may succeed. */
    readonly repeatable: boolean
    readonly index?: number
  }
  WRITE_INCOMPLETE: {
    readonly table: string
    /** By index of the input. */
    readonly outcomes: readonly { readonly index: number; readonly kind: Exclude<Outcome['kind'], 'applied'>; readonly cause?: unknown }[]
  }
}

/** A typed error of the store layer. @internal */
export function storeError<C extends keyof StoreErrorDetails>(
  code: C,
  message: string | readonly string[],
  details: StoreErrorDetails[C],
  options?: ErrorOptions,
): RowkeyError<C, StoreErrorDetails[C]> {
  return new RowkeyError(code, message, details, options)
}
