import type { Form } from './form.js'
import { compareText } from '../compare.js'

/** Text that may be long. */
export const longTextForm = (wants: string, fits: (text: string) => boolean): Form => ({
  ...textForm(wants, fits),
  least: (given) => (typeof given === 'string' ? given.length : 0),
})

/** Text and what looks like text outside; always well-formed. */
export function textForm(wants: string, fits: (text: string) => boolean): Form {
  const isFit = (given: unknown): given is string => typeof given === 'string' && given.isWellFormed() && fits(given)
  return { take: (given) => (isFit(given) ? given : undefined), compare: compareText, wants }
}
