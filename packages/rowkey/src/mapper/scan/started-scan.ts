// Tested by scan.test.ts.
import { type Bound, type Row, RowkeyError } from '#codec'
import type { TableSchema } from '#model'
import { isExact } from '#model/internal'
import type { Query, ScanOrder } from '#store'
import type { Cancellation, Conditions, ReadOptions, TableStore } from '#store/adapter'
import {
  type Batch,
  type CursorPosition,
  entryKeyOf,
  lastPeriod,
  type Plan,
  type Position,
  readCursor,
  resumePlan,
  type Run,
  runIndexQuery,
  runQuery,
  type QueryRunOptions,
  type IndexQuery,
  writeCursor,
} from '#store/engine'
import { requiresNothing, type Requirements } from '../rows/requirements.js'
import type { TableHandle } from '../table/table-handle.js'
import { columnsToRead, shapeOf, type Started } from './reading.js'
import type { AnyScanOptions } from './scan-options.js'
import type { ScanPage } from './scan-types.js'

/** What a scan reads rows for: one after the other, to delete them, or a page of a size. */
export interface Use {
  readonly removes?: true
  readonly size?: number
  readonly cursor?: string | undefined
}

/** Why a page ends, and its cursors. */
interface PageEnds {
  readonly stop: ScanPage<object>['stop']
  readonly cursor: Promise<string> | undefined
  readonly previous: Promise<string> | undefined
}

/** A scan that has started after a cursor, or backwards before one. */
export class StartedScan implements Started<Position> {
  readonly run: Run<Position>
  readonly cancellation: Cancellation | undefined
  readonly toObject: (row: Row) => object
  /** What rows have to meet so that the scan returns them. */
  readonly requires: Requirements
  /** Where it starts. Backwards, rows come in the reverse order, from there towards the start. */
  private readonly from: CursorPosition
  /** How many rows the scan returns in all, this page and the pages before it; undefined = any number. */
  private readonly limit: number | undefined
  /** Of the rows, or of the entries of an index. */
  private readonly handle: TableHandle
  private readonly query: Query
  /** The key of a row in the order of the scan. */
  private readonly keyOf: (row: Row) => Row

  constructor(
    handle: TableHandle,
    query: Query,
    keyOf: (row: Row) => Row,
    from: CursorPosition,
    limit: number | undefined,
    run: Run<Position>,
    toObject: (row: Row) => object,
    requires: Requirements,
    cancellation: Cancellation | undefined,
  ) {
    this.handle = handle
    this.query = query
    this.keyOf = keyOf
    this.from = from
    this.limit = limit
    this.run = run
    this.toObject = toObject
    this.requires = requires
    this.cancellation = cancellation
  }

  /** How many rows of the scan came before its cursor, if it has a limit. */
  get rowsBefore(): number {
    return this.from.rows
  }

  cursorAt(position: Position | undefined, rows: number): Promise<string> {
    return this.cursorTo(position?.bound ?? this.from.bound, 'after', rows)
  }

  /** Reads one page and closes the scan. */
  async page(size: number): Promise<ScanPage<object>> {
    const { run, toObject } = this
    const { backwards } = this.from
    try {
      const wanted = wantedRows(size, this.from, this.limit, countsKeys(this.query))
      const batch = wanted === 0 ? none : await run.take(wanted)
      const taken = batch.rows.length > size ? batch.rows.slice(0, size) : batch.rows
      const rows = (backwards ? taken.toReversed() : taken).map(toObject)
      const ends = backwards ? this.endsBefore(batch, size) : this.endsAfter(batch)
      const [cursor, previous] = await Promise.all([ends.cursor, ends.previous])
      const stats = { ...run.stats, returned: rows.length }
      return { rows, ...(cursor === undefined ? {} : { cursor }), ...(previous === undefined ? {} : { previous }), stop: ends.stop, stats }
    } finally {
      run.close()
    }
  }

  private endsAfter({ rows, position, stop }: Batch<Position>): PageEnds {
    const { limit, from } = this
    const returned = from.rows + rows.length
    const isEnough = stop !== 'exhausted' && limit !== undefined && returned >= limit
    return {
      stop: isEnough ? 'limit' : stop === 'limit' ? 'size' : stop,
      cursor: isEnough || stop === 'exhausted' ? undefined : this.cursorAt(position, returned),
      previous: from.bound === undefined || !this.canTurn ? undefined : this.cursorTo(from.bound, 'before', from.rows),
    }
  }

