import { type Bound, type Row, RowkeyError } from '#codec'
import type { TableIndex } from '#model'
import { compileQuery, explain, type Explanation, type QueryStats } from '#store'
import type { Cancellation, Partition, Slice } from '#store/adapter'
import { compileIndexQuery, explainIndex, indexNamed, pushable, type Plan, type Position, withIndexHint, writeCursor } from '#store/engine'
import type { Scan, ScanPage } from './scan-types.js'
import type { ScanDetails } from '../call/calls.js'
import { hasLimit, inMapperTime } from '../call/cancellation.js'
import { mapperError } from '../call/errors.js'
import { partitions, type PartitionsOptions } from '../partitions.js'
import type { Requirements } from '../rows/requirements.js'
import { withRowKeyHint } from '../rows/row-key-hint.js'
import type { TableHandle } from '../table/table-handle.js'
import { FeedIterator } from './feed-iterator.js'
import { checkSelect, Reading, shapeOf, withoutValues } from './reading.js'
import {
  checkDeleteOptions,
  checkPageOptions,
  checkScanOptions,
  type AnyDeleteOptions,
  type AnyPageOptions,
  type AnyScanOptions,
} from './scan-options.js'
import { noOptions } from '../write/write-options.js'
import { isCovered, startScan, type ScanQuery, type StartedScan, type Use } from './started-scan.js'

const defaultPage = 100
const batchRows = 256

/** Deletes rows that still meet a scan, and returns how many. @throws RowkeyError `WRITE_INCOMPLETE` */
export type RemoveRows = (rows: readonly Row[], requires: Requirements, cancellation: Cancellation | undefined) => Promise<number>

/** @internal */
export class RepositoryScan implements Scan<object> {
  private readonly handle: TableHandle
  private readonly removeRows: RemoveRows
  private readonly options: AnyScanOptions
  private readonly compiled: ScanQuery | { readonly refusal: unknown }

  /** Copies predicate and options as they are now, so later changes of these objects have no effect. */
  constructor(handle: TableHandle, removeRows: RemoveRows, where: Readonly<Record<string, unknown>>, options: AnyScanOptions) {
    this.handle = handle
    this.removeRows = removeRows
    this.options = {} // until they are checked: a text in place of options would be copied character by character
    // It is compiled now, but creating a scan never throws: a refusal is thrown when the scan is used.
    try {
      checkScanOptions(options)
      this.options = options.select === undefined ? { ...options } : { ...options, select: [...options.select] }
      checkSelect(handle.rows, options)
      this.compiled = queryOf(handle, where, options)
    } catch (refusal) {
      this.compiled = { refusal: withRowKeyHint(handle.rows, refusal) }
    }
  }

  page(options: AnyPageOptions = {}): Promise<ScanPage<object>> {
    const rowsOf = (page: ScanPage<object>): number => page.rows.length
    const scanOptions = this.inTime(this.options)
    let scan: StartedScan | undefined
    const run = async (): Promise<ScanPage<object>> => {
      const query = this.query()
      checkPageOptions(options)
      const { size = defaultPage, cursor } = options
      scan = await startScan(this.handle, query, scanOptions, { size, cursor })
      const page = await scan.page(size)
      // Only a limit of its own makes a page shorter: nobody would expect that of the mapper's.
      if (page.stop === 'time' && !hasLimit(this.options)) throw await this.latePage(scan, cursor)
      return page
    }
    return this.handle.calls.run('scan.page', rowsOf, run, () => this.details(scan?.run.stats))
  }

  async cursorOf(row: Readonly<Record<string, unknown>>): Promise<string> {
    const { query, by } = this.query()
    const { schema, rows, mapper } = this.keyed()
    const prefix = by === undefined ? rows.toKey(row) : entryPrefixIn(row, this.keyed(), by.index)
    const bound: Bound = { prefix, edge: query.reverse ? 'before' : 'after' }
    return mapper.seal.sign(writeCursor(schema, query, bound))
  }

