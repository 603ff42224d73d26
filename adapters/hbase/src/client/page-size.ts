// Tested by scan.test.ts.

/** What a row is taken to have until one was read: so many that a first page of the longest rows is no burden. */
const unknownRow = 65_536

/** Of a page that could not be read, the next attempt has so many times fewer rows. */
const fewer = 4

/** How many rows fit into a page, as the last pages of the same columns had them: nothing else tells a gateway how long its answer may be. */
export class PageSize {
  private readonly maxRows: number
  private readonly maxBytes: number
  private rowBytes = unknownRow

  constructor({ rows, bytes }: { readonly rows: number; readonly bytes: number }) {
    this.maxRows = rows
    this.maxBytes = bytes
  }

  /** Rows of the next page, of about `want`. */
  rows(want: number): number {
    return Math.max(1, Math.min(want, this.maxRows, Math.floor(this.maxBytes / this.rowBytes)))
  }

  /** These rows were read. Grows at once and shrinks slowly: a page that is too large is worse than one that is too small. */
  learn(rows: number, bytes: number): void {
    if (rows === 0) return
    const average = Math.ceil(bytes / rows)
    this.rowBytes = average >= this.rowBytes ? average : Math.max(average, this.rowBytes >> 2)
  }

  /** An answer with so many rows was too long. Returns whether fewer of them may fit. */
  shrink(rows: number): boolean {
    if (rows === 1) return false
    this.rowBytes = Math.ceil(this.maxBytes / Math.max(1, Math.floor(rows / fewer)))
    return true
  }
}
