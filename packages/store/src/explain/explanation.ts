/** How a query runs, as data and as text. Made without I/O. */
export interface Explanation {
  /**
   * GET and MULTI-GET name full keys. SCAN reads one range, SKIP SCAN several of one bucket, FAN-OUT SCAN several buckets together,
   * FULL SCAN the whole table.
   */
  readonly kind: 'EMPTY' | 'GET' | 'MULTI-GET' | 'SCAN' | 'SKIP SCAN' | 'FAN-OUT SCAN' | 'FULL SCAN'
  readonly table: string
  readonly reverse: boolean
  /** The order of the rows. */
  readonly order: readonly { readonly column: string; readonly direction: 'asc' | 'desc' }[]
  /** How many leading key columns narrow the ranges, of how many, and the first that does not. */
  readonly key: { readonly used: number; readonly of: number; readonly firstFree?: string }
  /**
   * Partitions that the query names: 1 by values, more by an `in` of several, 0 if nothing is read. Only for tables with partition columns.
   * If one is expected and there are more, a list may have come from outside in place of a value.
   */
  readonly partitions?: number
  readonly buckets: { readonly read: number; readonly of: number; readonly unbound: readonly string[] }
  /** Keys that a GET plan reads. */
  readonly keys: number
  /** Native range requests of a complete read, if no page is cut short. */
  readonly ranges: number
  /** The ranges as rowkey bytes in hex: `from` inclusive, `to` exclusive, null = to the end of the table. */
  readonly slices: readonly { readonly bucket: number; readonly from: string; readonly to: string | null }[]
  readonly conditions: readonly string[]
  /** Conditions checked row by row, after reading. */
  readonly residual: readonly string[]
  /** Whether a filter of the caller follows. */
  readonly codeFilter: boolean
  readonly warnings: readonly { readonly code: 'reverse' | 'fan-out' | 'filter' | 'full-scan' | 'hull'; readonly message: string }[]
  readonly text: string
}