  private endsBefore({ rows, position, stop }: Batch<Position>, size: number): PageEnds {
    const { from } = this
    const cursor = this.cursorTo(from.bound, 'after', from.rows)
    const before = (bound: Bound | undefined): Promise<string> =>
      this.cursorTo(bound, 'before', Math.max(0, from.rows - Math.min(size, rows.length)))
    if (rows.length > size) return { stop: 'size', cursor, previous: before(this.boundAfter(rows[size - 1] as Row)) }
    const previous = stop === 'exhausted' ? undefined : before(position?.bound ?? from.bound)
    return { stop: stop === 'limit' ? 'size' : stop, cursor, previous }
  }

  /** Whether the store can read the rows before a position. */
  private get canTurn(): boolean {
    return this.handle.mapper.adapter.capabilities.reverse || this.query.reverse || countsKeys(this.query)
  }

  /** The place after a row, in the direction in which it reads. */
  private boundAfter(row: Row): Bound {
    return { prefix: this.keyOf(row), edge: this.query.reverse !== this.from.backwards ? 'before' : 'after' }
  }

  /** The cursor of the rows after a bound, or before it; only a scan with a limit counts the `rows` before that. */
  private cursorTo(bound: Bound | undefined, direction: 'after' | 'before', rows: number): Promise<string> {
    const { schema, mapper } = this.handle
    return mapper.seal.sign(writeCursor(schema, this.query, bound, direction === 'before', this.limit === undefined ? 0 : rows))
  }
}

/** A query of a table, perhaps by one of its indexes: then `query` is that of the entries. */
export interface ScanQuery {
  readonly query: Query
  readonly by?: IndexQuery
}

/** Starts to run a query. Nothing is read yet. */
export async function startScan(table: TableHandle, { query, by }: ScanQuery, options: AnyScanOptions, use: Use): Promise<StartedScan> {
  const handle = by === undefined ? table : table.entries(by.index)
  const { schema, mapper } = handle
  const { limit, maxExamined, prefetch } = options
  const cancellation = table.cancellation(options, 'scan')
  cancellation?.signal?.throwIfAborted() // a deadline that has passed is not refused: the page still has a cursor
  const { size, cursor, removes = false } = use
  const from = cursor === undefined ? fromStart : readCursor(schema, query, await mapper.seal.verify(cursor, 'cursor'))
  if (removes && from.backwards) throw notBackwards(table.name)
  const { bound, backwards } = from
  const order: ScanOrder = { reverse: query.reverse !== backwards, merged: query.merged }
  const plan = bound === undefined ? query.plan : resumePlan(schema, query.plan, bound, order)
  const { select, accept, toObject } = shapeOf(table.rows, options)
  const requires: Requirements = { conditions: by?.conditions ?? valueConditions(query), filter: accept }
  const wanted = removes ? columnsToRemove(table.schema, requires) : select
  const read = by === undefined ? readOptions(query, wanted, options, cancellation) : readOfEntries(schema, options, cancellation)
  const running: QueryRunOptions = {
    order,
    limit: size === undefined ? left(limit, from) : wantedRows(size, from, limit, countsKeys(query)),
    read,
    clock: mapper.clock,
    accept,
    maxExamined,
    prefetch,
  }
  const run =
    by === undefined
      ? runQuery(schema, plan, () => handle.store(cancellation, lastPeriod(schema, query.predicate)), running)
      : runByIndex(table, by, plan, wanted, running)
  return new StartedScan(handle, query, keysOf(schema, by), from, limit, run, toObject, requires, cancellation)
}

/** The key of a row in the order of a scan. */
const keysOf = ({ keyLength }: TableSchema, by: IndexQuery | undefined): ((row: Row) => Row) =>
  by === undefined ? (row) => row.slice(0, keyLength) : (row) => entryKeyOf(by.index, row)

