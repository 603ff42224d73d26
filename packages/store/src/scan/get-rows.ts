import type { Row } from '@rowkey/codec'
import type { TableSchema } from '@rowkey/model'
import type { TableStore } from '../contract/adapter.js'
import type { Answer, ReadOptions } from '../contract/reading.js'
import { show } from '@rowkey/codec'
import { storeError } from '../errors.js'
import { inTime } from '../contract/cancellation.js'
import { isPromise } from './answer.js'

/**
 * The rows of distinct keys, in the order of the keys. A get has no slice to check against, so each answer is compared with its key:
 * a short or shifted list would otherwise be rows that are missing or swapped.
 *
 * @throws RowkeyError `ADAPTER_FAULT`; the reason of the cancellation
 */
export function getRows(
  schema: TableSchema,
  store: TableStore,
  keys: readonly Row[],
  read: ReadOptions,
): Answer<readonly (Row | undefined)[]> {
  read.cancellation?.throwIfOver()
  const answer = store.get(keys, read)
  const found = isPromise(answer) ? inTime(read.cancellation, answer) : answer
  return isPromise(found) ? found.then((rows) => checked(schema, keys, rows)) : checked(schema, keys, found)
}

function checked(schema: TableSchema, keys: readonly Row[], rows: readonly (Row | undefined)[]): readonly (Row | undefined)[] {
  const { layout, keyLength, name } = schema
  const fault = (what: string, bucket: number): Error =>
    storeError('ADAPTER_FAULT', `the adapter answered a get from table '${name}' with ${what}. This is a fault of the adapter.`, {
      table: name,
      bucket,
    })
  if (rows.length !== keys.length) throw fault(`a list of ${rows.length} for a list of ${keys.length} keys`, layout.bucketOf(keys[0] ?? []))
  keys.forEach((key, i) => {
    const row = rows[i]
    if (row === undefined || layout.compareRows(row, key) === 0) return
    const text = (given: Row): string => `(${given.slice(0, keyLength).map(show).join(', ')})`
    throw fault(`key ${text(row)} where ${text(key)} was asked for`, layout.bucketOf(key))
  })
  return rows
}
