import type { RowkeyError } from '@rowkey/codec'
import type { StoreErrorDetails } from '../errors.js'
import { show } from '@rowkey/codec'
import { storeError } from '../errors.js'

/** The error of an adapter that is handed a client whose options it cannot live with. */
export function clientOption(
  adapter: string,
  option: string,
  value: unknown,
  why: string,
  remedy: string,
): RowkeyError<'CLIENT_OPTION', StoreErrorDetails['CLIENT_OPTION']> {
  const message = `${adapter}() cannot use a client with ${option}: ${show(value)}. ${why} ${remedy}`
  return storeError('CLIENT_OPTION', message, { adapter, option, value: show(value) })
}
