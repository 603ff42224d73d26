import type { Sending, Writer } from './sending.js'

const first = 25 // milliseconds
const longest = 2000

/** A pause before the next attempt, by chance between none and a bound that doubles: then those who met do not meet again. */
export function pauseMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(longest, first * 2 ** (attempt - 1)))
}

/**
 * Waits before the next attempt, `attempt` having been the last one (from 1); false if there must be none: the attempts are used up, or
 * the deadline would pass meanwhile.
 *
 * @throws the reason of an aborted signal
 */
export async function backOff(writer: Writer, attempt: number, { attempts, deadline, signal }: Sending): Promise<boolean> {
  if (attempt >= attempts) return false
  const ms = pauseMs(attempt, () => writer.random())
  if (deadline !== undefined && writer.now() + ms >= deadline) return false
  await writer.sleep(ms, signal)
  signal?.throwIfAborted()
  return true
}

/** Waits by a timer, which is gone when the signal is aborted. */
export function timerSleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error)
      return
    }
    const aborted = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted)
      resolve()
    }, ms)
    signal?.addEventListener('abort', aborted, { once: true })
  })
}
