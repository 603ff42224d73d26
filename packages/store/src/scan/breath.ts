const work = 10 // milliseconds
const macrotask = globalThis as { readonly setImmediate?: (run: () => void) => void }

/**
 * Lets timers and I/O run now and then. A store that answers at once would otherwise keep the event loop for as long as a scan
 * lasts, and no time-out could abort it.
 */
export class Breath {
  private since = performance.now()

  /** A promise to wait for when it is time, else undefined. */
  due(): Promise<void> | undefined {
    if (performance.now() - this.since < work) return undefined
    return new Promise((resolve) => {
      const rested = (): void => {
        this.since = performance.now()
        resolve()
      }
      if (macrotask.setImmediate === undefined) setTimeout(rested, 0)
      else macrotask.setImmediate(rested)
    })
  }
}
