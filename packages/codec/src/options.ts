import { show } from './values/show.js'

/**
 * What an options object may hold is closed: a misspelt option would be ignored in silence, and a format would be another one than
 * meant.
 */
export function checkOptions(call: string, given: unknown, known: readonly string[], refused: (message: string) => Error): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw refused(`the options of ${call} cannot be ${show(given)}. Give an object of ${known.join(', ')}.`)
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw refused(`${call} has no option '${unknown}'. Its options are ${known.join(', ')}.`)
}
