/** What an adapter has under way: `close()` waits for the calls among it, and no other begins. */
export class Operations {
  private readonly closed: () => Error
  private count = 0
  private end: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  /** `closed`: the error of a call that comes too late. */
  constructor(closed: () => Error) {
    this.closed = closed
  }

  get isClosed(): boolean {
    return this.end !== undefined
  }

  /** @throws RowkeyError `CLOSED` */
  mustBeOpen(): void {
    if (this.isClosed) throw this.closed()
  }

  /** @throws RowkeyError `CLOSED`; what `run` rejects with */
  async run<T>(run: () => Promise<T>): Promise<T> {
    this.mustBeOpen()
    this.count++
    try {
      return await run()
    } finally {
      if (--this.count === 0) this.end?.resolve()
    }
  }

  /** Lets nothing begin any more; resolves when everything that has begun is done. */
  close(): Promise<void> {
    if (this.end === undefined) {
      let resolve = (): void => undefined
      const promise = new Promise<void>((done) => (resolve = done))
      this.end = { promise, resolve }
      if (this.count === 0) resolve()
    }
    return this.end.promise
  }
}
