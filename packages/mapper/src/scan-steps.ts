import type { Bound, Row } from '@rowkey/codec'
import type { Query, Stop } from '@rowkey/store'
import type { AnyScanOptions } from './scan-options.js'
import { isRowkeyError, mapperError } from './errors.js'
import { startRun, type Running, type ScanContext, type Watch } from './scan-run.js'

const batchRows = 256

/** All rows of a run up to its limit, some at a time: as soon as there is one. A cap is an error here, for nothing may end short. */
export class ScanSteps {
  private readonly context: ScanContext
  private readonly query: () => Query
  private readonly options: AnyScanOptions
  private readonly watch: Watch
  private running: Running | undefined
  private left: number
  private stop: Stop = 'limit'
  private position: Bound | undefined
  /** Where the last rows begin: whoever goes on there gets them again. */
  private before: Bound | undefined
  private closed = false

  constructor(context: ScanContext, query: () => Query, options: AnyScanOptions, watch: Watch) {
    this.context = context
    this.query = query
    this.options = options
    this.watch = watch
    this.left = options.limit ?? Infinity
  }

  /** No rows = the end. @throws RowkeyError `EXAMINED_LIMIT`, `DEADLINE`, and what reading throws */
  async next(): Promise<readonly Row[]> {
    this.running ??= await startRun(this.context, this.query(), this.options.limit, this.options, this.watch)
    const { run } = this.running
    if (this.closed) run.close()
    while (this.left > 0 && this.stop === 'limit' && !this.closed) {
      const { rows, stop, position } = await run.take(Math.min(this.left, batchRows), 1)
      this.stop = stop
      this.before = this.position
      this.position = position
      this.left -= rows.length
      if (rows.length > 0) return rows
    }
    if (this.left > 0 && !this.closed && (this.stop === 'examined' || this.stop === 'time')) {
      throw await this.capped(this.running, this.stop, this.position)
    }
    return []
  }

  /** Deletes rows that `next()` gave. @throws RowkeyError `WRITE_INCOMPLETE`, `DEADLINE` with a cursor before these rows */
  async remove(rows: readonly Row[]): Promise<void> {
    const running = this.running as Running
    try {
      await this.context.remove(rows, running.cancellation)
    } catch (error) {
      throw isRowkeyError(error, 'DEADLINE') ? await this.capped(running, 'time', this.before, error) : error
    }
  }

  /** Only of rows that `next()` gave. */
  toObject(row: Row): object {
    return (this.running as Running).toObject(row)
  }

  close(): void {
    this.closed = true
    this.running?.run.close()
  }

  private async capped(
    { cursorAt, query, run }: Running,
    stop: 'examined' | 'time',
    position: Bound | undefined,
    cause?: unknown,
  ): Promise<Error> {
    const table = query.schema.name
    const cursor = await cursorAt(position)
    const { examined } = run.stats
    const goOn = 'Go on behind details.cursor, or use page(), which stops with what it has instead.'
    if (stop === 'examined') {
      const { maxExamined = 0 } = this.options
      const message = `the scan of '${table}' examined ${examined} row${examined === 1 ? '' : 's'} without coming to its end, and maxExamined is ${maxExamined}. ${goOn}`
      return mapperError('EXAMINED_LIMIT', message, { table, examined, maxExamined, cursor })
    }
    const deadline = Number(this.options.deadline)
    const message = `the scan of '${table}' did not come to its end before its deadline (${new Date(deadline).toISOString()}). ${goOn}`
    return mapperError('DEADLINE', message, { table, deadline, cursor }, cause === undefined ? {} : { cause })
  }
}
