import type { RowkeyError } from '#codec'
import type { StoreErrorDetails } from '../errors.js'
import { nearestName, show, showName } from '#codec/internal'
import { storeError } from '../errors.js'

/** The error of an adapter's option with an invalid value. `remedy`: a sentence that says what to pass. */
export function invalidOption(
  adapter: string,
  option: string,
  given: unknown,
  remedy: string,
): RowkeyError<'INVALID_OPTION', StoreErrorDetails['INVALID_OPTION']> {
  const value = show(given)
  return storeError('INVALID_OPTION', `${adapter}(): ${showName(option)} cannot be ${value}. ${remedy}`, {
    option: showName(option),
    value,
  })
}

/**
 * Refuses options that are not an object, and an unknown option, because a misspelt one would be ignored silently. Names the nearest one.
 *
 * @throws RowkeyError `INVALID_OPTION`
 * @example
 * ```ts
 * checkOptionNames('redis', options, ['shards'])
 * ```
 */
export function checkOptionNames(adapter: string, options: unknown, known: readonly string[]): asserts options is object {
  if (typeof options !== 'object' || options === null) {
    throw invalidOption(adapter, 'options', options, 'Give an object, or leave it out.')
  }
  const stranger = Object.entries(options).find(([option]) => !known.includes(option))
  if (stranger === undefined) return
  throw invalidOption(adapter, stranger[0], stranger[1], knownNames(stranger[0], known))
}

function knownNames(stranger: string, known: readonly string[]): string {
  const names = known.map((name) => `'${name}'`).join(' and ')
  if (known.length === 1) return `The only option is ${names}.`
  const nearest = nearestName(stranger, known)
  return `${nearest === undefined ? '' : `Did you mean '${nearest}'? `}The options are ${names}.`
}

/** The error of an adapter that cannot work with an option of the given client. */
export function clientOption(
  adapter: string,
  option: string,
  value: unknown,
  why: string,
  remedy: string,
): RowkeyError<'CLIENT_OPTION', StoreErrorDetails['CLIENT_OPTION']> {
  const message = `${adapter}() cannot use a client with ${option}: ${show(value)}. ${why} ${remedy}`
  return storeError('CLIENT_OPTION', message, { adapter, option, value: show(value) })
}
