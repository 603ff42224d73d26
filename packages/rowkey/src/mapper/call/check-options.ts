import { RowkeyError } from '#codec'
import { show, showName } from '#codec/internal'
import { maxParallel } from '#store/engine'

/** What an option must be. */
export interface OptionRule {
  readonly wants: string
  fits(value: unknown): boolean
  /** Its value never appears in a message. */
  readonly secret?: boolean
  /** undefined is refused, rather than treated as left out. */
  readonly explicit?: boolean
  /** It holds conditions, with values that may come from a client: what is none is an invalid predicate. */
  readonly isPredicate?: boolean
  /** It comes back from a client, who may have sent anything: what is not text is a cursor that cannot be read, not a wrong option. */
  readonly isCursor?: boolean
}

export const isCount: OptionRule = { wants: 'a whole number from 1', fits: (value) => Number.isSafeInteger(value) && (value as number) > 0 }
export const isFlag: OptionRule = { wants: 'true or false', fits: (value) => typeof value === 'boolean' }
export const isFunction: OptionRule = { wants: 'a function', fits: (value) => typeof value === 'function' }

/** How many parts of a table are read at a time. */
export const isParallel: OptionRule = {
  wants: `${isCount.wants} to ${maxParallel}`,
  fits: (value) => isCount.fits(value) && (value as number) <= maxParallel,
}

/**
 * Checks options for callers without a compiler, so that none is silently ignored or misunderstood.
 *
 * @param of whose options they are
 * @throws RowkeyError `INVALID_OPTION` for an unknown option, or one with an invalid value; `CURSOR_INVALID` for a cursor that is not text
 */
export function checkOptions(of: string, options: object, rules: Readonly<Record<string, OptionRule>>): void {
  if (typeof options !== 'object' || (options as object | null) === null) {
    throw refused('', options, `the options of ${of} cannot be ${show(options)}. Give an object.`)
  }
  for (const [option, value] of Object.entries(options) as [string, unknown][]) {
    const rule = Object.hasOwn(rules, option) ? rules[option] : undefined
    if (rule === undefined)
      throw refused(
        option,
        value,
        `${of} has no option '${showName(option)}'. Its options are ${Object.keys(rules).join(', ')}.${expiryHint(rules, option)}`,
      )
    if (rule.fits(value) || (value === undefined && rule.explicit !== true)) continue
    if (rule.isCursor === true) throw notText(option, value)
    const shown = rule.secret === true && value !== undefined ? 'the given value (hidden)' : show(value)
    if (rule.isPredicate === true && value !== undefined) {
      const message = `${option} of ${of} cannot be ${shown}. Give ${rule.wants}.`
      throw new RowkeyError('INVALID_PREDICATE', message, { table: '', column: '' })
    }
    throw new RowkeyError('INVALID_OPTION', `${option} cannot be ${shown}. Give ${rule.wants}.`, { option, value: shown })
  }
}

/** The word of a table is not that of a write. */
const expiryHint = (rules: Readonly<Record<string, OptionRule>>, option: string): string =>
  option === 'ttl' && 'expires' in rules ? ' To say when the row expires, use expires.' : ''

function notText(option: string, value: unknown): Error {
  const isPromise = value instanceof Promise
  const reason = `it is ${isPromise ? 'a promise' : show(value)}, not text`
  const remedy = isPromise ? 'Await it.' : 'Pass it unchanged, or start without one.'
  const message = `the ${option} cannot be read: ${reason}. ${remedy}`
  return new RowkeyError('CURSOR_INVALID', message, { reason })
}

function refused(option: string, value: unknown, message: string): Error {
  return new RowkeyError('INVALID_OPTION', message, { option: showName(option), value: show(value) })
}
