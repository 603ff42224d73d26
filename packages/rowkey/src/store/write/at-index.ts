import { isRowkeyError, type RowkeyError } from '#codec'
import { reworded, sentenceOf } from '#codec/internal'

/** The same error, with the index in the list that it is about. */
export function atIndex<E>(index: number, error: E): E | RowkeyError {
  return isRowkeyError(error) ? reworded(error, { before: placeOf(index), details: { index } }) : error
}

const placeOf = (index: number): string => `at index ${index} of the list: `

/** The sentence of an error without the index in a list, for a caller who has another name for the place. */
export function withoutIndex(error: RowkeyError): string {
  const sentence = sentenceOf(error)
  const { index } = error.details
  const place = typeof index === 'number' ? placeOf(index) : ''
  return sentence.startsWith(place) ? sentence.slice(place.length) : sentence
}
