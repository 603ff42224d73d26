import { type Adapter, inTime, isPromise, type MaybePromise, type Mutation } from '#store/adapter'
import { RowkeyError } from '#codec'
import { show } from '#codec/internal'
import { atIndex, EventLoopYield } from '#store/engine'
import { mapperError } from '../call/errors.js'
import { isCount, type OptionRule } from '../call/check-options.js'
import type { RowWrites } from '../write/row-writes.js'
import { checkWriteOptions, expiresIn, putManyRules, requestOf, type PutManyOptions } from '../write/write-options.js'
import { batchRows, LoadWindows, type LoadProgress, type Numbered, type WindowTarget } from './load-windows.js'

/** What a load does with a row. */
interface LoadJob extends WindowTarget {
  /** Physical name of the table. */
  readonly table: string
  readonly windowRows: number
  /** Whether a row that is refused keeps the rows of its window from being written. */
  readonly isWindowWhole: boolean
  /** @throws why a row is refused */
  mutation(row: unknown): Mutation | Promise<Mutation>
}

/** The options of a load, without the types of a model. */
export interface AnyLoadOptions extends PutManyOptions {
  concurrency?: number
  window?: number
  patience?: number
  onProgress?: (progress: LoadProgress) => unknown
  nulls?: 'unset'
}

/** What a timer can wait, in milliseconds. */
const maxPatience = 2 ** 31 - 1

const loadRules: Readonly<Record<keyof AnyLoadOptions, OptionRule>> = {
  ...putManyRules,
  concurrency: isCount,
  window: isCount,
  patience: { wants: `${isCount.wants} to ${maxPatience}`, fits: (value) => isCount.fits(value) && (value as number) <= maxPatience },
  nulls: { wants: "'unset', for rows that are known to be new", fits: (value) => value === 'unset' },
  onProgress: { wants: 'a function', fits: (value) => typeof value === 'function' },
}

type Source = Iterator<unknown> | AsyncIterator<unknown>

/**
 * Puts rows as the source yields them. While one window of rows is written, the next one is read; then the source has to wait. Windows are
 * written one after the other, so of several rows with one key the last one stays. Rows before a refused one are written. An abort or a
 * deadline ends the load immediately.
 *
 * @throws RowkeyError with the `index` of the refused row, `WRITE_INCOMPLETE`, `DEADLINE`
 */
