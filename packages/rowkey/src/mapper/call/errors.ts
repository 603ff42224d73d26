// Tested by calls.test.ts.
import { type CodecErrorDetails, isRowkeyError as isError, RowkeyError } from '#codec'
import type { InvalidSchemaDetails } from '#model'
import type { StoreErrorDetails } from '#store'

/** The rows that were compared: how many, and 32 hex digits over them. */
interface Digest {
  readonly rows: number
  readonly digest: string
}

/** The `details` of the errors of this package, by code. `index`: the position in the list that was passed to the call, from 0. */
export interface MapperErrorDetails {
  /** `column`: a column or accessor with checks that may read others, or 'the row'. */
  CHECK_NEEDS_ROW: { readonly table: string; readonly column: string; readonly index?: number }
  /** `keys`: of the two rows of the source. `key`: of the row of `table` that both become. */
  COPY_COLLISION: { readonly from: string; readonly table: string; readonly keys: readonly object[]; readonly key: object }
  /** `table`: the target. */
  COPY_MISMATCH: { readonly from: string; readonly table: string; readonly source: Digest; readonly target: Digest }
  EXAMINED_LIMIT: { readonly table: string; readonly examined: number; readonly maxExamined: number; readonly cursor: string }
  /** A change of a row that lacks a part of its new entry, where the row cannot be read first. */
  INDEX_NEEDS_ROW: { readonly table: string; readonly indexName: string; readonly column: string; readonly index?: number }
  /** `state`: in which the index is, or that the table has none of this name. */
  INDEX_NOT_READABLE: { readonly table: string; readonly indexName: string; readonly state: 'building' | 'dropped' | 'missing' }
  KEY_IMMUTABLE: { readonly table: string; readonly column: string; readonly index?: number }
  /** The target of a copy. */
  TABLE_NOT_EMPTY: { readonly table: string }
  /** An expiry was given to a row of a table whose rows do not expire. */
  TTL_UNDECLARED: { readonly table: string; readonly index?: number }
  /** `values`: of the columns of the index, which another row has. `key`: of the row that was not written. */
  UNIQUE_VIOLATION: {
    readonly table: string
    readonly indexName: string
    readonly values: object
    readonly key: object
    readonly index?: number
  }
  UNKNOWN_COLUMN: { readonly table: string; readonly column: string; readonly index?: number }
  VALIDATION_FAILED: {
    readonly table: string
    /** The first 100. `path`: the column, then what is inside its value; empty for the row as a whole. */
    readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
    readonly index?: number
  }
}

/** The details of every error of rowkey, by code. */
export interface ErrorDetails extends CodecErrorDetails, StoreErrorDetails, MapperErrorDetails {
  INVALID_SCHEMA: InvalidSchemaDetails
}

/** Every error code of rowkey. */
export type ErrorCode = keyof ErrorDetails

/**
 * Whether `error` is a {@link RowkeyError}; with a code, whether it has that code, and its `details` are typed by it. Works across
 * copies of the packages.
 *
 * @example
 * ```ts
 * await logs.insert(row).catch((error: unknown) => {
 *   if (!isRowkeyError(error, 'ROW_EXISTS')) throw error
 *   console.log(error.details.key) // typed
 * })
 * ```
 */
export const isRowkeyError: {
  <Code extends ErrorCode>(error: unknown, code: Code): error is RowkeyError<Code, ErrorDetails[Code]>
  (error: unknown): error is RowkeyError
} = isError // the same function; only here are all codes known

/** Errors that this package throws: its own, the deadlines of scans and of putMany(), and changes of rows that others always changed first. */
type Thrown = MapperErrorDetails & Pick<StoreErrorDetails, 'DEADLINE' | 'WRITE_FAILED'>

/** @internal */
export function mapperError<C extends keyof Thrown>(
  code: C,
  message: string | readonly string[],
  details: Thrown[C],
  options?: ErrorOptions,
): RowkeyError<C, Thrown[C]> {
  return new RowkeyError(code, message, details, options)
}

/** Only a table that says so has a column for the expiry. */
export function ttlUndeclared(table: string, what: string): Error {
  const remedy = "Declare the table with @Ttl('30d') or { ttl }, and add the column with ensureTables()."
  return mapperError('TTL_UNDECLARED', `${what} ${remedy}`, { table })
}
