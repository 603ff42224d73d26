import type { Row } from '#codec'
import { isExpired, isPromise, type Cancellation, type MaybePromise, type ReadOptions } from '#store/adapter'
import { andThen, getRows, lastBegin } from '#store/engine'
import type { TableHandle } from './table-handle.js'

/** The only options of most reads. */
export const strong: ReadOptions = Object.freeze({ consistency: 'strong' })

/** Rows in the order of their keys; undefined for a row that does not exist or has expired. */
export function readRows(handle: TableHandle, keys: readonly Row[], read: ReadOptions): MaybePromise<readonly (Row | undefined)[]> {
  read.cancellation?.throwIfOver()
  const { schema } = handle
  const opened = handle.store(read.cancellation, lastBegin(schema, keys))
  // Not andThen(): every get passes here, and mostly nothing is awaited. So it makes no function.
  const found = isPromise(opened) ? opened.then((store) => getRows(schema, store, keys, read)) : getRows(schema, opened, keys, read)
  return schema.expiryIndex < 0 ? found : andThen(found, (rows) => unexpired(handle, rows))
}

/** One row; undefined if it does not exist or has expired. */
export function readRow(handle: TableHandle, key: Row, read: ReadOptions): MaybePromise<Row | undefined> {
  const found = readRows(handle, [key], read)
  return isPromise(found) ? found.then(([row]) => row) : found[0]
}

/** The row that a write is about to change, or has just changed. */
export function rowNow(handle: TableHandle, key: Row, cancellation: Cancellation | undefined): MaybePromise<Row | undefined> {
  return readRow(handle, key, cancellation === undefined ? strong : { consistency: 'strong', cancellation })
}

function unexpired({ schema, mapper }: TableHandle, rows: readonly (Row | undefined)[]): readonly (Row | undefined)[] {
  const now = mapper.clock()
  return rows.map((row) => (row === undefined || isExpired(schema, row, now) ? undefined : row))
}
