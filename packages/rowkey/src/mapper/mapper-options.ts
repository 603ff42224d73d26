// Tested by surprises.test.ts and cancellation.test.ts.
import type { CallEvent } from './call/calls.js'
import { isDuration } from './call/cancellation.js'
import type { Duration } from '#model'
import { checkOptions, isCount, isFunction, type OptionRule } from './call/check-options.js'
import type { ClassValidator } from './rows/class-validator.js'
import type { ClassTransformer } from './rows/nested-classes.js'

/** Options of {@link createMapper}. */
export interface MapperOptions {
  /** Comes before every table name, for example `'dev_'`. */
  prefix?: string
  /**
   * Called after every repository call with its duration, rows and error. It cannot change the call, and the call does not wait for it.
   * What it throws or rejects with goes to `console.error`.
   */
  onCall?: (event: CallEvent) => unknown
  /**
   * Signs cursors with HMAC-SHA256, so that a client can pass them back but cannot forge them. At least 16 bytes, the same on all servers.
   */
  cursorSecret?: string | Uint8Array
  /** Epoch milliseconds, for `default: 'now'`, expiry, versions and deadlines; default `Date.now`. */
  clock?: () => number
  /**
   * How long a call may take that has no `timeout` or `deadline` of its own, such as `'2s'`; default: as long as the store takes. Gets, writes,
   * `page()`, `toArray()` and `count()` then reject with `DEADLINE`. It does not apply to what takes as long as a table is large: iteration,
   * `deleteAll()`, `readAll()`, `putMany()` of a stream, `copyTable()`, nor to `ensureTables()`.
   */
  timeout?: Duration
  /** How to retry writes that the store did not process. */
  retry?: RetryOptions
  /** The module `class-validator`, for classes with its decorators, directly on their fields or in `@Check`. */
  classValidator?: ClassValidator
  /** The module `class-transformer`, for `@ValidateNested()` on lists and on fields that may be null: `@Type` says which class they are of. */
  classTransformer?: ClassTransformer
  /**
   * Groups of class-validator: rows are checked by checks of these groups and by those with `always: true`, as in `validate(row, { groups })`.
   * Without it, by the checks of all groups and of none.
   */
  validatorGroups?: readonly string[]
}

/**
 * How writes are retried. The pause before each retry is random, from 0 to 25 ms at first; the upper limit doubles each time, up to 2 s.
 */
export interface RetryOptions {
  /** How often a write without progress is sent; default 8. */
  attempts?: number
  /**
   * What happens to a put or delete without a condition whose outcome is unknown. `'report'`, the default: it rejects with
   * `OUTCOME_UNKNOWN`, unless the store recognises a repeated write. `'resend'`: it is sent again, and may undo a write of somebody else
   * that was acknowledged between the two.
   */
  onUnknown?: 'report' | 'resend'
}

/** A name has at most 255 characters, prefix and all. */
const maxPrefix = 254

const rules: Readonly<Record<keyof MapperOptions, OptionRule>> = {
  prefix: { wants: `text of at most ${maxPrefix} characters`, fits: (value) => typeof value === 'string' && value.length <= maxPrefix },
  onCall: isFunction,
  cursorSecret: {
    secret: true,
    explicit: true, // a missing environment variable must not turn signing off
    wants: 'at least 16 random bytes, as text or Uint8Array, or leave it out',
    fits: (value) =>
      (typeof value === 'string' ? new TextEncoder().encode(value).length : value instanceof Uint8Array ? value.length : 0) >= 16,
  },
  clock: isFunction,
  timeout: isDuration,
  retry: { wants: 'an object of attempts, onUnknown', fits: (value) => typeof value === 'object' && value !== null },
  classValidator: {
    wants: "the module: import * as classValidator from 'class-validator'",
    fits: (value) => typeof value === 'object' && value !== null && 'validate' in value && 'getMetadataStorage' in value,
  },
  classTransformer: {
    wants: "the module: import * as classTransformer from 'class-transformer'",
    fits: (value) => typeof value === 'object' && value !== null && 'plainToInstance' in value,
  },
  validatorGroups: {
    wants: "a list of names, such as ['stored']",
    fits: (value) => Array.isArray(value) && value.length > 0 && value.every((group) => typeof group === 'string'),
  },
}

const retryRules: Readonly<Record<keyof RetryOptions, OptionRule>> = {
  attempts: isCount,
  onUnknown: { wants: "'report' or 'resend'", fits: (value) => value === 'report' || value === 'resend' },
}

/** @throws RowkeyError `INVALID_OPTION` */
export function checkMapperOptions(options: MapperOptions): void {
  checkOptions('createMapper()', options, rules)
  if (options.retry !== undefined) checkOptions('retry', options.retry, retryRules)
}
