import type { QueryStats } from '@rowkey/store'
import { tell, type Observer } from './observer.js'

/** What happened in one call of a repository; given to `onCall` when the call has ended. */
export interface CallEvent {
  /** Physical table name. */
  readonly table: string
  readonly method: string
  readonly durationMs: number
  /** Rows written or returned; those returned before the error, if there is one. */
  readonly rows: number
  /** Of scans, once they have reached the store. */
  readonly stats?: QueryStats
  /**
   * Of scans of a table with partition columns: how many partitions the predicate names, more than 1 by an `in`. Where every query means one,
   * more than that is a list from outside in the place of a value.
   */
  readonly partitions?: number
  readonly error?: unknown
}

/** Told of every call. */
export type OnCall = Observer<CallEvent>

/** What an event says of a call besides how it went. */
export interface Call<T> {
  readonly table: string
  readonly method: string
  rows(result: T): number
  /** Of scans: what they have read until now. */
  reading?(): Pick<CallEvent, 'stats' | 'partitions'>
}

/** Times a call and reports it; a failure is reported and thrown on. */
export async function observed<T>(onCall: OnCall | undefined, call: Call<T>, run: () => Promise<T>): Promise<T> {
  if (onCall === undefined) return run()
  const report = stopwatch(onCall, call)
  let result: T
  try {
    result = await run()
  } catch (error) {
    report(0, { error })
    throw error
  }
  report(call.rows(result), {})
  return result
}

/** Starts to time a call; the function it returns reports it. */
export function stopwatch(
  onCall: OnCall,
  { table, method, reading }: Pick<Call<never>, 'table' | 'method' | 'reading'>,
): (rows: number, end: { readonly error?: unknown }) => void {
  const start = performance.now()
  return (rows, end) => {
    const event = { table, method, durationMs: performance.now() - start, rows, ...reading?.(), ...end }
    tell('onCall', onCall, event)
  }
}
