import type { QueryStats } from '@rowkey/store'

/** What happened in one call of a repository; given to `onCall` when the call has ended. */
export interface CallEvent {
  /** Physical table name. */
  readonly table: string
  readonly method: string
  readonly durationMs: number
  /** Rows written or returned. */
  readonly rows: number
  readonly stats?: QueryStats
  readonly error?: unknown
}

/** Times a call and reports it; a failure is reported and thrown on. */
export async function observed<T>(
  onCall: ((event: CallEvent) => void) | undefined,
  call: { readonly table: string; readonly method: string; rows(result: T): number; stats?(result: T): QueryStats },
  run: () => Promise<T>,
): Promise<T> {
  if (onCall === undefined) return run()
  const { table, method } = call
  const start = performance.now()
  try {
    const result = await run()
    const stats = call.stats?.(result)
    onCall({ table, method, durationMs: performance.now() - start, rows: call.rows(result), ...(stats === undefined ? {} : { stats }) })
    return result
  } catch (error) {
    onCall({ table, method, durationMs: performance.now() - start, rows: 0, error })
    throw error
  }
}
