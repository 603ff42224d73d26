import type { ReadOptions, WriteOptions } from '@rowkey/store'

type Interruptible = Pick<ReadOptions & WriteOptions, 'signal' | 'deadline'>

/** What timers take. */
const longestWait = 2 ** 31 - 1

/**
 * What `work` gives, or `late()` at the deadline. An aborted signal rejects with its reason. Both count at once: a client that waits for its
 * connection may wait long.
 */
export function bounded<T>(work: Promise<T>, { signal, deadline }: Interruptible, late: () => T | Promise<T>): Promise<T> {
  if (signal === undefined && deadline === undefined) return work
  return new Promise((resolve, reject) => {
    const left = deadline === undefined ? longestWait : deadline - Date.now()
    const timer = left < longestWait ? setTimeout(() => end(() => resolve(late())), left) : undefined
    const abort = (): void => end(() => reject(signal?.reason as Error))
    const end = (tell: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      tell()
    }
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort)
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}
