import type { TableSchema } from '@rowkey/model'
import type { Adapter, TableStore } from '../contract/adapter.js'
import type { WriteOptions } from '../contract/writing.js'

/** What all writes of a mapper share. */
export interface Writer {
  readonly adapter: Adapter
  /** The open table that a mutation is for; its reads tell what became of a versioned row. */
  storeOf(schema: TableSchema): TableStore | undefined
  /** A number from 0 up to 1, as Math.random. */
  random(): number
  /** Instead of a timer. Rejects with the reason of the signal when that is aborted. */
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
  /**
   * Whether puts and deletes without a condition are sent again although nobody knows what became of them. They may then undo what others
   * have written since.
   */
  readonly resendsUnknown?: boolean
}

/** How one write is sent: what the adapter gets, and how often without progress. */
export interface Sending extends WriteOptions {
  readonly attempts: number
}

/** How often a write is sent that makes no progress. */
export const defaultAttempts = 8
