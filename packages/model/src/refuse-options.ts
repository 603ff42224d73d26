import type { Problems } from './problems.js'

export const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null

/** A misspelt option would be ignored silently. */
export function refuseOptions(given: object, known: readonly string[], problems: Problems): void {
  for (const option of Object.keys(given)) {
    if (known.includes(option)) continue
    problems.add('INVALID_OPTION', undefined, `there is no option '${option}'. The options are ${known.join(', ')}.`)
  }
}
