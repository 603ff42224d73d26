import { isRowkeyError, RowkeyError } from '@rowkey/codec'

/** The same error, with the index in the list that it is about. */
export function atIndex<E>(index: number, error: E): E | RowkeyError {
  if (!isRowkeyError(error)) return error
  const { code, message, details, cause } = error
  const text = message.slice(`${code}: `.length)
  return new RowkeyError(code, `at index ${index} of the list: ${text}`, { ...details, index }, cause === undefined ? {} : { cause })
}
