import type { TableSchema } from '#model'
import type { ChangeOptions, TableStore } from '../contract/adapter.js'
import { show } from '#codec/internal'
import { storeError } from '../errors.js'
import { isCount } from './page-shape.js'

/**
 * Makes a store delete up to `limit` rows that have expired by `now`, and resolves to their number.
 *
 * @throws RowkeyError `ADAPTER_FAULT` for a number that cannot be true: a caller that purges until nothing is left would never end
 */
export async function purgeRows(
  { name }: TableSchema,
  store: Required<Pick<TableStore, 'purgeExpired'>>,
  now: number,
  limit: number,
  options: ChangeOptions,
): Promise<number> {
  const purged: unknown = await store.purgeExpired(now, limit, options)
  if (isCount(purged) && purged <= limit) return purged
  const message = `the adapter says that it has deleted ${show(purged)} of at most ${limit} expired rows of '${name}'. This is a fault of the adapter.`
  throw storeError('ADAPTER_FAULT', message, { table: name, bucket: 0 })
}
