import type { TableSchema } from '@rowkey/model'
import type { Table } from '@rowkey/store'
import { RowkeyError } from '@rowkey/codec'
import { inTime } from '@rowkey/store'
import { cancellationOf, cancelRules, type CancelOptions } from './cancellation.js'
import { checkOptions } from './check-options.js'
import { mapperError } from './errors.js'
import { isCount } from './write-options.js'

/** Options of `db.purgeExpired()`. */
export interface PurgeOptions extends CancelOptions {
  /** Rows to delete at most; default 1,000. */
  limit?: number
}

/** Has the store delete expired rows. */
export async function purgeExpired(
  adapter: string,
  { name, expiryAt }: TableSchema,
  table: () => Table | Promise<Table>,
  now: number,
  options: PurgeOptions,
): Promise<number> {
  checkOptions('purgeExpired()', options, { limit: isCount, ...cancelRules })
  if (expiryAt < 0) {
    throw mapperError(
      'TTL_UNDECLARED',
      `rows of '${name}' do not expire, so there are none to purge. Declare the table with @Ttl('30d') or { ttl }.`,
      {
        table: name,
      },
    )
  }
  const cancellation = cancellationOf(options, () => now, 'purgeExpired', name)
  cancellation?.throwIfOver()
  const { store } = await inTime(cancellation, Promise.resolve(table()))
  if (store.purgeExpired !== undefined) return inTime(cancellation, store.purgeExpired(now, options.limit ?? 1000))
  // Reading and deleting here could hit a row that was put anew in between: only the store can look and delete at once.
  throw new RowkeyError(
    'STORE_LACKS',
    `${adapter} cannot delete expired rows of '${name}' on request. It removes them itself, or keeps them unseen.`,
    {
      table: name,
      capability: 'purgeExpired',
      adapter,
    },
  )
}
