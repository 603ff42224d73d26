import { isRowkeyError, type RowkeyError } from '@rowkey/codec'
import { reworded } from '@rowkey/codec/internal'

/** The same error, with the index in the list that it is about. */
export function atIndex<E>(index: number, error: E): E | RowkeyError {
  return isRowkeyError(error) ? reworded(error, { before: `at index ${index} of the list: `, details: { index } }) : error
}
