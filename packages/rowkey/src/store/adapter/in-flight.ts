// Tested by adapter-kit.test.ts.
/**
 * The calls that an adapter has under way. `close()` waits for those that have started, and no call starts after it.
 *
 * @example
 * ```ts
 * private readonly calls = new InFlight(() => closed('the SQLite adapter', 'Call sqlite() for a new one.'))
 * write(batch, options) {
 *   return this.calls.run(() => writeAll(batch, options))
 * }
 * close() {
 *   return this.calls.close()
 * }
 * ```
 */
export class InFlight {
  private readonly closed: () => Error
  private count = 0
  private end: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  /** `closed`: makes the error of a call after `close()`. */
  constructor(closed: () => Error) {
    this.closed = closed
  }

  get isClosed(): boolean {
    return this.end !== undefined
  }

  /** @throws RowkeyError `CLOSED` */
  readonly mustBeOpen = (): void => {
    if (this.end !== undefined) throw this.closed()
  }

  /** Rejects with RowkeyError `CLOSED`, and with whatever `call` throws or rejects with. Never throws. */
  run<T>(call: () => Promise<T>): Promise<T> {
    if (this.end !== undefined) return Promise.reject(this.closed())
    this.count++
    try {
      const answer = call()
      answer.then(this.done, this.done)
      return answer
    } catch (error) {
      this.done()
      return Promise.reject(error)
    }
  }

  /** Lets no further call start; resolves when all calls that have started are done. */
  close(): Promise<void> {
    if (this.end === undefined) {
      let resolve = (): void => undefined
      const promise = new Promise<void>((done) => (resolve = done))
      this.end = { promise, resolve }
      if (this.count === 0) resolve()
    }
    return this.end.promise
  }

  private readonly done = (): void => {
    if (--this.count === 0) this.end?.resolve()
  }
}
