// Tested by scan.test.ts.
import { type Bound, type Row, RowkeyError } from '#codec'
import type { Query, ScanOrder, Stop } from '#store'
import type { Cancellation, Conditions, ReadOptions } from '#store/adapter'
import { type Batch, type CursorPosition, type Position, readCursor, resumePlan, type Run, runQuery, writeCursor } from '#store/engine'
import { requiresNothing, type Requirements } from '../rows/requirements.js'
import type { TableHandle } from '../table/table-handle.js'
import { columnsToRead, shapeOf, type Started } from './reading.js'
import type { AnyScanOptions } from './scan-options.js'
import type { ScanPage } from './scan-types.js'

/** What a scan reads rows for: pages, which may be read backwards, one row after the other, or to delete them. */
export type Use = 'page' | 'rows' | 'removal'

/** Why a page ends, and its cursors. */
interface PageEnds {
  readonly stop: Stop
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
  /** Where its cursor stands; undefined = the start. */
  private readonly resumed: Bound | undefined
  /** Whether the cursor is that of a previous page: rows come in the reverse order, from there towards the start. */
  private readonly backwards: boolean
  private readonly handle: TableHandle
  private readonly query: Query

  constructor(
    handle: TableHandle,
    query: Query,
    { bound, backwards }: CursorPosition,
    run: Run<Position>,
    toObject: (row: Row) => object,
    requires: Requirements,
    cancellation: Cancellation | undefined,
  ) {
    this.handle = handle
    this.query = query
    this.resumed = bound
    this.backwards = backwards
    this.run = run
    this.toObject = toObject
    this.requires = requires
    this.cancellation = cancellation
  }

  cursorAt(position: Position | undefined): Promise<string> {
    return this.cursorTo(position?.bound ?? this.resumed, 'after')
  }

  /** Reads one page and closes the scan. */
  async page(limit: number): Promise<ScanPage<object>> {
    const { run, backwards, toObject } = this
    try {
      // Backwards, one row more than the page holds is read, so that the first page has no cursor to an empty one.
      const wanted = !backwards || this.countsKeys ? limit : limit + 1
      const batch = await run.take(wanted)
      const taken = wanted === limit ? batch.rows : batch.rows.slice(0, limit)
      const rows = (backwards ? taken.toReversed() : taken).map(toObject)
      const ends = backwards ? this.endsBefore(batch, limit) : this.endsAfter(batch)
      const [cursor, previous] = await Promise.all([ends.cursor, ends.previous])
      const stats = { ...run.stats, returned: rows.length }
      return { rows, ...(cursor === undefined ? {} : { cursor }), ...(previous === undefined ? {} : { previous }), stop: ends.stop, stats }
    } finally {
      run.close()
    }
  }

  private endsAfter({ position, stop }: Batch<Position>): PageEnds {
    const { resumed } = this
    return {
      stop,
      cursor: stop === 'exhausted' ? undefined : this.cursorAt(position),
      previous: resumed === undefined || !this.canTurn ? undefined : this.cursorTo(resumed, 'before'),
    }
  }

  private endsBefore({ rows, position, stop }: Batch<Position>, limit: number): PageEnds {
    const cursor = this.cursorTo(this.resumed, 'after')
    if (rows.length > limit) {
      const first = rows[limit - 1] as Row
      return { stop: 'limit', cursor, previous: this.cursorTo(this.boundAfter(first), 'before') }
    }
    return { stop, cursor, previous: stop === 'exhausted' ? undefined : this.cursorTo(position?.bound ?? this.resumed, 'before') }
  }

  /** Whether a page counts keys, not rows. */
  private get countsKeys(): boolean {
    return this.query.plan.kind === 'get'
  }

  /** Whether the store can read the rows before a position. */
  private get canTurn(): boolean {
    return this.handle.mapper.adapter.capabilities.reverse || this.query.reverse || this.countsKeys
  }

  /** The place after a row, in the direction in which it reads. */
  private boundAfter(row: Row): Bound {
    return { prefix: row.slice(0, this.handle.schema.keyLength), edge: this.query.reverse !== this.backwards ? 'before' : 'after' }
  }

  /** The cursor of the rows after a bound, or before it. */
  private cursorTo(bound: Bound | undefined, direction: 'after' | 'before'): Promise<string> {
    const { schema, mapper } = this.handle
    return mapper.seal.sign(writeCursor(schema, this.query, bound, direction === 'before'))
  }
}

/** Starts to run a query, from the cursor of the options if there is one. Nothing is read yet. */
export async function startScan(handle: TableHandle, query: Query, options: AnyScanOptions, use: Use): Promise<StartedScan> {
  const { schema, mapper } = handle
  const { cursor, limit, maxExamined, prefetch } = options
  const cancellation = handle.cancellation(options, 'scan')
  cancellation?.signal?.throwIfAborted() // a deadline that has passed is not refused: the page still has a cursor
  const from = cursor === undefined ? fromStart : readCursor(schema, query, await mapper.seal.verify(cursor, 'cursor'))
  const { bound, backwards } = from
  if (backwards && use !== 'page') throw pagesOnly(schema.name)
  const order: ScanOrder = { reverse: query.reverse !== backwards, merged: query.merged }
  const plan = bound === undefined ? query.plan : resumePlan(schema, query.plan, bound, order)
  const { select, accept, toObject } = shapeOf(handle.rows, options)
  const requires: Requirements = { conditions: valueConditions(query), filter: accept }
  const run = runQuery(schema, plan, () => handle.store(cancellation), {
    order,
    limit: limit === undefined || !backwards ? limit : limit + 1,
    read: readOptions(query, use === 'removal' ? columnsToRemove(query, requires) : select, options, cancellation),
    clock: mapper.clock,
    accept,
    maxExamined,
    prefetch,
  })
  return new StartedScan(handle, query, from, run, toObject, requires, cancellation)
}

const fromStart: CursorPosition = Object.freeze({ bound: undefined, backwards: false })

function pagesOnly(table: string): Error {
  const message = `the cursor given for '${table}' is that of a previous page. Pass it to page(): only pages are read backwards.`
  return new RowkeyError('CURSOR_MISMATCH', message, { differs: 'direction' })
}

/** The conditions that no key decides. */
function valueConditions({ schema, plan }: Query): Conditions {
  return plan.kind === 'empty' ? [] : plan.residual.filter(({ column }) => column >= schema.keyLength)
}

/** What a delete of a row depends on, besides its conditions: all values if there is a filter, else its version. undefined = all. */
function columnsToRemove({ schema }: Query, requires: Requirements): readonly number[] | undefined {
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
