import type { Row } from '#codec'
import type { TableSchema } from '#model'
import type { TableStore } from '../contract/adapter.js'
import type { MaybePromise, ReadOptions } from '../contract/reading.js'
import { show } from '#codec/internal'
import { storeError } from '../errors.js'
import { inTime } from '../contract/cancellation.js'
import { andThen, isPromise } from './maybe-promise.js'
import { isRow } from './page-shape.js'

/**
 * The rows of distinct keys, in the order of the keys. A get has no slice to check against, so each answer is compared with its key:
 * otherwise a short or shifted list would look like missing or swapped rows.
 *
 * @throws RowkeyError `ADAPTER_FAULT`; the reason of the cancellation
 */
export function getRows(
  schema: TableSchema,
  store: TableStore,
  keys: readonly Row[],
  read: ReadOptions,
): MaybePromise<readonly (Row | undefined)[]> {
  read.cancellation?.throwIfOver()
  const answer = store.get(keys, read)
  const found = isPromise(answer) ? inTime(read.cancellation, answer) : answer
  return andThen(found, (rows) => checked(schema, keys, rows))
}

function checked(schema: TableSchema, keys: readonly Row[], rows: readonly (Row | undefined)[]): readonly (Row | undefined)[] {
  const { layout, keyLength, name } = schema
  const width = schema.columns.length
  const fault = (what: string, bucket: number): Error =>
    storeError('ADAPTER_FAULT', `the adapter answered a get from table '${name}' with ${what}. This is a fault of the adapter.`, {
      table: name,
      bucket,
    })
  const given: unknown = rows
  if (!Array.isArray(given)) throw fault('no list', layout.bucketOf(keys[0] ?? []))
  if (rows.length !== keys.length) throw fault(`a list of length ${rows.length}, not ${keys.length}`, layout.bucketOf(keys[0] ?? []))
  const isOfKey = (row: Row, key: Row): boolean => {
    try {
      return layout.compareRows(row, key) === 0
    } catch {
      return false // it contains no values of the columns
    }
  }
  keys.forEach((key, i) => {
    const row: unknown = rows[i]
    if (row === undefined) return
    if (!isRow(row, width)) throw fault(`a row without its ${width} columns`, layout.bucketOf(key))
    if (isOfKey(row, key)) return
    const text = (given: Row): string => `(${given.slice(0, keyLength).map(show).join(', ')})`
    throw fault(`key ${text(row)}, but ${text(key)} was requested`, layout.bucketOf(key))
  })
  return rows
}
