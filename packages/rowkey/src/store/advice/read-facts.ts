// Tested by rules.test.ts.
import type { TableSchema } from '#model'
import type { ExplainedBound } from './bound.js'
import type { ExplainedCondition } from './condition.js'
import type { ExplainedPeriods } from './periods.js'

/** What is known of a query before it runs, as JSON. */
export interface ReadFacts {
  /**
   * EMPTY reads nothing. GET and MULTI-GET read full keys. SCAN reads one range, SKIP SCAN several ranges of one bucket, FAN-OUT SCAN
   * several buckets, MERGED SCAN one range or several for each value of the leading columns, in the order of the columns after them, and
   * FULL SCAN the whole table.
   */
  readonly kind: 'EMPTY' | 'GET' | 'MULTI-GET' | 'SCAN' | 'SKIP SCAN' | 'FAN-OUT SCAN' | 'MERGED SCAN' | 'FULL SCAN'
  /** The table that is read; for a query by an index, that of its entries. */
  readonly table: string
  /** Of a query by an index: its name, the table of the rows, and whether the row of each entry is read too. */
  readonly index?: { readonly name: string; readonly rows: string; readonly fetches: boolean }
  readonly reverse: boolean
  /** The order of the rows. */
  readonly order: readonly { readonly column: string; readonly direction: 'asc' | 'desc' }[]
  /** How many leading key columns narrow the ranges, of how many, and the first that does not. */
  readonly key: { readonly used: number; readonly of: number; readonly firstFree?: string }
  /**
   * How many partitions the query names: 1 with plain values, more with an `in`, 0 if nothing is read. Only for tables with partition
   * columns. More than expected can mean that a list from outside was used as a value.
   */
  readonly partitions?: number
  /** What follows for `period()` columns from the conditions on their sources, if something does. Periods are read one after the other. */
  readonly periods?: readonly ExplainedPeriods[]
  readonly buckets: { readonly read: number; readonly of: number; readonly unbound: readonly string[] }
  /** Keys that a GET plan reads. */
  readonly keys: number
  /** How many native range requests a complete read sends, if each range is one page. */
  readonly ranges: number
  /**
   * How many requests for ranges a page takes, if each answer holds a page: all that are merged have to be asked, and more while they are empty.
   */
  readonly requests: { readonly least: number; readonly most: number }
  /** The ranges, the first 10,000 of them, as rowkey bytes in hex: `from` inclusive, `to` exclusive, null = to the end of the table. */
  readonly slices: readonly { readonly bucket: number; readonly from: string; readonly to: string | null }[]
  /**
   * The conditions of the query, one for each column that has one. Its values are exact, so escape them before you log them.
   *
   * @example
   * ```ts
   * scan({ host: 'web-1', at: { gte: new Date(5) } }).explain().conditions
   * // [ { column: 'host', operator: '=', value: 'web-1' },
   * //   { column: 'at', operator: 'range', from: { value: 5, inclusive: true } } ]
   * ```
   */
  readonly conditions: readonly ExplainedCondition[]
  /**
   * Where the scan starts and ends, if it has such options.
   *
   * @example
   * ```ts
   * scan({ host: 'web-1' }, { after: { host: 'web-1', at: new Date(5) } }).explain().bounds
   * // [ { option: 'after', key: [ { column: 'host', value: 'web-1' }, { column: 'at', value: 5 } ] } ]
   * ```
   */
  readonly bounds: readonly ExplainedBound[]
  /**
   * Conditions checked row by row, after reading.
   *
   * @example
   * ```ts
   * scan({ host: 'web-1', level: { gt: 3 } }).explain().residual
   * // [ { column: 'level', operator: 'range', from: { value: 3, inclusive: false } } ]
   * ```
   */
  readonly residual: readonly ExplainedCondition[]
  /** Whether a filter of the caller follows. */
  readonly codeFilter: boolean
  /** The maximum number of rows that are returned, if the caller has given one. */
  readonly limit?: number
}

/** What rules about a read look at. */
export interface ReadSubject {
  readonly schema: TableSchema
  readonly read: ReadFacts
}

/** Whether the caller has given a limit that also limits what is read, because every row that is read is returned. */
export const readsLimited = ({ limit, residual, codeFilter }: ReadFacts): boolean =>
  limit !== undefined && residual.length === 0 && !codeFilter

/** Whether it reads ranges, and not keys or nothing. */
export const readsRanges = ({ kind }: ReadFacts): boolean => kind !== 'EMPTY' && kind !== 'GET' && kind !== 'MULTI-GET'
