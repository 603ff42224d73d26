import type { Row } from '@rowkey/codec'
import type { Cancellation, ReadOptions } from '@rowkey/store'
import type { FullScan, FullScanPage } from './full-scan-types.js'
import { isRowkeyError } from '@rowkey/codec'
import { FullRun, readCheckpoint, writeCheckpoint } from '@rowkey/store'
import { observed, stopwatch, type CallEvent } from './call-event.js'
import { mapperError } from './errors.js'
import { FeedIterator } from './feed-iterator.js'
import { forgettingLostTable } from './forget-lost-table.js'
import { checkFullScanOptions, type AnyScanOptions } from './scan-options.js'
import { cancellationOf } from './cancellation.js'
import { openStore, refuseAborted, shapeOf, type ScanContext } from './scan-run.js'

/** The options of a full scan as the implementation sees them. */
export type AnyFullScanOptions = Pick<AnyScanOptions, 'select' | 'filter' | 'consistency' | 'signal' | 'deadline'> & {
  readonly checkpoint?: string | undefined
}

/** Some rows and where they end. */
interface Part {
  readonly rows: readonly Row[]
  readonly checkpoint: string
}

/** @internal */
export class RepositoryFullScan implements FullScan<object> {
  private readonly context: ScanContext
  private readonly options: AnyFullScanOptions

  /** Takes the options as they are now. */
  constructor(context: ScanContext, options: AnyFullScanOptions) {
    this.context = context
    // What is no object is refused when the scan is used, as all else.
    this.options = typeof options === 'object' && (options as object | null) !== null ? { ...options } : options
  }

  pages(): FeedIterator<Part, FullScanPage<object>> {
    const reading = new Reading(this.context, this.options)
    return this.iterator(
      'fullScan.pages',
      reading,
      () => reading.nextPart(),
      ({ rows, checkpoint }) => ({
        rows: rows.map((row) => reading.toObject(row)),
        checkpoint,
        stats: reading.stats as FullScanPage<object>['stats'],
      }),
    )
  }

  [Symbol.asyncIterator](): FeedIterator<Row, object> {
    const reading = new Reading(this.context, this.options)
    return this.iterator(
      'fullScan.iterate',
      reading,
      () => reading.nextRows(),
      (row) => {
        this.options.signal?.throwIfAborted() // rows may be here already
        return reading.toObject(row)
      },
    )
  }

  count(): Promise<number> {
    const { name, onCall } = this.context
    const reading = new Reading(this.context, this.options, true)
    const run = async (): Promise<number> => {
      let count = 0
      try {
        for (let part = await reading.next(); part !== undefined; part = await reading.next()) count += part.rows.length
      } finally {
        reading.close()
      }
      return count
    }
    return observed(onCall, { table: name, method: 'fullScan.count', rows: Number, reading: () => reading.told }, () =>
      forgettingLostTable(this.context, run),
    )
  }

  private iterator<T, R>(method: string, reading: Reading, next: () => Promise<readonly T[]>, give: (item: T) => R): FeedIterator<T, R> {
    const { name, onCall } = this.context
    const report = onCall === undefined ? undefined : stopwatch(onCall, { table: name, method, reading: () => reading.told })
    return new FeedIterator({
      next,
      give,
      close: (given, end) => {
        reading.close()
        if (isRowkeyError(end.error, 'TABLE_MISSING')) this.context.forget()
        report?.(given, end)
      },
    })
  }
}

/** One reading of the table. */
class Reading {
  private readonly context: ScanContext
  private readonly options: AnyFullScanOptions
  private readonly counting: boolean
  private run: FullRun | undefined
  private closed = false
  private checkpoint: string | undefined
  toObject: (row: Row) => object = () => ({})

  /** @param counting only the number of rows is wanted, so value columns are not, unless a filter looks at them */
  constructor(context: ScanContext, options: AnyFullScanOptions, counting = false) {
    this.context = context
    this.options = options
    this.counting = counting
  }

  get stats(): FullRun['stats'] | undefined {
    return this.run?.stats
  }

  /** What is told of it besides how it went. */
  get told(): Pick<CallEvent, 'stats'> {
    const { stats } = this
    return stats === undefined ? {} : { stats }
  }

  async nextPart(): Promise<readonly Part[]> {
    const part = await this.next()
    return part === undefined ? [] : [part]
  }

  async nextRows(): Promise<readonly Row[]> {
    for (let part = await this.next(); part !== undefined; part = await this.next()) if (part.rows.length > 0) return part.rows
    return []
  }

  /** @throws RowkeyError `DEADLINE`, and what reading throws */
  async next(): Promise<Part | undefined> {
    this.run ??= await this.start()
    if (this.closed) {
      this.run.close()
      return undefined
    }
    const batch = await this.run.take()
    if (batch === undefined) return undefined
    const { adapter, schema, seal } = this.context
    if (batch === 'time') throw await this.late()
    this.checkpoint = await seal.close(writeCheckpoint(schema, adapter.name, batch.checkpoint))
    return { rows: batch.rows, checkpoint: this.checkpoint }
  }

  close(): void {
    this.closed = true
    this.run?.close()
  }

  private async start(): Promise<FullRun> {
    checkFullScanOptions(this.options)
    const { context } = this
    const options = this.counting && this.options.filter === undefined ? { ...this.options, select: [] } : this.options
    const { schema, adapter } = context
    const cancellation = cancellationOf(options, context.clock, 'fullScan', context.name)
    refuseAborted(cancellation)
    const given = options.checkpoint
    const native = given === undefined ? '' : readCheckpoint(schema, adapter.name, await context.seal.open(given))
    this.checkpoint = given
    const { select, accept, toObject } = shapeOf(context.mapper, options)
    this.toObject = toObject
    const store = await openStore(context, cancellation)
    const read = fullReadOptions(schema, select, options, cancellation)
    const checkpoint = native === '' ? undefined : native
    return new FullRun(schema, store, {
      read,
      clock: context.clock,
      checkpoint,
      ...(accept === undefined ? {} : { accept }),
    })
  }

  private async late(): Promise<Error> {
    const { schema, adapter, seal } = this.context
    const table = this.context.name
    const deadline = Number(this.options.deadline)
    const message =
      `the full scan of '${table}' did not come to its end before its deadline (${new Date(deadline).toISOString()}). ` +
      'Go on with the checkpoint in details.cursor, or give it more time.'
    return mapperError('DEADLINE', message, {
      table,
      deadline,
      cursor: this.checkpoint ?? (await seal.close(writeCheckpoint(schema, adapter.name, ''))),
    })
  }
}

function fullReadOptions(
  { keyLength, expiryAt }: ScanContext['schema'],
  select: readonly number[] | undefined,
  { consistency }: AnyFullScanOptions,
  cancellation: Cancellation | undefined,
): ReadOptions {
  const columns = select?.concat(expiryAt).filter((column, i, all) => column >= keyLength && all.indexOf(column) === i)
  return {
    consistency: consistency ?? 'strong',
    ...(columns === undefined ? {} : { columns: columns.sort((a, b) => a - b) }),
    ...(cancellation === undefined ? {} : { cancellation }),
  }
}
