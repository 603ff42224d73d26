const maxWorkMs = 10
const macrotask = globalThis as { readonly setImmediate?: (run: () => void) => void }

/**
 * Lets timers and I/O run now and then. A synchronous store would otherwise block the event loop for as long as a scan lasts, and no timer
 * could abort it.
 */
export class EventLoopYield {
  private since = performance.now()

  /** A promise to wait for when it is time to yield, otherwise undefined. */
  due(): Promise<void> | undefined {
    if (performance.now() - this.since < maxWorkMs) return undefined
    return new Promise((resolve) => {
      const resume = (): void => {
        this.since = performance.now()
        resolve()
      }
      if (macrotask.setImmediate === undefined) setTimeout(resume, 0)
      else macrotask.setImmediate(resume)
    })
  }
}
