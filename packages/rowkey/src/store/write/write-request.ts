import type { TableSchema } from '#model'
import type { Adapter, TableStore } from '../contract/adapter.js'
import type { MaybePromise } from '../contract/reading.js'
import type { WriteOptions } from '../contract/writing.js'
import { andThen } from '../scan/maybe-promise.js'
import type { RowTurns } from './row-turns.js'

/** What all writes of a mapper share. */
export interface Writer {
  readonly adapter: Adapter
  /** That of the adapter. */
  readonly turns: RowTurns
  /** The open table of a mutation; its reads resolve unknown outcomes of rows with versions. */
  storeOf(schema: TableSchema): TableStore | undefined
  /** A random number from 0 up to 1, like Math.random. */
  random(): number
  /** Waits, in place of a timer. Rejects with the reason of the signal when it is aborted. */
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
  /**
   * Whether puts and deletes without a condition are sent again after an unknown outcome. They may then undo what others have written
   * since.
   */
  readonly resendsUnknown?: boolean
}

/** How one write is sent: the options for the adapter, and the maximum number of attempts without progress. */
export interface WriteRequest extends WriteOptions {
  readonly attempts: number
  /** Waits until the tables are open, or the caller stops waiting; absent if they are. Writes of the same rows wait for it too, and no others. */
  readonly opened?: (() => MaybePromise<void>) | undefined
  /** Told when the store has acknowledged some of many mutations. */
  readonly acknowledged?: (() => void) | undefined
}

/** Runs `write` when the tables are open. */
export const whenOpen = <T>({ opened }: WriteRequest, write: () => MaybePromise<T>): MaybePromise<T> =>
  opened === undefined ? write() : andThen(opened(), write)

/** How often a write without progress is sent. */
export const defaultAttempts = 8
