import { closed } from './errors.js'

/** What an adapter has under way. */
export class Operations {
  private count = 0
  private end: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  /** @throws RowkeyError `CLOSED` */
  mustBeOpen(): void {
    if (this.end !== undefined) throw closed()
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
