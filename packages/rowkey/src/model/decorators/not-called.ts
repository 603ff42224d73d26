import { isColumnType } from '#codec'
import { isTypeWrapper, showName } from '#codec/internal'
import { Problems } from '../problems.js'

/**
 * Refuses a field decorator without parentheses, as in `@Column note`. The compiler then calls what makes the decorator with the field, in
 * place of its options, and drops the decorator: the field would be no column, silently. Compilers that check no types would not tell.
 *
 * @param given what `decorator` was called with
 * @param example how it is written, such as `Column(text())`
 * @throws RowkeyError `INVALID_SCHEMA`
 */
export function refuseUncalledField(example: string, [target, second]: readonly unknown[]): void {
  const name = isContext(second) ? second.name : isName(second) && isOwner(target) ? second : undefined
  if (name === undefined) return
  const model = isName(second) ? (typeof target === 'function' ? target : (target as object).constructor) : undefined
  throw notCalled(model, String(name), `'${showName(String(name))}' is decorated with ${nameIn(example)} without parentheses`, example)
}

/** The same for a decorator of a class, which no option is. */
export function refuseUncalledClass(example: string, [target]: readonly unknown[]): void {
  if (typeof target === 'function')
    throw notCalled(target, undefined, `it is decorated with ${nameIn(example)} without parentheses`, example)
}

/** What standard decorators get. A column type has a `kind` as well. */
const isContext = (given: unknown): given is { readonly name: string | symbol } =>
  typeof given === 'object' && given !== null && typeof (given as { readonly addInitializer?: unknown }).addInitializer === 'function'

const isName = (given: unknown): given is string | symbol => typeof given === 'string' || typeof given === 'symbol'

/** The prototype of the class, or the class of a static field. */
const isOwner = (given: unknown): boolean =>
  ((typeof given === 'object' && given !== null) || typeof given === 'function') && !isColumnType(given) && !isTypeWrapper(given)

const nameIn = (example: string): string => `@${example.slice(0, example.indexOf('('))}`

function notCalled(model: unknown, column: string | undefined, what: string, example: string): Error {
  const problems = new Problems()
  problems.add({ code: 'NOT_CALLED', column, message: `${what}, which would declare nothing. Write @${example}.` })
  return problems.error(model)
}
