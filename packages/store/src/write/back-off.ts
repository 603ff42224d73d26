import type { Sending, Writer } from './sending.js'
import { inTime, pause } from '../contract/cancellation.js'

const first = 25 // milliseconds
const longest = 2000

/** A pause before the next attempt, by chance between none and a bound that doubles: then those who met do not meet again. */
export function pauseMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(longest, first * 2 ** (attempt - 1)))
}

/**
 * Waits before the next attempt, `attempt` having been the last one (from 1); false if there must be none: the attempts are used up, or
 * the deadline has passed meanwhile.
 *
 * @throws the reason of an aborted signal
 */
export async function backOff(writer: Writer, attempt: number, { attempts, cancellation }: Sending): Promise<boolean> {
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
