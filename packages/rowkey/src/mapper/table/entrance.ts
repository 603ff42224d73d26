// Tested by writes-order.test.ts.
import { isPromise, type MaybePromise, type Mutation } from '#store/adapter'
import type { WriteRequest } from '#store/engine'
import { beforeWriting } from '../call/cancellation.js'
import { ignore } from '../call/observer.js'

/** A table that may not be open yet. */
export interface Entrance {
  /** A promise until it is open for these writes. */
  openFor(mutations: readonly Mutation[]): MaybePromise<unknown>
}

/**
 * A write whose tables may not be open yet. It takes its turn among the writes of its rows when it is called, and waits for the tables in that turn. If
 * the caller stops waiting first, the write reports that, and says that nothing was sent.
 */
export function opening(entrances: readonly Entrance[], mutations: readonly Mutation[], request: WriteRequest): WriteRequest {
  return waiting(entrances.map((entrance) => entrance.openFor(mutations)).filter(isPromise), request)
}

/** The same for tables that are being opened. */
export function waiting(tables: readonly Promise<unknown>[], request: WriteRequest): WriteRequest {
  if (tables.length === 0) return request
  const all = Promise.all(tables)
  ignore(all) // its turn may come later than the error
  return { ...request, opened: () => beforeWriting(request.cancellation, all) }
}
