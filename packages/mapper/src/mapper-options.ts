import type { CallEvent } from './call-event.js'
import { checkOptions, type OptionRule } from './check-options.js'

/** Options of {@link createMapper}. */
export interface MapperOptions {
  /** In front of every table name, for example `'dev_'`. */
  prefix?: string
  /**
   * Called after every repository call with its duration, rows and error. It cannot change the call: what it throws goes to
   * `console.error`.
   */
  onCall?: (event: CallEvent) => void
  /**
   * Signs cursors with HMAC-SHA256, so that a client can pass them on but not make them: at least 16 bytes, the same on all
   * servers.
   */
  cursorSecret?: string | Uint8Array
  /** Epoch milliseconds, for `default: 'now'`; default `Date.now`. */
  clock?: () => number
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
}

/** @throws RowkeyError `INVALID_OPTION` */
export function checkMapperOptions(options: MapperOptions): void {
  checkOptions('createMapper()', options, rules)
}
