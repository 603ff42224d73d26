import type { CallEvent } from './call-event.js'
import { checkOptions, type OptionRule } from './check-options.js'
import type { ClassValidator } from './rows/class-validator.js'
import { isCount } from './write-options.js'

/** Options of {@link createMapper}. */
export interface MapperOptions {
  /** In front of every table name, for example `'dev_'`. */
  prefix?: string
  /**
   * Called after every repository call with its duration, rows and error. It cannot change the call, which does not wait for it: what it
   * throws, or rejects with if it is async, goes to `console.error`.
   */
  onCall?: (event: CallEvent) => unknown
  /**
   * Signs cursors with HMAC-SHA256, so that a client can pass them on but not make them: at least 16 bytes, the same on all
   * servers.
   */
  cursorSecret?: string | Uint8Array
  /** Epoch milliseconds, for `default: 'now'`, expiry, versions and deadlines; default `Date.now`. */
  clock?: () => number
  /** How writes are sent again that the store does not get to. */
  retry?: RetryOptions
  /** The module `class-validator`, for models with its decorators in `@Check`. */
  classValidator?: ClassValidator
}

/** How writes are sent again; the pauses are by chance between none and 25 ms, doubling up to 2 s. */
export interface RetryOptions {
  /** How often a write is sent that makes no progress; default 8. */
  attempts?: number
  /**
   * What becomes of a put or delete without a condition whose outcome is not known. `'report'`, the default: it is `OUTCOME_UNKNOWN`, unless
   * the store can tell a repetition. `'resend'`: it is sent again, and may undo what others have written, and been told that it is written,
   * between the two.
   */
  unknown?: 'report' | 'resend'
  /** Waits, and rejects with the reason of an aborted signal; default a timer. */
  sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** From 0 up to 1; default `Math.random`. */
  random?: () => number
}

const isFunction: OptionRule = { wants: 'a function', fits: (value) => typeof value === 'function' }

const rules: Readonly<Record<keyof MapperOptions, OptionRule>> = {
  prefix: { wants: 'text', fits: (value) => typeof value === 'string' },
  onCall: isFunction,
  cursorSecret: {
    secret: true,
    explicit: true, // a missing environment variable must not turn signing off
    wants: 'at least 16 random bytes, as text or Uint8Array, or leave it out',
    fits: (value) =>
      (typeof value === 'string' ? new TextEncoder().encode(value).length : value instanceof Uint8Array ? value.length : 0) >= 16,
  },
  clock: isFunction,
  retry: { wants: 'an object of attempts, unknown, sleep, random', fits: (value) => typeof value === 'object' && value !== null },
  classValidator: {
    wants: "the module: import * as classValidator from 'class-validator'",
    fits: (value) => typeof value === 'object' && value !== null && 'validate' in value && 'validateSync' in value,
  },
}

const retryRules: Readonly<Record<keyof RetryOptions, OptionRule>> = {
  attempts: isCount,
  unknown: { wants: "'report' or 'resend'", fits: (value) => value === 'report' || value === 'resend' },
  sleep: isFunction,
  random: isFunction,
}

/** @throws RowkeyError `INVALID_OPTION` */
export function checkMapperOptions(options: MapperOptions): void {
  checkOptions('createMapper()', options, rules)
  if (options.retry !== undefined) checkOptions('retry', options.retry, retryRules)
}
