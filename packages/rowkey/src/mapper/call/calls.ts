import type { QueryStats } from '#store'
import { isPromise, type MaybePromise } from '#store/adapter'
import { isRowkeyError } from '#codec'
import { tell, type Observer } from './observer.js'

/** What happened in one call of a repository; passed to `onCall` when the call has ended. */
export interface CallEvent {
  /** Physical table name. */
  readonly table: string
  readonly method: string
  readonly durationMs: number
  /** Rows written or returned; those returned before the error, if there is one. */
  readonly rows: number
  /** For scans that have reached the store. */
  readonly stats?: QueryStats
  /**
   * For scans of a table with partition columns: how many partitions the predicate names; more than 1 means an `in`. If every query of the
   * application names one partition, more than one means that a list came from outside in place of a value.
   */
  readonly partitions?: number
  readonly error?: unknown
}

/** Called after every call. */
export type OnCall = Observer<CallEvent>

/** What a scan adds to its event. */
export type ScanDetails = Pick<CallEvent, 'stats' | 'partitions'>

/** Reports the end of a call: rows written or returned, and the error if it failed. */
type Report = (rows: number, end: { readonly error?: unknown }) => void

/**
 * Runs the calls of one table: times and reports each call if there is an observer, and turns what it throws into a rejection. If a call
 * finds that the table is gone, it is opened again at the next call, because somebody may have dropped and created it.
 */
export class Calls {
  private readonly onCall: OnCall | undefined
  private readonly table: string
  private readonly forget: () => void

  constructor(onCall: OnCall | undefined, table: string, forget: () => void) {
    this.onCall = onCall
    this.table = table
    this.forget = forget
  }

  /** @param rows how many rows a result stands for */
  run<T>(method: string, rows: (result: T) => number, call: () => MaybePromise<T>, details?: () => ScanDetails): Promise<T> {
    const report = this.onCall === undefined ? undefined : this.begin(method, details)
    try {
      const result = call()
      if (isPromise(result)) return this.settled(result, rows, report)
      report?.(rows(result), {})
      return Promise.resolve(result)
    } catch (error) {
      return Promise.reject(this.failed(error, report))
    }
  }

  /** Starts the clock of a call that ends elsewhere; the function it returns ends it. */
  begin(method: string, details: (() => ScanDetails) | undefined): Report {
    const { onCall, table } = this
    const start = performance.now()
    return (rows, end) => {
      if ('error' in end && isLost(end.error)) this.forget()
      if (onCall !== undefined)
        tell('onCall', onCall, { table, method, durationMs: performance.now() - start, rows, ...details?.(), ...end })
    }
  }

  private async settled<T>(pending: Promise<T>, rows: (result: T) => number, report: Report | undefined): Promise<T> {
    let result: T
    try {
      result = await pending
    } catch (error) {
      throw this.failed(error, report)
    }
    report?.(rows(result), {})
    return result
  }

  private failed(error: unknown, report: Report | undefined): unknown {
    if (report !== undefined) report(0, { error })
    else if (isLost(error)) this.forget()
    return error
  }
}

/** Whether an error says that the table is gone. Of many writes, each may say so by itself. */
function isLost(error: unknown): boolean {
  if (isRowkeyError(error, 'TABLE_NOT_FOUND')) return true
  if (!isRowkeyError(error, 'WRITE_INCOMPLETE') && !isRowkeyError(error, 'DEADLINE')) return false
  const { outcomes = [] } = error.details as { readonly outcomes?: readonly { readonly cause?: unknown }[] }
  return outcomes.some(({ cause }) => isRowkeyError(cause, 'TABLE_NOT_FOUND'))
}
