import { durationForm, durationMs, type Duration } from '#model'
import { Cancellation } from '#store/adapter'
import type { OptionRule } from './check-options.js'
import { mapperError } from './errors.js'

/**
 * What can end a call early.
 *
 * @example
 * ```ts
 * await orders.get({ no: 1 }, { signal: request.signal, timeout: '500ms' })
 * ```
 */
export interface CancelOptions {
  /** Aborts the call, which then rejects with the reason of the signal. One signal may serve any number of calls. */
  signal?: AbortSignal
  /**
   * How long the call may take, such as `'500ms'`. One that has not finished by then rejects with `DEADLINE`. It does not wait for a request
   * that is under way. Default: the mapper's `timeout`.
   */
  timeout?: Duration
  /**
   * The same as an instant that comes from outside, such as that of a request which is answered: a `Date` or epoch milliseconds, by the clock of
   * the mapper. With `timeout` too, the earlier counts.
   */
  deadline?: Date | number
}

export const isDuration: OptionRule = { wants: durationForm, fits: (value) => durationMs(value) !== undefined }

export const cancelRules: Readonly<Record<keyof CancelOptions, OptionRule>> = {
  signal: {
    wants: 'an AbortSignal',
    fits: (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
  },
  timeout: isDuration,
  deadline: {
    wants: 'a Date or epoch milliseconds',
    // Limited to what a Date can hold.
    fits: (value) => (isDate(value) || typeof value === 'number') && Math.abs(Number(value)) <= 8.64e15,
  },
}

export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value))

/**
 * When the caller of a method stops waiting; undefined = never. Timeout and deadline become remaining time here, so no layer below reads a
 * clock for them.
 *
 * @param options already checked
 */
export function cancellationOf(
  { signal, timeout, deadline }: CancelOptions,
  clock: () => number,
  method: string,
  table: string,
): Cancellation | undefined {
  const isTimed = hasLimit({ timeout, deadline })
  if (signal === undefined && !isTimed) return undefined
  const now = isTimed ? clock() : 0
  const end = Math.min(deadline === undefined ? Infinity : Number(deadline), now + (durationMs(timeout) ?? Infinity))
  return new Cancellation({
    signal,
    deadline: end === Infinity ? undefined : end,
    clock: () => now,
    late: (deadline) =>
      mapperError(
        'DEADLINE',
        `${method}() on '${table}' did not finish before its deadline (${new Date(deadline).toISOString()}). Allow more time.`,
        { table, deadline },
      ),
  })
}

/** The same options with the mapper's timeout, if it has one and they have no limit of their own. */
export const inMapperTime = <O extends CancelOptions>(options: O, timeout: Duration | undefined): O =>
  timeout === undefined || hasLimit(options) ? options : { ...options, timeout }

/** Whether the caller says how long it waits. */
export const hasLimit = ({ timeout, deadline }: { readonly timeout?: unknown; readonly deadline?: unknown }): boolean =>
  timeout !== undefined || deadline !== undefined

/** Waits for what a write needs first. If the deadline passes in the meantime, the write itself reports that, and that it was not sent. */
export async function beforeWriting(cancellation: Cancellation | undefined, ready: Promise<unknown>): Promise<void> {
  try {
    await (cancellation === undefined ? ready : cancellation.race(ready))
  } catch (error) {
    if (cancellation?.isLate !== true) throw error
  }
}
