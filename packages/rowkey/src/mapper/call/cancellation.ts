import { Cancellation } from '#store/adapter'
import type { OptionRule } from './check-options.js'
import { mapperError } from './errors.js'

/**
 * What can end a call early.
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
   * When to give up: a `Date` or epoch milliseconds, by the clock of the mapper. A call that has not finished by then rejects with
   * `DEADLINE`. It does not wait for a request that is under way.
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
    // Limited to what a Date can hold.
    fits: (value) => (isDate(value) || typeof value === 'number') && Math.abs(Number(value)) <= 8.64e15,
  },
}

export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value))

/**
 * When the caller of a method stops waiting; undefined = never. The deadline becomes remaining time here, so no layer below reads a clock
 * for it.
 *
 * @param options already checked
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
        `${method}() on '${table}' did not finish before its deadline (${new Date(deadline).toISOString()}). Allow more time.`,
        { table, deadline },
      ),
  })
}

/** The same options with a deadline, if they have none and the mapper has a timeout. */
export function inMapperTime<O extends CancelOptions>(options: O, timeout: number | undefined, now: () => number): O {
  return timeout === undefined || options.deadline !== undefined ? options : { ...options, deadline: now() + timeout }
}

/** Waits for what a write needs first. If the deadline passes in the meantime, the write itself reports that, and that it was not sent. */
export async function beforeWriting(cancellation: Cancellation | undefined, ready: Promise<unknown>): Promise<void> {
  try {
    await (cancellation === undefined ? ready : cancellation.race(ready))
  } catch (error) {
    if (cancellation?.isLate !== true) throw error
  }
}
