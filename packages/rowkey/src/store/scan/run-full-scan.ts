import type { Row } from '#codec'
import type { TableSchema } from '#model'
import type { MaybePromise, ReadOptions } from '../contract/reading.js'
import type { TableStore } from '../contract/adapter.js'
import { andThen } from './maybe-promise.js'
import { PartsSource } from './parts-source.js'
import type { RowSource } from './row-source.js'
import { Run } from './run.js'
import { splitTable } from './split-table.js'

/** How a whole table is read. */
export interface FullScanRunOptions {
  readonly read: ReadOptions
  /** Epoch milliseconds: rows that have expired by then are dropped. */
  readonly clock: () => number
  readonly accept?: ((row: Row) => boolean) | undefined
  /** Checkpoints that the store returned earlier, one for each part of the table that is left; undefined = the whole table. */
  readonly checkpoints: readonly string[] | undefined
  /** How many parts are read at a time; default 1. The whole table is split into as many. */
  readonly parallel?: number | undefined
}

/** Rows to request at a time. */
export const fullScanPage = 1024

/**
 * Runs over a whole table, in the order that suits the store best. The position of the run are checkpoints in the store's own terms, one for
 * each part that is left. Nothing is read before rows are taken.
 *
 * @param open the reads of the table
 */
export function runFullScan(
  schema: TableSchema,
  open: () => MaybePromise<TableStore>,
  { checkpoints, parallel = 1, read, clock, accept }: FullScanRunOptions,
): Run<readonly string[]> {
  let streams = 1
  const source = (store: TableStore): MaybePromise<RowSource<readonly string[]>> =>
    andThen(checkpoints ?? splitTable(schema, store, parallel, read), (parts) => {
      streams = Math.max(1, Math.min(parallel, parts.length))
      return new PartsSource(schema, store, parts, { parallel, page: fullScanPage, read })
    })
  return new Run(schema, () => andThen(open(), source), {
    cancellation: read.cancellation,
    clock,
    accept,
    maxExamined: undefined,
    get streams() {
      return streams
    },
    takesOnePage: false,
  })
}
