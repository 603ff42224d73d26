// Tested by writes-expiry.test.ts.
import { RowkeyError } from '#codec'
import { inTime, type Adapter, type SupportsRanges, type TableStore } from '#store/adapter'
import { EventLoopYield, purgeRows } from '#store/engine'
import { cancelRules, type CancelOptions } from './call/cancellation.js'
import { checkOptions, isCount, isFunction } from './call/check-options.js'
import { ttlUndeclared } from './call/errors.js'
import { tell, type Observer } from './call/observer.js'
import type { TableHandle } from './table/table-handle.js'

/** The progress of a purge. */
export interface PurgeProgress {
  /** Rows deleted so far. */
  readonly rows: number
}

/** Options of `db.purgeExpired()`. */
export interface PurgeOptions extends CancelOptions {
  /** The maximum number of rows to delete. Default: all that have expired when it is called. */
  limit?: number
  /** Called after each step, of 1,000 rows and later more. The purge does not wait for it; what it throws goes to `console.error`. */
  onProgress?: (progress: PurgeProgress) => unknown
}

/** The first step. Later ones are larger, because a store may have to find again what it has not deleted yet. */
const firstStep = 1000
const maxStep = 64_000

/** Makes the store delete rows that have expired by now, in steps. Resolves to their number. */
export async function purgeExpired(handle: TableHandle, options: PurgeOptions): Promise<number> {
  const { mapper, schema } = handle
  const { name, expiryIndex } = schema
  checkOptions('purgeExpired()', options, { limit: isCount, onProgress: isFunction, ...cancelRules })
  if (expiryIndex < 0) throw ttlUndeclared(name, `rows of '${name}' do not expire, so there are none to purge.`)
  const cancellation = handle.cancellation(options, 'purgeExpired')
  cancellation?.throwIfOver()
  const store = await handle.store(cancellation)
  if (canPurge(store)) return purgeAll(handle, store, options, cancellation)
  // To read and then delete here could hit a row that was put again in between: only the store can check and delete atomically.
  const { rotate } = mapper.adapter as Adapter & Partial<SupportsRanges>
  const instead =
    rotate === undefined
      ? 'It removes them by itself, or keeps them hidden.'
      : 'Call db.rotate(Model), which drops the ranges all rows of which have expired.'
  throw new RowkeyError('NOT_SUPPORTED', `${mapper.adapter.name} cannot delete expired rows of '${name}' on request. ${instead}`, {
    table: name,
    capability: 'purgeExpired',
    adapter: mapper.adapter.name,
  })
}

type Purging = TableStore & Required<Pick<TableStore, 'purgeExpired'>>

const canPurge = (store: TableStore): store is Purging => store.purgeExpired !== undefined

async function purgeAll(
  { schema, mapper }: TableHandle,
  store: Purging,
  { limit = Infinity, onProgress }: { readonly limit?: number; readonly onProgress?: Observer<PurgeProgress> },
  cancellation: ReturnType<TableHandle['cancellation']>,
): Promise<number> {
  // One instant for all steps: what expires while it runs is for the next call, so it ends.
  const now = mapper.clock()
  const eventLoop = new EventLoopYield()
  let rows = 0
  for (let step = firstStep; rows < limit; step = Math.min(2 * step, maxStep)) {
    const wanted = Math.min(step, limit - rows)
    const purged = await inTime(cancellation, purgeRows(schema, store, now, wanted, { cancellation }))
    rows += purged
    if (onProgress !== undefined && purged > 0) tell('onProgress', onProgress, { rows })
    if (purged < wanted) break
    await eventLoop.due()
  }
  return rows
}
