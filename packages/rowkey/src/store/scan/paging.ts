import type { Bound, Row } from '#codec'
import type { TableSchema } from '#model'
import type { MaybePromise, Cost, Page, PageSource, Slice } from '../contract/reading.js'
import { storeError } from '../errors.js'
import { isEmptyRange } from '../plan/clip.js'
import { andThen } from './maybe-promise.js'

/** The result of one native request. */
export interface NativePage {
  /** In the order of the scan. */
  readonly rows: readonly Row[]
  /** Whether the slice may contain rows after these. false ends the source without another request. */
  readonly more: boolean
  /** Rows that the store read, including dropped ones; default the number of `rows`. */
  readonly examined?: number
  /** Key of the last examined row; required if there is `more` and that is not the last of `rows`. */
  readonly last?: Row | undefined
  readonly cost?: Cost | undefined
}

/**
 * For adapters that read page by page: a source that pages by key. Each request gets the rest of the slice, which starts after the last
 * examined key, so no state of the store (tokens, iterators) lives between pages.
 *
 * @param fetch one native request over `rest` for about `want` rows; `rest` is never empty
 * @throws RowkeyError `ADAPTER_FAULT`, from `next()`, for a page with `more` that names no key to continue after
 * @example
 * ```ts
 * scan: (slice) => paging(schema, slice, async (rest, want) => {
 *   const { items, token } = await client.query(nativeRange(rest), want)
 *   return { rows: items.map(toRow), more: token !== undefined, cost: { calls: 1 } }
 * })
 * ```
 */
export function paging(schema: TableSchema, slice: Slice, fetch: (rest: Slice, want: number) => MaybePromise<NativePage>): PageSource {
  return new KeyPaging(schema, slice, fetch)
}

class KeyPaging implements PageSource {
  private readonly schema: TableSchema
  private readonly fetch: (rest: Slice, want: number) => MaybePromise<NativePage>
  /** undefined once there is nothing left to request. */
  private rest: Slice | undefined
  /** Whether `rest` begins after a row, which may have been the last possible one. */
  private isResumed = false

  constructor(schema: TableSchema, slice: Slice, fetch: (rest: Slice, want: number) => MaybePromise<NativePage>) {
    this.schema = schema
    this.rest = slice
    this.fetch = fetch
  }

  next(want: number): MaybePromise<Page | undefined> {
    const { rest, schema } = this
    if (rest === undefined || (this.isResumed && isEmptyRange(schema, rest.bucket, rest))) return undefined
    return andThen(this.fetch(rest, want), (page) => this.take(page, rest))
  }

  close(): void {
    this.rest = undefined
  }

  private take({ rows, more, examined = rows.length, last, cost }: NativePage, asked: Slice): Page {
    if (this.rest !== undefined) this.rest = more ? this.after(last ?? rows.at(-1), asked) : undefined
    this.isResumed = true
    const isUnnamed = !more && last === undefined && examined > rows.length
    return {
      rows,
      examined,
      last,
      ...(isUnnamed ? { exhausted: true } : {}),
      cost,
    }
  }

  private after(key: Row | undefined, slice: Slice): Slice {
    const { schema } = this
    if (key === undefined) {
      const message = `the adapter returned a page of table '${schema.name}' that is not the last one, but names no key to continue after. This is a fault of the adapter.`
      throw storeError('ADAPTER_FAULT', message, { table: schema.name, bucket: slice.bucket })
    }
    const bound: Bound = { prefix: key.slice(0, schema.keyLength), edge: slice.reverse ? 'before' : 'after' }
    return slice.reverse ? { ...slice, to: bound } : { ...slice, from: bound }
  }
}
