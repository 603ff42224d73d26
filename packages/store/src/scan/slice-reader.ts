import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Page, PageSource, Slice } from '../contract/reading.js'
import { show } from '@rowkey/codec'
import { storeError } from '../errors.js'

/**
 * Checks what an adapter returns for one slice: strictly in scan order, from page to page too, and inside the slice. With that,
 * conditions that the slice expresses need no second look.
 */
export class SliceCheck {
  private previous: Row | undefined
  private readonly schema: TableSchema
  private readonly slice: Slice

  constructor(schema: TableSchema, slice: Slice) {
    this.schema = schema
    this.slice = slice
  }

  /** @throws RowkeyError `ADAPTER_FAULT` */
  check(page: Page): void {
    const { compareRows } = this.schema.layout
    const { reverse } = this.slice
    let { previous } = this
    for (const row of page.rows) {
      if (previous !== undefined) {
        const order = compareRows(previous, row)
        if (reverse ? order <= 0 : order >= 0) throw this.fault('rows out of order', row)
      }
      previous = row
    }
    const [first] = page.rows
    if (first !== undefined) this.inside(first)
    if (page.rows.length > 1) this.inside(page.rows.at(-1) as Row)
    const { last } = page
    if (last !== undefined) {
      this.inside(last)
      const order = previous === undefined ? 0 : compareRows(previous, last)
      if (reverse ? order < 0 : order > 0) throw this.fault('a last examined key before its last row', last)
      previous = last
    } else if (page.examined > 0 && page.rows.length === 0) {
      throw this.fault('a page that examined rows but names neither a row nor its last key', undefined)
    }
    this.previous = previous
  }

  private inside(row: Row): void {
    const { bucketOf, compareBounds } = this.schema.layout
    const prefix = row.slice(0, this.schema.keyLength)
    const { bucket, from, to } = this.slice
    if (compareBounds({ prefix, edge: 'before' }, from) < 0 || compareBounds({ prefix, edge: 'after' }, to) > 0) {
      throw this.fault('a row outside the slice', row)
    }
    if (bucketOf(prefix) !== bucket) throw this.fault('a row of another bucket', row)
  }

  /** The error for what an adapter must not return. */
  fault(what: string, row: Row | undefined): Error {
    const { name, keyLength } = this.schema
    const key = row === undefined ? '' : ` at key (${row.slice(0, keyLength).map(show).join(', ')})`
    return storeError(
      'ADAPTER_FAULT',
      `the adapter returned ${what}${key} from table '${name}', bucket ${this.slice.bucket}. The page is refused; this is a fault of the adapter or of the stored data.`,
      { table: name, bucket: this.slice.bucket },
    )
  }
}

/** Opens the slices of one stream, one after the other. */
export type OpenSlice = (slice: Slice) => PageSource
