/** How a query runs, as data and as text. Made without I/O. */
export interface Explanation {
  /**
   * EMPTY reads nothing. GET and MULTI-GET read full keys. SCAN reads one range, SKIP SCAN several ranges of one bucket, FAN-OUT SCAN
   * several buckets, MERGED SCAN one range or several for each value of the leading columns, in the order of the columns after them, and
   * FULL SCAN the whole table.
   */
  readonly kind: 'EMPTY' | 'GET' | 'MULTI-GET' | 'SCAN' | 'SKIP SCAN' | 'FAN-OUT SCAN' | 'MERGED SCAN' | 'FULL SCAN'
  readonly table: string
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
  readonly buckets: { readonly read: number; readonly of: number; readonly unbound: readonly string[] }
  /** Keys that a GET plan reads. */
  readonly keys: number
  /** How many native range requests a complete read sends, if each range is one page. */
  readonly ranges: number
  /** The ranges as rowkey bytes in hex: `from` inclusive, `to` exclusive, null = to the end of the table. */
  readonly slices: readonly { readonly bucket: number; readonly from: string; readonly to: string | null }[]
  readonly conditions: readonly string[]
  /** Where the scan starts and ends, if it has such options. */
  readonly bounds: readonly string[]
  /** Conditions checked row by row, after reading. */
  readonly residual: readonly string[]
  /** Whether a filter of the caller follows. */
  readonly codeFilter: boolean
  readonly warnings: readonly {
    readonly code: 'reverse' | 'fan-out' | 'filter' | 'full-scan' | 'hull' | 'open-range' | 'modulo-seconds'
    readonly message: string
  }[]
  readonly text: string
}
