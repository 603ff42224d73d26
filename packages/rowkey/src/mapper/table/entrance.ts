// Tested by writes-order.test.ts.
import { isPromise, type MaybePromise } from '#store/adapter'
import type { WriteRequest } from '#store/engine'
import { beforeWriting } from '../call/cancellation.js'
import { ignore } from '../call/observer.js'

/** A table that may not be open yet. */
export interface Entrance {
  /** A promise until it is open. */
  open(): MaybePromise<unknown>
}

/**
 * A write whose tables may not be open yet. It takes its turn among the writes of its rows when it is called, and waits for the tables in that turn. If
 * the caller stops waiting first, the write reports that, and says that nothing was sent.
 */
export function opening(entrances: readonly Entrance[], request: WriteRequest): WriteRequest {
  const tables = entrances.map((entrance) => entrance.open()).filter(isPromise)
  if (tables.length === 0) return request
  const all = Promise.all(tables)
  ignore(all) // its turn may come later than the error
  return { ...request, opened: () => beforeWriting(request.cancellation, all) }
}
