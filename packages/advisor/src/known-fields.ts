import { RowkeyError } from 'rowkey/codec'
import { nearestName, show, showNames } from 'rowkey/internal'

const maxShown = 12

/** All fields of an interface: the compiler refuses a list that lacks one, or has another. */
export const fieldsOf = <T extends object>(all: Readonly<Record<keyof Required<T>, true>>): readonly string[] =>
  Object.freeze(Object.keys(all))

/**
 * Refuses a field that does not exist: a misspelt one would be ignored in silence, and the advice be wrong.
 *
 * @param where whose field it is, as the start of a sentence
 * @throws RowkeyError `INVALID_OPTION` that names the nearest known field
 */
export function checkFields(where: string, given: object, known: readonly string[], what = 'field'): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, known)
  const more = known.length > maxShown ? ` and ${known.length - maxShown} more` : ''
  const all = known.length === 0 ? '' : ` There are: ${showNames(known.slice(0, maxShown))}${more}.`
  const message = `${where} has the ${what} ${show(unknown)}, which does not exist.${nearest === undefined ? '' : ` Did you mean ${show(nearest)}?`}${all}`
  throw new RowkeyError('INVALID_OPTION', message, { option: unknown, value: show((given as Record<string, unknown>)[unknown]) })
}
