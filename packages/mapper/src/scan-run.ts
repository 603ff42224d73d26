import type { Bound, Row } from '@rowkey/codec'
import type { Adapter, PageSource, Query, ReadOptions, Table, TableSchema, TableStore } from '@rowkey/store'
import type { CursorSeal } from './cursor-seal.js'
import type { CallEvent, OnCall } from './call-event.js'
import type { RowMapper } from './rows/row-mapper.js'
import { RowkeyError, show } from '@rowkey/codec'
import { inTime, QueryRun, readCursor, resumePlan, writeCursor, type Cancellation } from '@rowkey/store'
import { cancellationOf } from './cancellation.js'
import { ignore } from './observer.js'
import type { AnyScanOptions } from './scan-options.js'

/** What a scan runs on. */
export interface ScanContext {
  /** Physical name of the table. */
  readonly name: string
  readonly schema: TableSchema
  readonly adapter: Adapter
  readonly mapper: RowMapper
  table(): Table | Promise<Table>
  forget(): void
  query(where: Readonly<Record<string, unknown>>, options: AnyScanOptions): Query
  /** Deletes the rows of these keys. @throws RowkeyError `WRITE_INCOMPLETE` */
  remove(keys: readonly Row[], cancellation: Cancellation | undefined): Promise<void>
  /** Epoch milliseconds. */
  clock(): number
  readonly onCall: OnCall | undefined
  readonly seal: CursorSeal
}

/** What an observer may look at while a scan runs and afterwards. */
export interface Watch {
  query?: Query
  run?: QueryRun
}

/** What is told of a scan besides how it went. */
export function readingOf({ query, run }: Watch): Pick<CallEvent, 'stats' | 'partitions'> {
  const partitions = query?.partitions
  return { ...(run === undefined ? {} : { stats: run.stats }), ...(partitions === undefined ? {} : { partitions }) }
}

/** A run in progress. */
export interface Running {
  readonly query: Query
  readonly run: QueryRun
  readonly toObject: (row: Row) => object
  readonly cancellation: Cancellation | undefined
  /** The cursor of a position; undefined = where this run began. */
  cursorAt(position: Bound | undefined): Promise<string>
}

/** Opens the table and starts to run a query, behind its cursor where it has one. Nothing is read yet. */
export async function startRun(
  context: ScanContext,
  query: Query,
  limit: number | undefined,
  options: AnyScanOptions,
  watch: Watch,
): Promise<Running> {
  const { cursor, maxExamined, prefetch } = options
  const { schema } = query
  watch.query = query
  const cancellation = cancellationOf(options, context.clock, 'scan', context.name)
  refuseAborted(cancellation)
  const resumed = cursor === undefined ? undefined : readCursor(schema, query, await context.seal.open(cursor))
  const plan = resumed === undefined ? query.plan : resumePlan(schema, query.plan, resumed, query.reverse)
  const { select, accept, toObject } = shapeOf(context.mapper, options)
  const store = await openStore(context, cancellation)
  const run = new QueryRun(schema, store, plan, {
    reverse: query.reverse,
    limit,
    read: readOptions(query, select, options, cancellation),
    clock: context.clock,
    ...(accept === undefined ? {} : { accept }),
    ...(maxExamined === undefined ? {} : { maxExamined }),
    ...(prefetch === undefined ? {} : { prefetch }),
  })
  watch.run = run
  return { query, run, toObject, cancellation, cursorAt: (position) => context.seal.close(writeCursor(schema, query, position ?? resumed)) }
}

/** A deadline that has passed is no refusal: a page that could read nothing still has a cursor. */
export function refuseAborted(cancellation: Cancellation | undefined): void {
  if (cancellation?.isOver === true && !cancellation.isLate) throw cancellation.reason
}

/** The table's reads. While it is being opened, an abort is heard and a deadline ends the wait: then nothing is read any more. */
export async function openStore(context: ScanContext, cancellation: Cancellation | undefined): Promise<TableStore> {
  const opened = context.table()
  if ('store' in opened) return opened.store
  try {
    return (await inTime(cancellation, opened)).store
  } catch (error) {
    if (cancellation?.isLate !== true) throw error
    return unopened
  }
}

/** Stands for a table whose opening took longer than the deadline; a run that is late asks for nothing. */
const unopened: TableStore = { get: () => [], scan: () => nothing, fullScan: () => nothing }
const nothing: PageSource = { next: () => undefined, close: () => undefined }

function readOptions(
  query: Query,
  select: readonly number[] | undefined,
  { consistency }: AnyScanOptions,
  cancellation: Cancellation | undefined,
): ReadOptions {
  return {
    consistency: consistency ?? 'strong',
    ...(select === undefined ? {} : { columns: neededColumns(query, select) }),
    ...(cancellation === undefined ? {} : { cancellation }),
  }
}

/** What the store has to return: the selected value columns, and those that are looked at after reading. */
function neededColumns({ schema, plan }: Query, select: readonly number[]): readonly number[] {
  const filtered = plan.kind === 'empty' ? [] : plan.residual.map(({ column }) => column)
  const needed = new Set([...select, ...filtered, schema.expiryAt])
  return [...needed].filter((column) => column >= schema.keyLength).sort((a, b) => a - b)
}

/** How rows become objects, and the caller's filter over them. */
export interface Shape {
  readonly select?: readonly number[]
  readonly accept?: (row: Row) => boolean
  readonly toObject: (row: Row) => object
}

/** What a scan's `select` and `filter` make of rows. */
export function shapeOf(mapper: RowMapper, { select: names, filter }: Pick<AnyScanOptions, 'select' | 'filter'>): Shape {
  const select = names === undefined ? undefined : mapper.positionsOf(names.map(String))
  const build = select === undefined ? (row: Row) => mapper.toObject(row) : (row: Row) => mapper.pick(row, select)
  if (filter === undefined) return select === undefined ? { toObject: build } : { select, toObject: build }
  // The filter sees the object that is then returned, so it is built once.
  const built = new WeakMap<Row, object>()
  const accept = (row: Row): boolean => {
    const object = build(row)
    const accepted: unknown = filter(object as never)
    if (typeof accepted === 'object' && accepted !== null) {
      ignore(accepted)
      const message = `filter gave ${show(accepted)}. Return true or false; it cannot be async.`
      throw new RowkeyError('INVALID_OPTION', message, { option: 'filter', value: show(accepted) })
    }
    if (accepted) built.set(row, object)
    return Boolean(accepted)
  }
  return { ...(select === undefined ? {} : { select }), accept, toObject: (row) => built.get(row) ?? build(row) }
}
