import type { CallEvent } from './call-event.js'
import { RowkeyError, show } from '@rowkey/codec'

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

interface Rule {
  readonly wants: string
  fits(value: unknown): boolean
}

const isFunction: Rule = { wants: 'a function', fits: (value) => typeof value === 'function' }

const rules: Readonly<Record<keyof MapperOptions, Rule>> = {
  prefix: { wants: 'text', fits: (value) => typeof value === 'string' },
  onCall: isFunction,
  // undefined is refused too: a missing environment variable must not turn signing off.
  cursorSecret: {
    wants: 'at least 16 random bytes, as text or Uint8Array, or leave it out',
    fits: (value) =>
      (typeof value === 'string' ? new TextEncoder().encode(value).length : value instanceof Uint8Array ? value.length : 0) >= 16,
  },
  clock: isFunction,
}

/** @throws RowkeyError `INVALID_OPTION` for an unknown option, and for one that is not what it must be */
export function checkMapperOptions(options: MapperOptions): void {
  if (typeof options !== 'object' || (options as object | null) === null) {
    throw new RowkeyError('INVALID_OPTION', `the options of createMapper() cannot be ${show(options)}. Give an object.`, {
      option: '',
      value: show(options),
    })
  }
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, option)) {
      const message = `createMapper() has no option '${option}'. Its options are ${Object.keys(rules).join(', ')}.`
      throw new RowkeyError('INVALID_OPTION', message, { option, value: show(value) })
    }
    const { wants, fits } = rules[option as keyof MapperOptions]
    if (fits(value)) continue
    if (value === undefined && option !== 'cursorSecret') continue
    const shown = option === 'cursorSecret' && value !== undefined ? 'what was given' : show(value) // a secret stays one
    throw new RowkeyError('INVALID_OPTION', `${option} cannot be ${shown}. Give ${wants}.`, { option, value: shown })
  }
}