export async function loadRows(
  writes: RowWrites,
  rows: Iterable<object> | AsyncIterable<object>,
  options: AnyLoadOptions,
): Promise<LoadProgress> {
  checkWriteOptions('load', options, loadRules)
  if (typeof rows !== 'object' || (rows as object | null) === null || !(Symbol.asyncIterator in rows || Symbol.iterator in rows)) {
    throw new RowkeyError('INVALID_VALUE', `load() takes an iterable of rows, not ${show(rows)}.`, { column: '', value: show(rows) })
  }
  const { handle, preparer } = writes
  const { mapper } = handle
  const { concurrency = 4, window, patience, onProgress, nulls } = options
  if (nulls !== undefined) refuseMixed(handle.name, mapper.adapter)
  const most = batchRows * concurrency
  if (window !== undefined && window > most) {
    const message = `load() has a window of ${window} rows, but ${concurrency} batches at a time are ${most} rows. Give at most ${most}, or more concurrency.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'window', value: show(window) })
  }
  const expires = expiresIn(handle.schema, options)
  if (nulls !== undefined && expires === 'keep') {
    const message = "load() has both nulls: 'unset', for rows that are new, and expires: 'keep', for rows that exist. Give one of them."
    throw new RowkeyError('INVALID_OPTION', message, { option: 'nulls', value: show(nulls) })
  }
  const each: PutManyOptions = expires === undefined ? {} : { expires }
  const request = requestOf(options, mapper.clock(), { attempts: mapper.attempts, timeout: undefined }, 'load', handle.name)
  await writes.opened(request)
  const job = new Load({
    table: handle.name,
    sender: mapper.sender,
    concurrency,
    patience,
    onProgress,
    request,
    windowRows: window ?? most,
    isWindowWhole: window !== undefined,
    mutation: (row) => {
      const whole = preparer.prepareRow('put', row as Readonly<Record<string, unknown>>, each, mapper.clock())
      const mutation: Mutation = nulls !== undefined && whole.kind === 'put' ? { ...whole, nulls } : whole
      const checking = preparer.check(mutation)
      return checking === undefined ? mutation : checking.then(() => mutation)
    },
  })
  return job.from(Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]())
}

/** @throws RowkeyError `NOT_SUPPORTED` for a store that writes a row as a whole */
function refuseMixed(table: string, { name, capabilities }: Adapter): void {
  if (capabilities.unsetNulls === true) return
  const message = `${name} writes each row of '${table}' as a whole, and a null costs nothing there, so load() has no nulls: 'unset' on it. Leave it out.`
  throw new RowkeyError('NOT_SUPPORTED', message, { table, capability: 'unsetNulls', adapter: name })
}

class Load {
  private readonly job: LoadJob
  private readonly windows: LoadWindows
  private readonly eventLoop = new EventLoopYield()
  private window: Numbered[] = []
  private writing: Promise<void> = Promise.resolve()
  /** Whether an abort or the deadline has ended it, so that nothing is waited for. */
  private interrupted = false

  constructor(job: LoadJob) {
    this.job = job
    this.windows = new LoadWindows(job)
  }

  async from(source: Source): Promise<LoadProgress> {
    try {
      await this.read(source)
      await this.flush()
      return this.windows.progress
    } catch (error) {
      if (this.job.isWindowWhole) this.window = []
      if (!this.interrupted) await this.flush() // write the rows before the refused one; an error of theirs comes first
      throw error
    } finally {
      this.windows.silence()
    }
  }

  private async read(source: Source): Promise<void> {
    let ended = false
    try {
      for (let index = 0; ; index++) {
        const rest = this.eventLoop.due()
        if (rest !== undefined) await rest
        this.refuseInterrupted()
        if (this.windows.hasFailed) return
        ended = true // a source that throws has ended
        const given: MaybePromise<IteratorResult<unknown, unknown>> = source.next()
        const { done, value } = isPromise(given) ? await this.wait(given) : given
        ended = done === true
        if (ended) return
        const made = this.made(value, index)
        this.window.push({ index, mutation: isPromise(made) ? await made : made })
        if (this.window.length >= this.job.windowRows) await this.turn()
      }
    } finally {
      if (!ended || this.interrupted) await this.leave(source)
    }
  }

  private made(row: unknown, index: number): Mutation | Promise<Mutation> {
    const refuse = (error: unknown): never => {
      throw this.interrupted ? error : atIndex(index, error)
    }
    try {
      const made = this.job.mutation(row)
      return isPromise(made) ? this.wait(made).catch(refuse) : made
    } catch (error) {
      return refuse(error)
    }
  }

  /** Starts to write a window when the previous one is written. */
  private async turn(): Promise<void> {
    const { window } = this
    this.window = []
    await this.wait(this.writing)
    this.writing = this.windows.write(window)
    this.writing.catch(() => undefined) // the next one that waits for it gets the error
  }

  private async flush(): Promise<void> {
    await this.turn()
    await this.wait(this.writing)
  }

  /** Lets the source clean up; an interrupted load does not wait for that. */
  private async leave(source: Source): Promise<void> {
    const left = (async () => source.return?.())().catch(() => undefined) // the error that ended the load is the one to report
    if (!this.interrupted) await this.wait(left)
  }

  private async wait<T>(answer: Promise<T>): Promise<T> {
    try {
      return await inTime(this.job.request.cancellation, answer)
    } catch (error) {
      this.refuseInterrupted()
      throw error
    }
  }

  /** @throws RowkeyError `DEADLINE`, the reason of an aborted signal */
  private refuseInterrupted(): void {
    const { cancellation } = this.job.request
    if (cancellation?.isOver !== true) return
    this.interrupted = true
    throw cancellation.isLate ? this.late(cancellation.deadline ?? 0) : cancellation.reason
  }

  private late(deadline: number): Error {
    const { table } = this.job
    const { rows } = this.windows.progress
    const message =
      `the load of '${table}' did not finish before its deadline (${new Date(deadline).toISOString()}). ${rows} of its rows are ` +
      'known to be written. Load all rows again, and allow more time.'
    return mapperError('DEADLINE', message, { table, deadline, rows })
  }
}