  toArray(): Promise<object[]> {
    const rowsOf = (all: object[]): number => all.length
    return this.read('scan.toArray', rowsOf, this.inTime(this.options), async (reading) => {
      const all: object[] = []
      await reading.each((rows) => {
        for (const row of rows) all.push(reading.toObject(row))
      })
      return all
    })
  }

  count(): Promise<number> {
    return this.read('scan.count', Number, this.inTime(withoutValues(this.options)), (reading) => reading.count())
  }

  deleteAll(options: AnyDeleteOptions = {}): Promise<number> {
    const reading = this.reading(
      this.options,
      { removes: true, cursor: (options as AnyDeleteOptions | null)?.cursor },
      goOnWith('deleteAll'),
    )
    const remove = async (): Promise<number> => {
      checkDeleteOptions(options)
      const { requires, cancellation } = await reading.begin()
      let count = 0
      await reading.each(async (rows) => {
        count += await reading.used(this.removeRows(rows, requires, cancellation))
      })
      return count
    }
    return this.handle.calls.run('scan.deleteAll', Number, remove, () => this.details(reading.stats))
  }

  explain(): Explanation {
    const { query, by } = this.query()
    const { schema, rows } = this.handle
    const { filter, limit } = this.options
    if (by === undefined) return explain(query, filter !== undefined, limit)
    return explainIndex(schema, by, isCovered(schema, by, shapeOf(rows, this.options).select), filter !== undefined, limit)
  }

  async partitions(options: PartitionsOptions = noOptions): Promise<readonly Partition[]> {
    const { mapper, schema } = this.keyed()
    return partitions(mapper, schema, options, slicesOf(schema, this.query().query.plan))
  }

  [Symbol.asyncIterator](): FeedIterator<Row, object> {
    const reading = this.reading(this.options, {}, goOnWith('page'))
    const report = this.handle.calls.begin('scan.iterate', () => this.details(reading.stats))
    return new FeedIterator<Row, object>({
      next: () => reading.next(),
      give: (row) => {
        this.options.signal?.throwIfAborted() // rows may already be in memory
        return reading.toObject(row)
      },
      close: (rows, end) => {
        reading.close()
        report(rows, end)
      },
    })
  }

  /** @throws the refusal of the query */
  private query(): ScanQuery {
    if ('refusal' in this.compiled) throw this.compiled.refusal
    return this.compiled
  }

  /** The table in whose order it reads: its own, or that of the index. @throws the refusal of the query */
  private keyed(): TableHandle {
    const { by } = this.query()
    return by === undefined ? this.handle : this.handle.entries(by.index)
  }

  private async latePage(scan: StartedScan, cursor: string | undefined): Promise<Error> {
    const { name: table } = this.handle
    const { deadline = 0 } = scan.cancellation ?? {}
    const message = `a page of '${table}' was not complete within the mapper's timeout (${new Date(deadline).toISOString()}). Allow more time; with a timeout of its own, page() returns what it has.`
    return mapperError('DEADLINE', message, { table, deadline, cursor: cursor ?? (await scan.cursorAt(undefined, 0)) })
  }

  private inTime(options: AnyScanOptions): AnyScanOptions {
    return inMapperTime(options, this.handle.mapper.timeout)
  }

  private read<T>(
    method: string,
    rows: (result: T) => number,
    options: AnyScanOptions,
    use: (reading: Reading<Position, StartedScan>) => Promise<T>,
  ): Promise<T> {
    const reading = this.reading(options, {}, startAgain)
    const run = (): Promise<T> => use(reading)
    return this.handle.calls.run(method, rows, run, () => this.details(reading.stats))
  }

  /** @param remedy what a caller can do if a cap ends it */
  private reading(options: AnyScanOptions, use: Use, remedy: string): Reading<Position, StartedScan> {
    const { name } = this.handle
    const start = async (): Promise<StartedScan> => startScan(this.handle, this.query(), options, use)
    return new Reading({ what: `scan of '${name}'`, table: name, remedy, batchRows, start }, options)
  }

  private details(stats: QueryStats | undefined): ScanDetails {
    const partitions = 'query' in this.compiled ? this.compiled.query.partitions : undefined
    return { ...(stats === undefined ? {} : { stats }), ...(partitions === undefined ? {} : { partitions }) }
  }
}

