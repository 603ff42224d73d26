// Tested by adapter-kit.test.ts.
import { inTime, type Cancellation } from '../contract/cancellation.js'

/**
 * Calls with the same key run one after the other: concurrent conditional writes to one row only hinder each other. A key is remembered while
 * a call has it or waits for it.
 *
 * @example
 * ```ts
 * const outcome = await turns.run(partitionOf(mutation), () => writeIfUnchanged(mutation), options.cancellation)
 * ```
 */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>()

  /** If the caller is cancelled, `call` runs before its turn, and has to check the cancellation itself. */
  run<T>(key: string, call: () => Promise<T>, cancellation?: Cancellation): Promise<T> {
    const before = this.last.get(key)
    const ran = before === undefined ? call() : inTime(cancellation, before).then(call, call)
    const mine = Promise.allSettled([before, ran]).then(() => {
      if (this.last.get(key) === mine) this.last.delete(key)
    })
    this.last.set(key, mine)
    return ran
  }
}
