import type { WriteRequest } from '#store/engine'
import type { RowWrites } from './row-writes.js'

/** How to read a row, compute its change, and write it on the condition that the row is still the same. */
export interface Change<T> {
  once(): Promise<T>
  /** Whether somebody else has changed the row in the meantime: only then `once` runs again. */
  isLost(error: unknown): boolean
  /** What the caller is told if that has happened each time. */
  contention(error: unknown, attempts: number): unknown
}

/** Repeats a change, after random pauses, until nobody else changes the row in between. */
export async function untilUnchanged<T>({ handle }: RowWrites, request: WriteRequest, change: Change<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    request.cancellation?.throwIfOver()
    try {
      return await change.once()
    } catch (error) {
      if (!change.isLost(error)) throw error
      if (await handle.mapper.sender.backOff(attempt, request)) continue
      request.cancellation?.throwIfOver()
      throw change.contention(error, attempt)
    }
  }
}
