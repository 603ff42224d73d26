// Tested by scan.test.ts and caps.test.ts.
import { type Row, RowkeyError } from '#codec'
import type { QueryStats, Stop } from '#store'
import type { Cancellation } from '#store/adapter'
import type { Batch, Run } from '#store/engine'
import { counted, show } from '#codec/internal'
import { isRowkeyError, mapperError } from '../call/errors.js'
import { ignore } from '../call/observer.js'
import type { RowMapper } from '../rows/row-mapper.js'
import { mustExpire } from '../rows/row-expiry.js'
import type { AnyScanOptions } from './scan-options.js'

/** A scan that has started: its run, and how rows become objects. */
export interface Started<P> {
  readonly run: Run<P>
  readonly cancellation: Cancellation | undefined
  /** How many rows came before it; only those of a scan with a limit are counted. */
  readonly rowsBefore?: number
  toObject(row: Row): object
  /** The cursor or checkpoint with which a later call continues after `rows` rows; undefined = where this one started. */
  cursorAt(position: P | undefined, rows: number): Promise<string>
}

/** How far a reading is. */
interface Place<P> {
  readonly position: P | undefined
  /** How many rows were returned up to there. */
  readonly rows: number
}

/** What a reading reads. */
export interface ReadingOptions<P, S extends Started<P> = Started<P>> {
  /** Its name in messages: `scan of 'orders'`. */
  readonly what: string
  readonly table: string
  /** What a caller can do if the scan did not finish. */
  readonly remedy: string
  /** How many rows are read at a time. */
  readonly batchRows: number
  readonly start: () => Promise<S>
}

/**
 * One reading of a scan or of a whole table. `take()` stops at a cap, as a page does. `next()` is for callers who want all rows, so there a
 * cap is an error: no result may be silently incomplete.
 */
export class Reading<P, S extends Started<P> = Started<P>> {
  private readonly of: ReadingOptions<P, S>
  private readonly options: AnyScanOptions
  private started: S | undefined
  private readonly limit: number
  private stop: Stop = 'limit'
  private at: Place<P> = { position: undefined, rows: 0 }
  /** The place before the last rows: a caller who continues there gets them again. */
  private before: Place<P> = this.at
  private closed = false

  constructor(of: ReadingOptions<P, S>, options: AnyScanOptions) {
    this.of = of
    this.options = options
    this.limit = options.limit ?? Infinity
  }

  /** undefined before it has started. */
  get stats(): QueryStats | undefined {
    return this.started?.run.stats
  }

  /** When the caller stops waiting. */
  get cancellation(): Cancellation | undefined {
    return this.started?.cancellation
  }

  /** Up to `max` rows, as soon as there are `least`, and why they end. A closed reading returns nothing. */
  async take(max: number, least: number): Promise<Batch<P>> {
    const { run } = await this.begin()
    const batch = await run.take(max, least)
    this.before = this.at
    this.at = { position: batch.position, rows: this.at.rows + batch.rows.length }
    return batch
  }

  /** The next rows; none = the end. @throws RowkeyError `EXAMINED_LIMIT`, `DEADLINE`, and what reading throws */
  async next(): Promise<readonly Row[]> {
    await this.begin() // a refusal comes before anything that the options request
    while (this.at.rows < this.limit && this.stop === 'limit') {
      const { rows, stop } = await this.take(Math.min(this.limit - this.at.rows, this.of.batchRows), 1)
      this.stop = stop
      if (rows.length > 0) return rows
    }
    if (this.at.rows < this.limit) await this.refuseCap(this.stop, this.at)
    return []
  }

  /** Uses all rows, some at a time, and closes. @throws as `next()`, and what `use` throws */
  async each(use: (rows: readonly Row[]) => unknown): Promise<void> {
    try {
      for (let rows = await this.next(); rows.length > 0; rows = await this.next()) await use(rows)
    } finally {
      this.close()
    }
  }

  /** How many rows there are; reads them all, and closes. @throws as `next()` */
  async count(): Promise<number> {
    let count = 0
    await this.each((rows) => (count += rows.length))
    return count
  }

  /** The next page, which may be empty; undefined = the end. @throws RowkeyError `DEADLINE`, and what reading throws */
  async nextPage(): Promise<Batch<P> | undefined> {
    const batch = await this.take(this.of.batchRows, 0)
    await this.refuseCap(batch.stop, this.at)
    return batch.stop === 'exhausted' ? undefined : batch
  }

  /** Waits for a use of rows that `next()` has returned. @throws RowkeyError `DEADLINE` with a cursor before these rows */
  async used<T>(use: Promise<T>): Promise<T> {
    try {
      return await use
    } catch (error) {
      if (isRowkeyError(error, 'DEADLINE')) await this.refuseCap('time', this.before, error)
      throw error
    }
  }

