import { Cancellation } from '@rowkey/store'
import type { OptionRule } from './check-options.js'
import { mapperError } from './errors.js'

/**
 * What ends a call before its time.
 *
 * @example
 * ```ts
 * await orders.get({ no: 1 }, { signal: request.signal, deadline: Date.now() + 500 })
 * ```
 */
export interface CancelOptions {
  /** Aborts the call, which then rejects with the reason of the signal. One signal may serve any number of calls. */
  signal?: AbortSignal
  /**
   * When to give up: a `Date` or epoch milliseconds, by the clock of the mapper. What has not come to its end then is `DEADLINE`. A request
   * that is on its way is not waited for.
   */
  deadline?: Date | number
}

export const cancelRules: Readonly<Record<keyof CancelOptions, OptionRule>> = {
  signal: {
    wants: 'an AbortSignal',
    fits: (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
  },
  deadline: {
    wants: 'a Date or epoch milliseconds',
    // Within what a Date can be.
    fits: (value) => (isDate(value) || typeof value === 'number') && Math.abs(Number(value)) <= 8.64e15,
  },
}

export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value))

/**
 * When the caller of a method stops waiting; undefined if nothing ends its patience. Here a deadline becomes time that is left: nothing below
 * looks at a clock for it.
 *
 * @param options checked before
 */
export function cancellationOf(
  { signal, deadline }: CancelOptions,
  clock: () => number,
  method: string,
  table: string,
): Cancellation | undefined {
  if (signal === undefined && deadline === undefined) return undefined
  return new Cancellation({
    signal,
    deadline: deadline === undefined ? undefined : Number(deadline),
    clock,
    late: (deadline) =>
      mapperError(
        'DEADLINE',
        `${method}() on '${table}' did not come to its end before its deadline (${new Date(deadline).toISOString()}). Give it more time.`,
        { table, deadline },
      ),
  })
}

/** Waits for what a write needs first. If its deadline comes before that, the write itself says so, and that it was not sent. */
export async function beforeWriting(cancellation: Cancellation | undefined, ready: Promise<unknown>): Promise<void> {
  try {
    await (cancellation === undefined ? ready : cancellation.race(ready))
  } catch (error) {
    if (cancellation?.isLate !== true) throw error
  }
}
