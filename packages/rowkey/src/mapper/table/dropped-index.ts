// Tested by packages/rowkey/test/mapper/verify-index.test.ts and exact-writes.test.ts.
import type { TableIndex, TableSchema } from '#model'
import { isPromise, type Cancellation, type MaybePromise } from '#store/adapter'
import { beforeWriting } from '../call/cancellation.js'
import type { TableCache } from './table-cache.js'

/**
 * Whether nobody needs the entries of an index any more. What says so is asked again each time, because another program may drop the table and create it again.
 *
 * @param isAsked whether the catalog has to be read again, because the entries are gone
 */
export function isDropped(
  tables: TableCache,
  schema: TableSchema,
  { name }: TableIndex,
  cancellation: Cancellation | undefined,
  isAsked = false,
): MaybePromise<boolean> {
  const isKnown = (): boolean => tables.peek(schema)?.catalog.indexes?.[name] === 'dropped'
  if (isAsked || isKnown()) tables.forget(schema)
  const opening = tables.get(schema)
  return isPromise(opening) ? beforeWriting(cancellation, opening).then(isKnown) : isKnown()
}
