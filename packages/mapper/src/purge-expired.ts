import { RowkeyError } from '@rowkey/codec'
import { inTime, type TableStore } from '@rowkey/store/adapter'
import { purgeRows } from '@rowkey/store/engine'
import { cancelRules, type CancelOptions } from './call/cancellation.js'
import { checkOptions, isCount } from './call/check-options.js'
import { mapperError } from './call/errors.js'
import type { TableHandle } from './table/table-handle.js'

/** Options of `db.purgeExpired()`. */
export interface PurgeOptions extends CancelOptions {
  /** The maximum number of rows to delete; default 1,000. */
  limit?: number
}

/** Makes the store delete expired rows. */
export async function purgeExpired(handle: TableHandle, options: PurgeOptions): Promise<number> {
  const { mapper, schema } = handle
  const { name, expiryIndex } = schema
  checkOptions('purgeExpired()', options, { limit: isCount, ...cancelRules })
  if (expiryIndex < 0) {
    throw mapperError(
      'TTL_UNDECLARED',
      `rows of '${name}' do not expire, so there are none to purge. Declare the table with @Ttl('30d') or { ttl }, and add the column with ensureTables().`,
      {
        table: name,
      },
    )
  }
  const cancellation = handle.cancellation(options, 'purgeExpired')
  cancellation?.throwIfOver()
  const store = await handle.store(cancellation)
  if (canPurge(store)) return inTime(cancellation, purgeRows(schema, store, mapper.clock(), options.limit ?? 1000, { cancellation }))
  // To read and then delete here could hit a row that was put again in between: only the store can check and delete atomically.
  throw new RowkeyError(
    'NOT_SUPPORTED',
    `${mapper.adapter.name} cannot delete expired rows of '${name}' on request. It removes them by itself, or keeps them hidden.`,
    {
      table: name,
      capability: 'purgeExpired',
      adapter: mapper.adapter.name,
    },
  )
}

const canPurge = (store: TableStore): store is TableStore & Required<Pick<TableStore, 'purgeExpired'>> => store.purgeExpired !== undefined