  /** For rows that this reading has returned. */
  toObject(row: Row): object {
    return (this.started as Started<P>).toObject(row)
  }

  /** For positions of this reading, after so many rows. */
  cursorAt(position: P | undefined, rows: number): Promise<string> {
    return (this.started as Started<P>).cursorAt(position, rows)
  }

  close(): void {
    this.closed = true
    this.started?.run.close()
  }

  /** Starts it, at the first call. Nothing is read yet. */
  async begin(): Promise<S> {
    if (this.started === undefined) {
      const started = await this.of.start()
      if (this.started === undefined) this.before = this.at = { position: undefined, rows: started.rowsBefore ?? 0 }
      this.started ??= started
    }
    if (this.closed) this.started.run.close() // closed while it was starting
    return this.started
  }

  /** @throws RowkeyError `EXAMINED_LIMIT`, `DEADLINE` */
  private async refuseCap(stop: Stop, { position, rows }: Place<P>, cause?: unknown): Promise<void> {
    if (stop !== 'examined' && stop !== 'time') return
    const { what, table, remedy } = this.of
    const cursor = await this.cursorAt(position, rows)
    if (stop === 'examined') {
      const examined = this.stats?.examined ?? 0
      const { maxExamined = 0 } = this.options
      const message = `the ${what} examined ${counted(examined, 'row')} and did not finish, and maxExamined is ${maxExamined}. ${remedy}`
      throw mapperError('EXAMINED_LIMIT', message, { table, examined, maxExamined, cursor })
    }
    const { deadline = 0 } = this.cancellation ?? {}
    const message = `the ${what} did not finish before its deadline (${new Date(deadline).toISOString()}). ${remedy}`
    throw mapperError('DEADLINE', message, { table, deadline, cursor }, cause === undefined ? {} : { cause })
  }
}

/** How rows become objects, and the caller's filter over them. */
export interface Shape {
  /** Positions of the selected columns; undefined = all. */
  readonly select: readonly number[] | undefined
  readonly accept: ((row: Row) => boolean) | undefined
  readonly toObject: (row: Row) => object
}

/** Refuses columns that do not exist before anything is read or deleted, also for calls that return no rows. @throws RowkeyError `UNKNOWN_COLUMN` */
export function checkSelect(mapper: RowMapper, { select, withExpiry }: Pick<AnyScanOptions, 'select' | 'withExpiry'>): void {
  if (select !== undefined) mapper.positionsOf(select)
  if (withExpiry === true) mustExpire(mapper)
}

/** What a scan's `select` and `filter` make of rows. @throws RowkeyError `UNKNOWN_COLUMN` */
export function shapeOf(
  mapper: RowMapper,
  { select: names, filter, withExpiry = false }: Pick<AnyScanOptions, 'select' | 'filter' | 'withExpiry'>,
): Shape {
  const named = names === undefined ? undefined : mapper.positionsOf(names)
  const select = named !== undefined && withExpiry ? [...named, mapper.schema.expiryIndex] : named
  const whole = withExpiry ? mapper.toExpiring : mapper.toObject
  const build = select === undefined ? whole : (row: Row) => mapper.pick(row, select)
  if (filter === undefined) return { select, accept: undefined, toObject: build }
  // The filter sees the object that is then returned, so it is built once.
  const built = new WeakMap<Row, object>()
  const accept = (row: Row): boolean => {
    const object = build(row)
    const accepted: unknown = filter(object as never)
    if (typeof accepted === 'object' && accepted !== null) {
      ignore(accepted)
      const what = 'then' in accepted ? 'a promise' : show(accepted)
      const message = `filter returned ${what}. Return true or false; it cannot be async.`
      throw new RowkeyError('INVALID_OPTION', message, { option: 'filter', value: show(accepted) })
    }
    if (accepted) built.set(row, object)
    return Boolean(accepted)
  }
  return { select, accept, toObject: (row) => built.get(row) ?? build(row) }
}

/** Value columns the store has to return: the selected ones, and those that are checked after reading. */
export function columnsToRead(keyLength: number, select: readonly number[], alsoNeeded: readonly number[]): readonly number[] {
  return [...new Set([...select, ...alsoNeeded])].filter((column) => column >= keyLength).sort((a, b) => a - b)
}

/** Options without value columns, for calls that need no values. With a filter all columns stay, because it may look at any. */
export function withoutValues<T extends Pick<AnyScanOptions, 'select' | 'filter'>>(options: T): T {
  return options.filter === undefined ? { ...options, select: [] } : options
}
