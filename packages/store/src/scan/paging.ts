import type { Bound, Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { Answer, Cost, Page, PageSource, Slice } from '../contract/reading.js'
import { storeError } from '../errors.js'
import { isEmptyRange } from '../plan/clip.js'
import { isPromise } from './answer.js'

/** What one native request gave. */
export interface NativePage {
  /** In the order of the scan. */
  readonly rows: readonly Row[]
  /** Whether the slice may hold rows behind these. false ends the source without another request. */
  readonly more: boolean
  /** Rows the store read, dropped ones included; default the number of `rows`. */
  readonly examined?: number
  /** Key of the last examined row; required if that is not the last of `rows`. */
  readonly last?: Row
  readonly cost?: Cost
}

/**
 * For adapters whose store is asked page by page: a source that pages by key. Each request gets the slice that is left, which begins
 * behind the last key examined, so nothing of the store's own (tokens, iterators) lives between pages.
 *
 * @param fetch one native request over `rest` for about `want` rows; `rest` is never empty
 * @throws RowkeyError `ADAPTER_FAULT`, from `next()`, for a page with `more` that names no key to go on behind
 * @example
 * ```ts
 * scan: (slice) => paging(schema, slice, async (rest, want) => {
 *   const { items, token } = await client.query(nativeRange(rest), want)
 *   return { rows: items.map(toRow), more: token !== undefined, cost: { calls: 1 } }
 * })
 * ```
 */
export function paging(schema: TableSchema, slice: Slice, fetch: (rest: Slice, want: number) => Answer<NativePage>): PageSource {
  return new KeyPaging(schema, slice, fetch)
}

class KeyPaging implements PageSource {
  private readonly schema: TableSchema
  private readonly fetch: (rest: Slice, want: number) => Answer<NativePage>
  /** undefined once there is nothing left to ask for. */
  private rest: Slice | undefined

  constructor(schema: TableSchema, slice: Slice, fetch: (rest: Slice, want: number) => Answer<NativePage>) {
    this.schema = schema
    this.rest = slice
    this.fetch = fetch
  }

  next(want: number): Answer<Page | undefined> {
    const { rest } = this
    if (rest === undefined) return undefined
    const given = this.fetch(rest, want)
    return isPromise(given) ? given.then((page) => this.take(page, rest)) : this.take(given, rest)
  }

  close(): void {
    this.rest = undefined
  }

  private take({ rows, more, examined = rows.length, last, cost }: NativePage, asked: Slice): Page {
    if (this.rest !== undefined) this.rest = more ? this.behind(last ?? rows.at(-1), asked) : undefined
    return { rows, examined, ...(last === undefined ? {} : { last }), ...(cost === undefined ? {} : { cost }) }
  }

  private behind(key: Row | undefined, slice: Slice): Slice | undefined {
    const { schema } = this
    if (key === undefined) {
      const message = `the adapter returned a page of table '${schema.name}' that is not the last and names no key to go on behind. This is a fault of the adapter.`
      throw storeError('ADAPTER_FAULT', message, { table: schema.name, bucket: slice.bucket })
    }
    const bound: Bound = { prefix: key.slice(0, schema.keyLength), edge: slice.reverse ? 'before' : 'after' }
    const rest = slice.reverse ? { ...slice, to: bound } : { ...slice, from: bound }
    return isEmptyRange(schema, slice.bucket, rest) ? undefined : rest
  }
}