/** What a plan reads, as slices. */
function slicesOf(schema: TableHandle['schema'], plan: Plan): readonly Slice[] {
  const { layout } = schema
  if (plan.kind === 'empty') return []
  if (plan.kind === 'scan') {
    const filter = pushable(schema, plan.residual)
    return plan.streams.flatMap(({ bucket, ranges }) => ranges.map(({ from, to }) => ({ bucket, from, to, reverse: false, filter })))
  }
  return plan.keys.slice(0, plan.keys.length).map((key) => ({
    bucket: layout.bucketOf(key),
    from: { prefix: key, edge: 'before' },
    to: { prefix: key, edge: 'after' },
    reverse: false,
  }))
}

const goOnWith = (method: 'page' | 'deleteAll'): string => `Continue with ${method}({ cursor: details.cursor }), or allow more.`
/** What was read is returned at the end or never, so whoever continues with a cursor would miss it. */
const startAgain = 'Use page(), which returns what it has and a cursor, or allow more.'

/** @throws RowkeyError `NOT_SUPPORTED` for a reverse scan of a store without reverse scans, and the refusals of `compileQuery` */
function queryOf(
  { schema, mapper: { adapter } }: TableHandle,
  where: Readonly<Record<string, unknown>>,
  options: AnyScanOptions,
): ScanQuery {
  const found = compiledOf(schema, where, options)
  const { query } = found
  if (!query.reverse || query.plan.kind !== 'scan' || adapter.capabilities.reverse) return found
  throw new RowkeyError(
    'NOT_SUPPORTED',
    `${adapter.name} cannot scan '${schema.name}' backwards. Copy its rows with copyTable() into a table whose key columns have the other direction (desc()), or sort in code.`,
    { table: schema.name, capability: 'reverse', adapter: adapter.name },
  )
}

function compiledOf(schema: TableHandle['schema'], where: Readonly<Record<string, unknown>>, options: AnyScanOptions): ScanQuery {
  const { index } = options
  if (index === undefined) {
    try {
      return { query: compileQuery(schema, where, options) }
    } catch (refusal) {
      throw withIndexHint(schema, where, options, refusal)
    }
  }
  const found = indexNamed(schema, index)
  const by = compileIndexQuery(schema, found, where, { ...options, ...entryBounds(schema, found, options) })
  return { query: by.query, by }
}

/** A row as a bound is that of its entry. What lacks a part of the entry stays as it is, and is refused for what it names. */
function entryBounds(rows: TableHandle['schema'], { schema: entries, dayAt }: TableIndex, options: AnyScanOptions): AnyScanOptions {
  const key = entries.columns.slice(0, dayAt < 0 ? entries.keyLength : dayAt)
  const isRow = (bound: Readonly<Record<string, unknown>>): boolean =>
    key.every(({ name }) => bound[name] !== undefined) &&
    Object.keys(bound).every((name) => rows.columns.some((each) => each.name === name))
  return Object.fromEntries(
    (['from', 'after', 'to', 'before'] as const).flatMap((option) => {
      const bound = options[option] as Readonly<Record<string, unknown>> | null | undefined
      return bound !== null && typeof bound === 'object' && isRow(bound)
        ? [[option, Object.fromEntries(key.map(({ name }) => [name, bound[name]]))]]
        : []
    }),
  )
}

/** The key of the entry of a row that may have other columns, without the day at which it expires. */
function entryPrefixIn(row: Readonly<Record<string, unknown>>, { schema, rows }: TableHandle, { dayAt }: TableIndex): Row {
  const { columns, keyLength } = schema
  const key = columns.slice(0, keyLength).flatMap(({ name }) => (Object.hasOwn(row, name) ? [[name, row[name]] as const] : []))
  const day = columns[dayAt]?.name
  return day === undefined ? rows.toKey(Object.fromEntries(key)) : rows.toKey({ ...Object.fromEntries(key), [day]: 0 }).slice(0, -1)
}
