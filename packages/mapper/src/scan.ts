import type { Row } from '@rowkey/codec'
import type { Query, ReadOptions, Table } from '@rowkey/store'
import type { CursorSeal } from './cursor-seal.js'
import type { RowMapper } from './rows/row-mapper.js'
import type { Scan, ScanPage } from './scan-types.js'
import { isRowkeyError, RowkeyError, show } from '@rowkey/codec'
import { compileQuery, explain, QueryRun, readCursor, resumePlan, writeCursor, type Explanation } from '@rowkey/store'
import { checkScanOptions, type AnyScanOptions } from './scan-options.js'
import { forgettingLostTable } from './forget-lost-table.js'
import { observed, stopwatch, type OnCall } from './call-event.js'

/** What a scan runs on. */
export interface ScanContext {
  /** Physical name of the table. */
  readonly name: string
  readonly mapper: RowMapper
  table(): Table | Promise<Table>
  forget(): void
  query(where: Readonly<Record<string, unknown>>, options: AnyScanOptions): Query
  readonly onCall: OnCall | undefined
  readonly seal: CursorSeal
}

const defaultPage = 100
const batchRows = 256

/** What an observer may look at while a scan runs and afterwards. */
interface Watch {
  run?: QueryRun
}

/** A run in progress. */
interface Running {
  readonly query: Query
  readonly run: QueryRun
  readonly toObject: (row: Row) => object
}

/** @internal */
export class RepositoryScan implements Scan<object> {
  private readonly context: ScanContext
  private readonly query: () => Query
  private readonly options: AnyScanOptions

  /** Takes predicate and options as they are now: what the caller does with the objects later plays no part. */
  constructor(context: ScanContext, where: Readonly<Record<string, unknown>>, options: AnyScanOptions) {
    this.context = context
    this.options = {
      ...options,
      ...(Array.isArray((options as AnyScanOptions | null)?.select) ? { select: [...(options.select as readonly PropertyKey[])] } : {}),
    }
    this.query = compiled(() => {
      checkScanOptions(options)
      return context.query(where, options)
    })
  }

  page(): Promise<ScanPage<object>> {
    const run = async (watch: Watch): Promise<ScanPage<object>> => {
      const limit = this.options.limit ?? defaultPage
      const { query, run, toObject } = await this.start(limit, this.options, watch)
      const { rows, last, exhausted } = await run.take(limit)
      run.close()
      const page = { rows: rows.map(toObject), stop: exhausted ? ('exhausted' as const) : ('limit' as const), stats: run.stats }
      if (exhausted || last === undefined) return page
      return { ...page, cursor: await this.context.seal.close(writeCursor(query.schema, query, last)) }
    }
    return this.observed('scan.page', run, (page) => page.rows.length)
  }

  toArray(): Promise<object[]> {
    const run = async (watch: Watch): Promise<object[]> => {
      const all: object[] = []
      for await (const batch of this.batches(this.options, watch)) for (const object of batch) all.push(object)
      return all
    }
    return this.observed('scan.toArray', run, (rows) => rows.length)
  }

  count(): Promise<number> {
    const run = async (watch: Watch): Promise<number> => {
      let count = 0
      const narrow = this.options.filter === undefined ? { ...this.options, select: [] } : this.options
      for await (const batch of this.batches(narrow, watch)) count += batch.length
      return count
    }
    return this.observed('scan.count', run, (count) => count)
  }

