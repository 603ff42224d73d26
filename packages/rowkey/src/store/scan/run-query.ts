// Tested by asynchronous.test.ts.
import type { Row } from '#codec'
import type { TableIndex, TableSchema } from '#model'
import type { TableStore } from '../contract/adapter.js'
import type { Conditions, MaybePromise, ReadOptions } from '../contract/reading.js'
import type { ScanOrder } from '../plan/order.js'
import type { Plan } from '../plan/plan.js'
import { compileFilter } from '../predicate/evaluate.js'
import { andThen } from './maybe-promise.js'
import { IndexSource } from './index-source.js'
import { KeySource } from './key-source.js'
import { Lane, requestSizes } from './lane.js'
import { MergeSource } from './merge-source.js'
import { PeriodSource, periodOf } from './period-source.js'
import { Positions, type Position, type RowSource } from './row-source.js'
import { Run } from './run.js'
import { streamSource, type SliceOpener } from './stream-source.js'

/** How a plan is run. */
export interface QueryRunOptions {
  readonly order: ScanOrder
  /** The total number of rows wanted, which determines the size of the first requests. */
  readonly limit: number | undefined
  readonly read: ReadOptions
  /** Epoch milliseconds: rows that have expired by then are dropped. */
  readonly clock: () => number
  /** A filter of the caller, after the residual one. */
  readonly accept?: ((row: Row) => boolean) | undefined
  /** Rows the store may read for the run; the last round of requests may go beyond it. */
  readonly maxExamined?: number | undefined
  /** Requests the next pages while the rows of the current ones are used; only for runs without a limit and without `maxExamined`. */
  readonly prefetch?: boolean | undefined
}

/**
 * Runs a plan. Nothing is read before rows are taken.
 *
 * @param open the reads of the table
 */
export function runQuery(schema: TableSchema, plan: Plan, open: () => MaybePromise<TableStore>, options: QueryRunOptions): Run<Position> {
  const residual = plan.kind === 'empty' || plan.residual.length === 0 ? undefined : compileFilter(schema, plan.residual)
  const accept = both(residual, options.accept)
  const source = (store: TableStore): RowSource => sourceOf(schema, plan, store, options, accept === undefined)
  return new Run(schema, () => andThen(open(), source), {
    cancellation: options.read.cancellation,
    clock: options.clock,
    accept,
    maxExamined: options.maxExamined,
    streams: plan.kind === 'scan' ? plan.streams.length : plan.kind === 'get' ? 1 : 0,
    takesOnePage: plan.kind === 'get',
  })
}

/** How the rows of entries are read. */
export interface RowsOfEntries {
  readonly read: ReadOptions
  /** On columns of the rows. */
  readonly residual: Conditions
  /** Whether entries have all that is asked of the rows, so that these are not read. */
  readonly isCovered: boolean
}

/**
 * Runs a plan of the entries of an index, and reads their rows.
 *
 * @param open the reads of the entries, and of the table
 */
export function runIndexQuery(
  schema: TableSchema,
  index: TableIndex,
  plan: Plan,
  open: () => MaybePromise<{ readonly entries: TableStore; readonly rows: TableStore }>,
  options: QueryRunOptions,
  { read, residual, isCovered }: RowsOfEntries,
): Run<Position> {
  const { accept, clock } = options
  let source: IndexSource | undefined
  const own = plan.kind === 'empty' ? [] : plan.residual
  return new Run<Position>(
    schema,
    () =>
      andThen(open(), ({ entries, rows }) => {
        const ofEntries = sourceOf(index.schema, plan, entries, options, false)
        return (source = new IndexSource(index, ofEntries, compileFilter(index.schema, own), {
          schema,
          isCovered,
          store: rows,
          read,
          clock,
        }))
      }),
    {
      cancellation: options.read.cancellation,
      clock,
      accept: both(residual.length === 0 ? undefined : compileFilter(schema, residual), accept),
      maxExamined: options.maxExamined,
      streams: plan.kind === 'scan' ? plan.streams.length : plan.kind === 'get' ? 1 : 0,
      takesOnePage: plan.kind === 'get',
      entryCounts: () => source?.entryCounts,
    },
  )
}

function sourceOf(schema: TableSchema, plan: Plan, store: TableStore, options: QueryRunOptions, isUnfiltered: boolean): RowSource {
  const { order, read, limit, prefetch, maxExamined } = options
  const { reverse, merged } = order
  if (plan.kind === 'get') return new KeySource(schema, store, plan.keys, reverse, read)
  const streams = plan.kind === 'scan' ? plan.streams : []
  const positions = new Positions(schema, reverse, merged)
  const opener: SliceOpener = {
    positions,
    filter: plan.kind === 'scan' ? pushable(schema, plan.residual) : undefined,
    open: (slice) => store.scan(slice, read),
    ahead: prefetch === true && limit === undefined && maxExamined === undefined,
  }
  const exact = isUnfiltered && schema.expiryIndex < 0
  const column = periodOf(schema, streams, merged)
  if (column >= 0) return new PeriodSource(schema, streams, { opener, merged, column, limit, exact })
  const inputs = streams.map((stream) => ({ bucket: stream.bucket, source: streamSource(schema, stream, opener) }))
  const sizes = requestSizes(limit, streams.length, exact)
  const [only, second] = inputs
  return only !== undefined && second === undefined ? new Lane(only, positions, sizes) : new MergeSource(schema, inputs, positions, sizes)
}

function both(a: ((row: Row) => boolean) | undefined, b: ((row: Row) => boolean) | undefined): ((row: Row) => boolean) | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return (row) => a(row) && b(row)
}

/**
 * The conditions that an adapter may check in the store. An adapter knows stored values only, not the defaults that old rows are read with,
 * so the core checks columns with such a default. undefined: there are none.
 */
export function pushable({ columns }: TableSchema, residual: Conditions): Conditions | undefined {
  const filter = residual.filter(({ column }) => {
    const type = columns[column]?.type
    return type?.nullable === true || type?.default?.kind !== 'constant'
  })
  return filter.length === 0 ? undefined : filter
}
