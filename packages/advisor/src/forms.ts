// Tested by input-forms.test.ts.
import { RowkeyError } from 'rowkey/codec'
import { isPlainObject, nearestName, show, showName, showNames } from 'rowkey/internal'
import { checkFields } from './known-fields.js'

/** Where a value is: in what, as the start of a sentence, and below which fields. */
export interface Place {
  readonly of: string
  readonly path: readonly string[]
}

/** Checks what a value is. @throws RowkeyError `INVALID_OPTION` */
export type Form = (given: unknown, place: Place) => void

/** The refusal of a value. */
export const refused = (option: string, value: unknown, message: string): Error =>
  new RowkeyError('INVALID_OPTION', message, { option, value: show(value) })

/** The refusal of a value by its place. */
export const wrong = (given: unknown, { of, path }: Place, remedy: string): Error =>
  refused(path.at(-1) ?? of, given, `${path.length === 0 ? of : `${of}: ${pathText(path)}`} is ${show(given)}. ${remedy}`)

const pathText = (path: readonly string[]): string => path.map((name) => showName(name)).join('.')

/** What passes a test. `wants` completes the sentence "Give …". */
export const fitting =
  (fits: (given: unknown) => boolean, wants: string): Form =>
  (given, place) => {
    if (!fits(given)) throw wrong(given, place, `Give ${wants}.`)
  }

const isNumber = (given: unknown): given is number => typeof given === 'number' && Number.isFinite(given)

export const numberFrom = (least: number): Form => fitting((given) => isNumber(given) && given >= least, `a number from ${least}`)

/** As a page or a limit of a scan takes it. */
export const wholeFrom = (least: number): Form =>
  fitting((given) => Number.isSafeInteger(given) && (given as number) >= least, `a whole number from ${least}`)

export const share: Form = fitting((given) => isNumber(given) && given >= 0 && given <= 1, 'a share from 0 to 1')

export const anyText: Form = fitting((given) => typeof given === 'string', 'a text')

/** One of some names. For a misspelt one, the refusal says which is the nearest. */
export const oneOf =
  (names: readonly string[]): Form =>
  (given, place) => {
    if (typeof given === 'string' && names.includes(given)) return
    const nearest = typeof given === 'string' ? nearestName(given, names) : undefined
    throw wrong(given, place, `${nearest === undefined ? '' : `Did you mean ${show(nearest)}? `}Give ${showNames(names, "'")}.`)
  }

export const optional =
  (form: Form): Form =>
  (given, place) => {
    if (given !== undefined) form(given, place)
  }

export const listOf =
  (form: Form): Form =>
  (given, place) => {
    if (!Array.isArray(given)) throw wrong(given, place, 'Give a list.')
    for (const each of given as readonly unknown[]) form(each, place)
  }

/** An object that has these fields and no others. */
export function objectOf<T extends object>(forms: Readonly<Record<keyof Required<T>, Form>>, what = 'field'): Form {
  const known = Object.keys(forms)
  return (given, place) => {
    checkObject(given, place, known, what)
    for (const [name, form] of Object.entries<Form>(forms)) form(given[name], below(place, name))
  }
}

/** An object by names that exist, such as those of columns. */
export const byName =
  (names: readonly string[], what: string, formOf: (name: string) => Form): Form =>
  (given, place) => {
    checkObject(given, place, names, what)
    for (const [name, each] of Object.entries(given)) formOf(name)(each, below(place, name))
  }

/** An object of which only this is looked at. A `Map` or a `Date` would look like one without fields. */
export const anyObject: Form = (given, place) => {
  if (!isPlainObject(given)) throw wrong(given, place, 'Give an object.')
}

function checkObject(
  given: unknown,
  place: Place,
  known: readonly string[],
  what: string,
): asserts given is Readonly<Record<string, unknown>> {
  anyObject(given, place)
  checkFields(place.path.length === 0 ? place.of : `${pathText(place.path)} in ${place.of}`, given as object, known, what)
}

const below = ({ of, path }: Place, name: string): Place => ({ of, path: [...path, name] })