  explain(): Explanation {
    return explain(this.query(), this.options.filter !== undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<object, void, undefined> {
    const { onCall, name } = this.context
    const watch: Watch = {}
    const report =
      onCall === undefined ? undefined : stopwatch(onCall, { table: name, method: 'scan.iterate', stats: () => watch.run?.stats })
    let rows = 0
    let end = {}
    try {
      for await (const batch of this.batches(this.options, watch)) {
        for (const object of batch) {
          rows++
          yield object
        }
      }
    } catch (error) {
      end = { error }
      if (isRowkeyError(error, 'TABLE_MISSING')) this.context.forget()
      throw error
    } finally {
      report?.(rows, end)
    }
  }

  private async *batches(options: AnyScanOptions, watch: Watch): AsyncGenerator<readonly object[], void, undefined> {
    const limit = this.options.limit
    const { run, toObject } = await this.start(limit, options, watch)
    let left = limit ?? Infinity
    try {
      while (left > 0) {
        const { rows, exhausted } = await run.take(Math.min(left, batchRows))
        left -= rows.length
        if (rows.length > 0) yield rows.map(toObject)
        if (exhausted) return
      }
    } finally {
      run.close()
    }
  }

  private async start(limit: number | undefined, options: AnyScanOptions, watch: Watch): Promise<Running> {
    const query = this.query() // refuses what is no signal, too
    options.signal?.throwIfAborted()
    const { cursor } = options
    const resumed = cursor === undefined ? undefined : readCursor(query.schema, query, await this.context.seal.open(cursor))
    const plan = resumed === undefined ? query.plan : resumePlan(query.schema, query.plan, resumed, query.reverse)
    const { select, accept, toObject } = this.shape(options)
    const read: ReadOptions = {
      consistency: options.consistency ?? 'strong',
      ...(select === undefined ? {} : { columns: neededColumns(query, select) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    }
    const { store } = await this.context.table()
    const run = new QueryRun(query.schema, store, plan, {
      reverse: query.reverse,
      limit,
      read,
      ...(accept === undefined ? {} : { accept }),
    })
    watch.run = run
    return { query, run, toObject }
  }

  /** How rows become objects, and the caller's filter over them. */
  private shape({ select: names, filter }: AnyScanOptions): {
    select?: readonly number[]
    accept?: (row: Row) => boolean
    toObject: (row: Row) => object
  } {
    const { mapper } = this.context
    const select = names === undefined ? undefined : mapper.positionsOf(names.map(String))
    const build = select === undefined ? (row: Row) => mapper.toObject(row) : (row: Row) => mapper.pick(row, select)
    if (filter === undefined) return select === undefined ? { toObject: build } : { select, toObject: build }
    // The filter sees the object that is then returned, so it is built once.
    const built = new WeakMap<Row, object>()
    const accept = (row: Row): boolean => {
      const object = build(row)
      const accepted: unknown = filter(object as never)
      if (typeof accepted === 'object' && accepted !== null) {
        const message = `filter gave ${show(accepted)}. Return true or false; it cannot be async.`
        throw new RowkeyError('INVALID_OPTION', message, { option: 'filter', value: show(accepted) })
      }
      if (accepted) built.set(row, object)
      return Boolean(accepted)
    }
    return { ...(select === undefined ? {} : { select }), accept, toObject: (row) => built.get(row) ?? build(row) }
  }

  private observed<T>(method: string, run: (watch: Watch) => Promise<T>, rows: (result: T) => number): Promise<T> {
    const { onCall, name } = this.context
    const watch: Watch = {}
    return observed(onCall, { table: name, method, rows, stats: () => watch.run?.stats }, () =>
      forgettingLostTable(this.context, () => run(watch)),
    )
  }
}

/** Compiles at once; a refusal waits for whoever asks, because making a scan never throws. */
function compiled(compile: () => Query): () => Query {
  try {
    const query = compile()
    return () => query
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** What the store has to return: the selected value columns, and those that are filtered after reading. */
function neededColumns({ schema, plan }: Query, select: readonly number[]): readonly number[] {
  const filtered = plan.kind === 'empty' ? [] : plan.residual.map(({ column }) => column)
  return [...new Set([...select, ...filtered])].filter((column) => column >= schema.keyLength).sort((a, b) => a - b)
}

/** Compiles queries of one table for one adapter. */
export function queryCompiler(
  table: { readonly schema: Query['schema'] },
  adapter: { readonly name: string; readonly capabilities: { readonly reverse: boolean } },
): ScanContext['query'] {
  return (where, { reverse, order, maxRanges, maxFanOut, allowFullScan }) => {
    const query = compileQuery(table.schema, where, {
      ...(reverse === undefined ? {} : { reverse }),
      ...(order === undefined ? {} : { order }),
      ...(maxRanges === undefined ? {} : { maxRanges }),
      ...(maxFanOut === undefined ? {} : { maxFanOut }),
      ...(allowFullScan === undefined ? {} : { allowFullScan }),
    })
    if (query.reverse && query.plan.kind === 'scan' && !adapter.capabilities.reverse) {
      const { name } = table.schema
      throw new RowkeyError(
        'STORE_LACKS',
        `${adapter.name} cannot scan '${name}' backwards. Turn the key column with desc(), or sort in code.`,
        { table: name, capability: 'reverse', adapter: adapter.name },
      )
    }
    return query
  }
}