function runByIndex(
  table: TableHandle,
  by: IndexQuery,
  plan: Plan,
  wanted: readonly number[] | undefined,
  running: QueryRunOptions,
): Run<Position> {
  const { schema } = table
  const entries = table.entries(by.index)
  const { consistency, cancellation } = running.read
  const open = async (): Promise<{ readonly entries: TableStore; readonly rows: TableStore }> => {
    await table.mustRead(by.index, cancellation)
    const ofEntries = await entries.store(cancellation, lastPeriod(entries.schema, by.query.predicate))
    return { entries: ofEntries, rows: await table.store(cancellation, lastPeriod(schema, by.predicate)) }
  }
  return runIndexQuery(schema, by.index, plan, open, running, {
    read: { consistency, columns: columnsOfRows(schema, by, wanted), cancellation },
    residual: by.residual,
    isCovered: isCovered(schema, by, wanted),
  })
}

/** All but their version, which tells no reader anything. */
function readOfEntries(
  { columns, keyLength, versionIndex }: TableSchema,
  { consistency = 'strong' }: AnyScanOptions,
  cancellation: Cancellation | undefined,
): ReadOptions {
  return { consistency, columns: columns.flatMap((_, at) => (at < keyLength || at === versionIndex ? [] : [at])), cancellation }
}

/** The columns that are read of rows by an index; undefined = all. */
const columnsOfRows = (
  schema: TableSchema,
  { index, residual }: IndexQuery,
  select: readonly number[] | undefined,
): readonly number[] | undefined =>
  select && columnsToRead(schema.keyLength, select, [...index.sources, ...residual.map(({ column }) => column), schema.expiryIndex])

/** Whether entries have all that a scan reads of rows, and are written with them, so that it reads no rows. */
export function isCovered(schema: TableSchema, by: IndexQuery, select: readonly number[] | undefined): boolean {
  const columns = columnsOfRows(schema, by, select) ?? schema.columns.map((_, at) => at)
  return isExact(schema) && columns.every((at) => at < schema.keyLength || by.index.sources.includes(at))
}

const fromStart: CursorPosition = Object.freeze({ bound: undefined, backwards: false, rows: 0 })

/** Whether a page counts keys, not rows. */
const countsKeys = ({ plan }: Query): boolean => plan.kind === 'get'

/** Where no row is wanted any more. */
const none: Batch<Position> = { rows: [], position: undefined, stop: 'limit' }

/**
 * How many rows a page reads. Backwards it is one more than the page holds, so that the first page has no cursor to an empty one. Forwards the
 * limit of the scan may leave fewer.
 */
function wantedRows(size: number, { backwards, rows }: CursorPosition, limit: number | undefined, ofKeys: boolean): number {
  if (backwards) return ofKeys ? size : size + 1
  return Math.max(0, Math.min(size, left(limit, { rows }) ?? Infinity))
}

/** How many rows the limit of a scan leaves after a cursor. */
const left = (limit: number | undefined, { rows }: Pick<CursorPosition, 'rows'>): number | undefined =>
  limit === undefined ? undefined : limit - rows

/** Of rows before a place, those next to it would be deleted first. */
function notBackwards(table: string): Error {
  const message = `the cursor given to deleteAll() of '${table}' is that of a page before another one. Pass the cursor of the error that ended the call before.`
  return new RowkeyError('CURSOR_MISMATCH', message, { differs: 'direction' })
}

/** The conditions that no key decides. */
function valueConditions({ schema, plan }: Query): Conditions {
  return plan.kind === 'empty' ? [] : plan.residual.filter(({ column }) => column >= schema.keyLength)
}

/** What a delete of a row depends on, besides its conditions: all values if there is a filter, else its version. undefined = all. */
function columnsToRemove(schema: TableHandle['schema'], requires: Requirements): readonly number[] | undefined {
  if (requires.filter !== undefined) return undefined
  return requiresNothing(requires) || schema.versionIndex < 0 ? [] : [schema.versionIndex]
}

function readOptions(
  { schema, plan }: Query,
  select: readonly number[] | undefined,
  { consistency = 'strong' }: AnyScanOptions,
  cancellation: Cancellation | undefined,
): ReadOptions {
  const filtered = plan.kind === 'empty' ? [] : plan.residual.map(({ column }) => column)
  return {
    consistency,
    columns: select === undefined ? undefined : columnsToRead(schema.keyLength, select, [...filtered, schema.expiryIndex]),
    cancellation,
  }
}
