// Tested by scan.test.ts and iteration-memory.test.ts.
import { Cancellation } from '#store/adapter'

/** A source of items, several at a time. */
export interface Feed<T, R> {
  /** The next items; none = the end. */
  next(): Promise<readonly T[]>
  /** What the caller gets for an item. */
  give(item: T): R
  /** Called once: at the end, at the first error, or when the caller leaves. Discards what is under way. */
  close(given: number, end: { readonly error?: unknown }): void
}

const finished: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined })

/** Items one by one. Unlike an async generator it closes immediately when the caller leaves, even while items are under way. */
export class FeedIterator<T, R> implements AsyncIterable<R>, AsyncIterator<R, undefined> {
  private items: readonly T[] = []
  private at = 0
  private given = 0
  private loading: Promise<void> | undefined
  private closed = false
  /** Whether the caller has left, so that nobody waits for what is under way. */
  private readonly leaving = new Cancellation()
  private readonly feed: Feed<T, R>

  constructor(feed: Feed<T, R>) {
    this.feed = feed
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<R, undefined>> {
    // Concurrent calls are answered in their order.
    while (this.loading !== undefined && !this.leaving.isOver) await this.leaving.race(this.loading).catch(ignore)
    while (!this.closed && this.at >= this.items.length) {
      this.loading = this.load()
      try {
        await this.leaving.race(this.loading)
      } catch (error) {
        if (!this.leaving.isOver) throw error
      } finally {
        this.loading = undefined
      }
    }
    if (this.closed) return finished
    try {
      const value = this.feed.give(this.items[this.at++] as T)
      this.given++
      return { done: false, value }
    } catch (error) {
      this.end({ error })
      throw error
    }
  }

  async return(): Promise<IteratorResult<R, undefined>> {
    this.end({})
    this.leaving.cancel(undefined)
    return finished
  }

  private async load(): Promise<void> {
    try {
      const items = await this.feed.next()
      if (this.closed) return
      if (items.length === 0) this.end({})
      this.items = items
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
    this.items = []
    this.feed.close(this.given, how)
  }
}

const ignore = (): void => undefined
