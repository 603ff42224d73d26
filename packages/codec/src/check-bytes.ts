import { codecError } from './error.js'
import { isBytes } from './values/built-in.js'
import { show } from './values/show.js'

/** @throws RowkeyError `INVALID_VALUE` for anything but a Uint8Array. */
export function checkBytes(call: string, given: unknown): asserts given is Uint8Array {
  if (isBytes(given)) return
  const value = show(given)
  throw codecError('INVALID_VALUE', `${call} takes a Uint8Array, not ${value}.`, { column: '', value })
}
