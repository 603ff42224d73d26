export type { Answer, Cost, Filter, Limit, Page, PageSource, ReadOptions, Slice, Test } from './contract/reading.js'
export type { Mutation, Outcome, WriteOptions } from './contract/writing.js'
export type { Adapter, Capabilities, ChangeOptions, Hint, Hints, TableCatalog, TableStore } from './contract/adapter.js'
export type { Defining, Definition, Locating } from './contract/native.js'
export { Cancellation, inTime, pause, type CancellationOptions } from './contract/cancellation.js'
export type { StoreErrorDetails } from './errors.js'
export { compileFilter } from './predicate/evaluate.js'
export type { ColumnSet, Predicate } from './predicate/column-set.js'
export { mostInPlan, type KeyRange, type Plan, type PlanLimits, type Stream } from './plan/plan.js'
export type { Order } from './plan/order.js'
export { resumePlan } from './plan/clip.js'
export { compileQuery, type Query, type QueryOptions } from './query/query.js'
export { longestCheckpoint, readCheckpoint, writeCheckpoint } from './query/checkpoint.js'
export { readCursor, writeCursor, type CursorQuery } from './query/cursor.js'
export { explain } from './explain/explain.js'
export type { Explanation } from './explain/explanation.js'
export { QueryRun, type Batch, type QueryStats, type RunOptions, type Stop } from './scan/query-run.js'
export { Breath } from './scan/breath.js'
export { FullRun, type FullBatch, type FullRunOptions } from './scan/full-run.js'
export { paging, type NativePage } from './scan/paging.js'
export { mergePages } from './scan/merge-pages.js'
export { cutSlice, type Piece, type PieceEnd } from './plan/cut-slice.js'
export { getRows } from './scan/get-rows.js'
export { isPromise } from './scan/answer.js'
export { isExpired } from './table/expiry.js'
export { clientOption } from './table/client-option.js'
export { storeUnavailable } from './table/store-unavailable.js'
export { Operations } from './table/operations.js'
export { hintsOf } from './table/hints.js'
export { columnText, saltsText, schemaLines } from './table/schema-text.js'
export { checkKey, checkRow, portableLimits, refuseLong } from './table/limits.js'
export { rowkeyOf } from './table/rowkey.js'
export { grownCatalog, newCatalog } from './table/catalog-growth.js'
export { ensureTable, openTable, type Table } from './table/table.js'
export { atIndex } from './write/at-index.js'
export { inParallel } from './write/in-parallel.js'
export { backOff, pauseMs } from './write/back-off.js'
export { defaultAttempts, type Sending, type Writer } from './write/sending.js'
export { writeAtomic } from './write/write-atomic.js'
export { writeOne } from './write/write-one.js'
export { writeMany } from './write/write-many.js'
// Adapters import this package only.
export {
  RowkeyError,
  compareKeys,
  isRowkeyError,
  murmur3,
  oneByteString,
  show,
  toHex,
  values,
  type Bound,
  type Bucket,
  type Row,
  type RowLayout,
  type Value,
} from '@rowkey/codec'
export type { SchemaColumn, SchemaJSON, TableSchema } from '@rowkey/model'
