import type { Row } from '@rowkey/codec'

/** Where rows come from, some at a time. */
export interface RowFeed {
  /** The next rows; no rows = the end. */
  next(): Promise<readonly Row[]>
  toObject(row: Row): object
  /** Called once: at the end, at the first error, or when the caller leaves. Gives up what is on its way. */
  close(rows: number, end: { readonly error?: unknown }): void
}

const finished: IteratorResult<object, undefined> = Object.freeze({ done: true, value: undefined })

/**
 * Objects one by one. Unlike an async generator it closes at once when the caller leaves, even while rows are on their way.
 */
export class RowIterator implements AsyncIterableIterator<object, undefined> {
  private rows: readonly Row[] = []
  private at = 0
  private given = 0
  private loading: Promise<void> | undefined
  private closed = false
  private readonly feed: RowFeed

  constructor(feed: RowFeed) {
    this.feed = feed
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<object, undefined>> {
    // Several calls at once are answered in their order.
    while (this.loading !== undefined) await this.loading
    while (!this.closed && this.at >= this.rows.length) {
      this.loading = this.load()
      try {
        await this.loading
      } finally {
        this.loading = undefined
      }
    }
    if (this.closed) return finished
    try {
      const value = this.feed.toObject(this.rows[this.at++] as Row)
      this.given++
      return { done: false, value }
    } catch (error) {
      this.end({ error })
      throw error
    }
  }

  async return(): Promise<IteratorResult<object, undefined>> {
    this.end({})
    return finished
  }

  private async load(): Promise<void> {
    try {
      const rows = await this.feed.next()
      if (this.closed) return
      if (rows.length === 0) this.end({})
      this.rows = rows
      this.at = 0
    } catch (error) {
      if (this.closed) return
      this.end({ error })
      throw error
    }
  }

  private end(how: { readonly error?: unknown }): void {
    if (this.closed) return
    this.closed = true
    this.rows = []
    this.feed.close(this.given, how)
  }
}
