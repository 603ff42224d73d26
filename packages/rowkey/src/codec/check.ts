import { isBytes } from './built-in.js'
import { codecError } from './error.js'
import { show, showName, showNames } from './show.js'

/** @throws RowkeyError `INVALID_VALUE` for anything but a Uint8Array. */
export function checkBytes(call: string, given: unknown): asserts given is Uint8Array {
  if (isBytes(given)) return
  const value = show(given)
  throw codecError('INVALID_VALUE', `${call} takes a Uint8Array, not ${value}.`, { column: '', value })
}

/**
 * Refuses an option that the call does not know. A misspelt option would be ignored silently, and the format would not be the intended
 * one.
 *
 * @internal
 * @example
 * ```ts
 * checkOptions('f()', { siez: 1 }, ['size'], (message) => new Error(message)) //=> throws f() has no option 'siez'. Its options are size.
 * ```
 */
export function checkOptions(call: string, given: unknown, known: readonly string[], refused: (message: string) => Error): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw refused(`the options of ${call} cannot be ${show(given)}. Give an object: { ${known.join(', ')} }.`)
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw refused(`${call} has no option '${showName(unknown)}'. Its options are ${known.join(', ')}.`)
}

/**
 * Refuses what is not a key object, and properties that are not columns: a misspelt one would change the meaning of the call.
 *
 * @internal
 * @throws RowkeyError `INVALID_VALUE`
 * @example
 * ```ts
 * checkKey({ hots: 'web' }, new Set(['host'])) //=> throws the key has no column 'hots'. Its columns are host.
 * ```
 */
export function checkKey(given: unknown, known: ReadonlySet<string>): void {
  if (typeof given !== 'object' || given === null) {
    const value = show(given)
    throw codecError('INVALID_VALUE', `a key is an object with a value for each column, not ${value}.`, { column: '', value })
  }
  for (const column of Object.keys(given)) {
    if (known.has(column)) continue
    const message = `the key has no column '${showName(column)}'. Its columns are ${showNames([...known])}.`
    throw codecError('INVALID_VALUE', message, { column: showName(column), value: show((given as Record<string, unknown>)[column]) })
  }
}

/** Refuses what is not a row. */
export function checkRow(given: unknown): void {
  if (Array.isArray(given)) return
  const value = show(given)
  throw codecError('INVALID_VALUE', `a row is a list with a value for each column, not ${value}.`, { column: '', value })
}
