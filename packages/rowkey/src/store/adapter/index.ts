// Tested by adapter-kit.test.ts.
// For adapters, and for code that wraps or tests one: the contract, and what adapters have in common. Adapters import only this entry.
export type { Adapter, ChangeOptions, EnsureOptions, IndexState, TableCatalog, TableStore } from '../contract/adapter.js'
export type { Capabilities, Hint, Hints, NameRule, NameRules, StoreDescription, StoreWithDdl } from '../contract/description.js'
export { knownStores, type KnownStore } from '../contract/known-stores.js'
export type { FormerValues, PartitionLimits, RequestUnits, SplitHint, StoreFacts, Tombstones, WindowHint } from '../contract/store-facts.js'
export type { OpenedClient, Opener, OpeningUrl, SharedTable, StoreOpening } from '../contract/opening.js'
export type { TableIndex } from '#model'
export type { Condition, Conditions, Cost, Endpoint, MaybePromise, Page, PageSource, ReadOptions, Slice } from '../contract/reading.js'
export { keyOf, partitionOf, type Addition, type Mutation, type Outcome, type WriteOptions } from '../contract/writing.js'
export { applied, appliedTo, conflict, failed, failedBy, heldRow, missing, unknown, unprocessed } from '../contract/outcomes.js'
export type { Definition, SupportsDdl } from '../contract/definition.js'
export type { SupportsLocate } from '../contract/locate.js'
export type { Partition, PartitionRange, PartitionsOptions, RangeChanges, RotateOptions, SupportsRanges } from '../contract/partitions.js'
export { findingsOf, findingText, type Finding, type Reasoned, type Rule, type Severity } from '../contract/finding.js'
export { Cancellation, inTime, pause, type CancellationOptions } from '../contract/cancellation.js'
// Adapters whose calls take time
export { BaseAdapter, type AdapterParts, type TableCatalogs } from './base-adapter.js'
export { BaseTable, type OpenTable, type TableReads } from './base-table.js'
// Calls
export { InFlight } from './in-flight.js'
export { KeyedMutex } from './keyed-mutex.js'
export { OpenTables } from './open-tables.js'
export { inParallel } from './pool.js'
export { Sweep, type Stretch } from './sweep.js'
export { pauseMs } from '../write/back-off.js'
export { isPromise } from '../scan/maybe-promise.js'
// Changes
export { dependsOnValues, judge, outOfRange, unmetPrecondition, withPatch, type Verdict } from '../write/judge.js'
export { addable, startOf, summable, sumOf } from '../write/addition.js'
export { isUnconditional } from '../write/retryable.js'
// Pages
export { paging, type NativePage } from '../scan/paging.js'
export { mergePages } from '../scan/merge-pages.js'
export { Progress } from '../scan/progress.js'
export { cutSlice, type Piece } from '../plan/cut-slice.js'
// Rows and tables
export { byColumns } from './by-columns.js'
export { isExpired, rowkeyOf, rowWeight } from '../table/row.js'
export { grownCatalog, newCatalog, widerColumns } from '../table/catalog-growth.js'
export { catalogOfJSON, catalogToJSON, parseObject } from './catalog-json.js'
export { designRules, type DesignCode } from '../advice/rules.js'
export { checkedLate } from '../advice/filter.js'
export { readAsOne } from '../advice/hull.js'
export { weakSalts, type WeakSalt } from '../advice/modulo-seconds.js'
export { splitText } from '../advice/split-text.js'
export { checkForStore, hintsOf } from '../table/for-store.js'
export { columnText, saltsText, schemaLines } from '../table/schema-text.js'
// Options and errors
export { atomicScope } from '../write/atomic-scope.js'
export { checkOptionNames, clientOption, invalidOption } from './options.js'
export { answerFault, checkpointUnusable, closed, columnNotFound, storeRefused, storeUnavailable, tableNotFound } from './errors.js'
export { missingValue, readStoredKey, unreadableRow } from './unreadable-row.js'
// Of the packages below
export {
  RowkeyError,
  compareKeys,
  isRowkeyError,
  fromHex,
  toHex,
  type Bound,
  type Bucket,
  type EncodedKey,
  type Row,
  type RowLayout,
  type Value,
} from '#codec'
export {
  isKuduHash,
  latin1String,
  murmur3,
  printable,
  readUtf8,
  reasonOf,
  said,
  show,
  showName,
  showNames,
  typeFacts,
  utf8Of,
  values,
  visible,
  type Storage,
  type TypeFacts,
} from '#codec/internal'
export { durationMs, type Duration, type SchemaColumn, type SchemaJSON, type TableSchema } from '#model'
export type { StoreErrorDetails } from '../errors.js'
