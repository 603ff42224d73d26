import { type Row, RowkeyError } from '#codec'
import type { Cancellation, ReadOptions } from '#store/adapter'
import { fullScanPage, readCheckpoint, type Run, runFullScan, writeCheckpoint } from '#store/engine'
import { counted, show } from '#codec/internal'
import { isRowkeyError, mapperError } from '../call/errors.js'
import { tell } from '../call/observer.js'
import { batchRows, RowWindows } from '../put-many/windows.js'
import { handleOf } from '../repository.js'
import type { TableHandle } from '../table/table-handle.js'
import { Collisions, type CopiedRow } from './collisions.js'
import { CopiedRows } from './copied-rows.js'
import { readCopyCheckpoint, writeCopyCheckpoint } from './copy-checkpoint.js'
import {
  checkCopyOptions,
  type AnyCopyOptions,
  type CopyOptions,
  type CopyResult,
  type CopySource,
  type CopyTarget,
} from './copy-options.js'
import { Pace } from './pace.js'
import { isSameTable } from './same-table.js'
import { verifyCopy } from './verify.js'

/**
 * Copies all rows of one table into another one: to another store, or to a table with another key, salt, number of buckets or other types of
 * columns. Then it reads both tables again and compares them, unless `verify` is false. Create the target first, with `ensureTables()`.
 *
 * It is a copy, not a migration: rows that are written to the source during the copy may or may not be copied, and rows that are deleted may
 * remain in the target. To have an exact copy, stop the writers of the source first, or repeat the copy with `overwrite` when they have stopped. Nobody
 * else may write to the target. The source is only read.
 *
 * A copy expires at the same instant as its row, and never if the row never does, whatever the ttl of the target. A source whose rows expire
 * cannot be copied into a table whose rows do not. A copy has a new version, because a version says how often a row was written. Columns that
 * the target does not have are refused; `map` leaves them out.
 *
 * Two rows of the source that become one row of the target are refused before the second one is written.
 *
 * Cost: one read of the whole source, one put for each row, and one read of each whole table for the verification. In memory are one page of
 * about 1,024 rows for each part that is read at a time, and one page that is written. For a row whose copy does not have all key columns of
 * the source in its key, with the same names and values, about 24 bytes remain in memory until the end.
 *
 * @throws RowkeyError `TABLE_NOT_EMPTY`, `COPY_COLLISION`, `COPY_MISMATCH`, `TTL_UNDECLARED`, `INVALID_OPTION`, `DEADLINE` with a checkpoint in
 * `details.cursor`, and what reads and writes throw. Rows of earlier pages are copied then: continue with the last checkpoint
 * @example
 * ```ts
 * const copied = await copyTable(old.repository(Orders), db.repository(OrdersBySeller), {
 *   map: ({ note, ...order }) => ({ ...order, comment: note }),
 *   checkpoint: saved,
 *   onProgress: ({ checkpoint }) => save(checkpoint),
 * })
 * copied.rows //=> 20000
 * ```
 */
export async function copyTable<From, To>(
  from: CopySource<From>,
  to: CopyTarget<To>,
  ...[options = {}]: [From] extends [To]
    ? [options?: CopyOptions<NoInfer<From>, NoInfer<To>>]
    : [options: CopyOptions<NoInfer<From>, NoInfer<To>> & Required<Pick<CopyOptions<NoInfer<From>, NoInfer<To>>, 'map'>>]
): Promise<CopyResult> {
  const given = options as AnyCopyOptions
  checkCopyOptions(given)
  const [source, target] = [tableOf('from', from), tableOf('to', to)]
  const rowsOf = ({ rows }: CopyResult): number => rows
  return source.calls.run('copyTable', rowsOf, () => new Copy(source, target, { ...given }).run())
}

/** @throws RowkeyError `INVALID_OPTION` */
function tableOf(name: string, repository: unknown): TableHandle {
  const handle = handleOf(repository)
  if (handle !== undefined) return handle
  const message = `copyTable() takes two repositories, and ${name} is ${show(repository)}. Pass what repository() returned.`
  throw new RowkeyError('INVALID_OPTION', message, { option: name, value: show(repository) })
}

class Copy {
  private readonly from: TableHandle
  private readonly to: TableHandle
  private readonly options: AnyCopyOptions
  private readonly copied: CopiedRows
  private readonly collisions: Collisions
  private readonly cancellation: Cancellation | undefined
  private readonly pace: Pace
  private rows = 0
  /** Of the read of the whole source: parts that are left; undefined = not begun. */
  private parts: readonly string[] | undefined

  constructor(from: TableHandle, to: TableHandle, options: AnyCopyOptions) {
    this.from = from
    this.to = to
    this.options = options
    this.copied = new CopiedRows(from, to, options.map)
    this.cancellation = from.cancellation(options, 'copyTable')
    this.collisions = new Collisions(from, to, this.copied, this.cancellation)
    this.pace = new Pace(options.rowsPerSecond)
  }

  async run(): Promise<CopyResult> {
    const { from, to, copied, cancellation, options } = this
    const { parallel, rowsPerSecond, verify = true } = options
    this.refuseTables()
    try {
      cancellation?.throwIfOver()
      if (await isSameTable(from, to, cancellation)) throw this.intoItself()
      await this.resume()
      await this.copy()
      if (!verify) return { rows: this.rows }
      return { rows: this.rows, verified: await verifyCopy({ from, to, copied, cancellation, parallel, rowsPerSecond }) }
    } catch (error) {
      throw isRowkeyError(error, 'DEADLINE') && cancellation?.isLate === true ? await this.late(cancellation, error) : error
    }
  }

