import type { WriteRequest, Writer } from './write-request.js'
import { inTime, pause } from '../contract/cancellation.js'

const first = 25 // milliseconds
const maxPause = 2000

/** The pause before the next attempt, with full jitter: a random delay up to a limit that doubles, so that colliding writers spread out. */
export function pauseMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(maxPause, first * 2 ** (attempt - 1)))
}

/**
 * Waits before the next attempt; `attempt` is the number of the last one, from 1. Returns false if there must be none, because the attempts
 * are used up or the deadline has passed in the meantime.
 *
 * @throws the reason of an aborted signal
 */
export async function backOff(writer: Writer, attempt: number, { attempts, cancellation }: WriteRequest): Promise<boolean> {
  if (attempt >= attempts) return false
  const ms = pauseMs(attempt, () => writer.random())
  const isLate = (): boolean => cancellation?.isLate === true
  if (isLate()) return false
  try {
    await (writer.sleep === undefined ? pause(ms, cancellation) : inTime(cancellation, writer.sleep(ms, cancellation?.signal)))
    cancellation?.throwIfOver()
  } catch (error) {
    if (!isLate()) throw error
  }
  return !isLate()
}