  private refuseTables(): void {
    const { from, to } = this
    if (from.schema.expiryIndex >= 0 && to.schema.expiryIndex < 0) {
      const message = `rows of '${from.name}' expire, but those of '${to.name}' do not, so its copies would stay forever. Declare it with @Ttl('30d') or { ttl }, and add the column with ensureTables().`
      throw mapperError('TTL_UNDECLARED', message, { table: to.name })
    }
  }

  private intoItself(): Error {
    const { name } = this.from
    const message = `copyTable() cannot copy '${name}' into itself. Pass a repository of another table or of another store.`
    return new RowkeyError('INVALID_OPTION', message, { option: 'to', value: name })
  }

  /** Continues after the checkpoint if there is one; otherwise the target must be empty. @throws RowkeyError `TABLE_NOT_EMPTY` */
  private async resume(): Promise<void> {
    const { from, to } = this
    const { checkpoint, overwrite = false } = this.options
    if (checkpoint !== undefined) {
      const { rows, scan } = readCopyCheckpoint(to.schema, checkpoint)
      this.parts = readCheckpoint(from.schema, from.mapper.adapter.name, await from.mapper.seal.verify(scan, 'checkpoint'))
      this.rows = rows
      return
    }
    if (overwrite) return
    const run = this.fullScan(to, undefined, to.schema.expiryIndex < 0 ? [] : [to.schema.expiryIndex])
    try {
      const { rows, stop } = await run.take(1, 1)
      if (stop === 'time') this.cancellation?.throwIfOver()
      if (rows.length === 0) return
    } finally {
      run.close()
    }
    const message = `'${to.name}' already has rows, and copyTable() would mix them with copies. Pass an empty table, the checkpoint of the copy that is to be continued, or { overwrite: true }.`
    throw mapperError('TABLE_NOT_EMPTY', message, { table: to.name })
  }

  /** Page by page: the next one is read while this one is written, except for the part that it came from. */
  private async copy(): Promise<void> {
    const run = this.fullScan(this.from, this.parts)
    try {
      for (;;) {
        const { rows, position, stop } = await run.take(this.pace.portion(fullScanPage), 1)
        if (stop === 'time') this.cancellation?.throwIfOver()
        await this.write(rows)
        this.parts = position ?? this.parts
        if (stop === 'exhausted') {
          this.parts = []
          return
        }
        await this.report()
        await this.pace.spent(rows.length, this.cancellation)
      }
    } finally {
      run.close()
    }
  }

  private async write(rows: readonly Row[]): Promise<void> {
    const { copied, cancellation } = this
    const { mapper } = this.to
    const now = mapper.clock()
    const copies: CopiedRow[] = []
    for (const row of rows) {
      const mutation = copied.mutation(row, now)
      if (mutation === undefined) continue
      if (copied.preparer.hasChecks) await copied.check(row, mutation)
      copies.push({ row, mutation })
    }
    if (copies.length > 0) {
      await this.collisions.refuse(copies)
      await this.to.store(cancellation)
      // Nobody else writes these rows, so a put whose outcome is unknown can be sent again.
      const sender = mapper.sender.resending()
      const request = { now, attempts: mapper.attempts, cancellation }
      const windows = new RowWindows({ sender, entrance: this.to.entrance, request, concurrency: Math.ceil(fullScanPage / batchRows) })
      await windows.write(copies.map(({ mutation }, index) => ({ index, mutation })))
    }
    this.rows += copies.length
  }

  private async report(): Promise<void> {
    const { onProgress } = this.options
    if (onProgress !== undefined) tell('onProgress', onProgress, { rows: this.rows, checkpoint: await this.checkpoint() })
  }

  private async checkpoint(): Promise<string> {
    const { schema, mapper } = this.from
    const scan = await mapper.seal.sign(writeCheckpoint(schema, mapper.adapter.name, this.parts ?? ['']))
    return writeCopyCheckpoint(this.to.schema, { rows: this.rows, scan })
  }

  private async late({ deadline = 0 }: Cancellation, cause: unknown): Promise<Error> {
    const { name: table } = this.from
    const message =
      `the copy of '${table}' to '${this.to.name}' did not finish before its deadline (${new Date(deadline).toISOString()}). ${counted(this.rows, 'row')} ${this.rows === 1 ? 'is' : 'are'} ` +
      'copied. Continue with the checkpoint in details.cursor, or allow more time.'
    return mapperError('DEADLINE', message, { table, deadline, rows: this.rows, cursor: await this.checkpoint() }, { cause })
  }

  private fullScan(handle: TableHandle, checkpoints: readonly string[] | undefined, columns?: readonly number[]): Run<readonly string[]> {
    const { cancellation } = this
    const read: ReadOptions = {
      consistency: 'strong',
      columns,
      cancellation,
    }
    const { parallel } = this.options
    return runFullScan(handle.schema, () => handle.store(cancellation), { read, clock: handle.mapper.clock, checkpoints, parallel })
  }
}
