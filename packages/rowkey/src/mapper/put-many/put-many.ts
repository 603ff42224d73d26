import { type Adapter, inTime, isPromise, type MaybePromise, type Mutation } from '#store/adapter'
import { durationMs } from '#model'
import { RowkeyError } from '#codec'
import { show } from '#codec/internal'
import { atIndex, EventLoopYield, type WriteRequest } from '#store/engine'
import { beforeWriting } from '../call/cancellation.js'
import { mapperError } from '../call/errors.js'
import { eachOf } from '../rows/each-of.js'
import type { RowWrites } from '../write/row-writes.js'
import {
  checkWriteOptions,
  expiresIn,
  noOptions,
  putManyRules,
  requestOf,
  type PutManyOptions,
  type WrittenMany,
} from '../write/write-options.js'
import { batchRows, type Numbered, RowWindows, type WindowTarget } from './windows.js'

/** What is done with the rows of a source. */
interface StreamJob extends WindowTarget {
  /** Physical name of the table. */
  readonly table: string
  readonly windowRows: number
  /** Whether a row that is refused keeps the rows of its window from being written. */
  readonly isWindowWhole: boolean
  /** @throws why a row is refused */
  mutation(row: unknown): Mutation | Promise<Mutation>
}

type Source = Iterator<unknown> | AsyncIterator<unknown>

/**
 * Puts the rows of a list, a generator or a stream. A list is checked as a whole before anything is written. Unless its options say how it is
 * written, it is written as one.
 *
 * @throws RowkeyError with the `index` of the refused row, `WRITE_INCOMPLETE`, `DEADLINE`
 */
export async function putRows(
  writes: RowWrites,
  rows: Iterable<object> | AsyncIterable<object>,
  options: PutManyOptions,
): Promise<WrittenMany> {
  checkWriteOptions('putMany', options, putManyRules)
  const { handle, preparer } = writes
  const { mapper } = handle
  const mutationOf = mutationsBy(writes, options)
  if (!Array.isArray(rows)) {
    refuseOther(rows)
    const request = requestOf(options, mapper.clock(), { attempts: mapper.attempts, timeout: undefined }, 'putMany', handle.name)
    return streamed(writes, rows, options, request, (row) => {
      const mutation = mutationOf(row as Given, mapper.clock())
      const checking = preparer.check(mutation)
      return checking === undefined ? mutation : checking.then(() => mutation)
    })
  }
  const now = mapper.clock()
  const mutations = eachOf('putMany()', rows as readonly Given[], (row) => mutationOf(row, now))
  const request = writes.request('putMany', options, now)
  const checking = preparer.checkAll(mutations)
  if (checking !== undefined) await beforeWriting(request.cancellation, checking)
  if (isStreamed(options)) return streamed(writes, mutations, options, request, (mutation) => mutation as Mutation)
  await writes.sendAll(mutations, request)
  return { rows: mutations.length }
}

type Given = Readonly<Record<string, unknown>>

/** Whether the options say how a list is written. */
const isStreamed = ({ concurrency, window, patience, onProgress }: PutManyOptions): boolean =>
  (concurrency ?? window ?? patience ?? onProgress) !== undefined

/** How a row becomes a mutation. @throws RowkeyError for options that do not fit each other, the table or the store */
function mutationsBy({ handle, preparer }: RowWrites, options: PutManyOptions): (row: Given, now: number) => Mutation {
  const { concurrency = 4, window, nulls } = options
  if (nulls !== undefined) refuseMixed(handle.name, handle.mapper.adapter)
  const most = batchRows * concurrency
  if (window !== undefined && window > most) {
    const message = `putMany() has a window of ${window} rows, but ${concurrency} batches at a time are ${most} rows. Give at most ${most}, or more concurrency.`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'window', value: show(window) })
  }
  const expires = expiresIn(handle.schema, options)
  if (nulls !== undefined && expires === 'keep') {
    const message = "putMany() has both nulls: 'unset', for rows that are new, and expires: 'keep', for rows that exist. Give one of them."
    throw new RowkeyError('INVALID_OPTION', message, { option: 'nulls', value: show(nulls) })
  }
  const each = expires === undefined ? noOptions : { expires }
  return (row, now) => {
    const whole = preparer.prepareRow('put', row, each, now)
    return nulls !== undefined && whole.kind === 'put' ? { ...whole, nulls } : whole
  }
}

function refuseOther(rows: unknown): void {
  if (typeof rows === 'object' && rows !== null && (Symbol.asyncIterator in rows || Symbol.iterator in rows)) return
  const message = `putMany() takes a list or another iterable of rows, not ${show(rows)}.`
  throw new RowkeyError('INVALID_VALUE', message, { column: '', value: show(rows) })
}

/** @throws RowkeyError `NOT_SUPPORTED` for a store that writes a row as a whole */
function refuseMixed(table: string, { name, capabilities }: Adapter): void {
  if (capabilities.unsetNulls === true) return
  const message = `${name} writes each row of '${table}' as a whole, and a null costs nothing there, so putMany() has no nulls: 'unset' on it. Leave it out.`
  throw new RowkeyError('NOT_SUPPORTED', message, { table, capability: 'unsetNulls', adapter: name })
}

/**
 * Puts rows as the source yields them. While one window of rows is written, the next one is read; then the source has to wait. Windows are
 * written one after the other, so of several rows with one key the last one stays. Rows before a refused one are written. An abort or a
 * deadline ends it immediately.
 */
async function streamed(
  writes: RowWrites,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  options: PutManyOptions,
  request: WriteRequest,
  mutation: StreamJob['mutation'],
): Promise<WrittenMany> {
  const { concurrency = 4, window, patience, onProgress } = options
  const { name: table, mapper } = writes.handle
  await writes.opened(request)
  const stream = new RowStream({
    table,
    sender: mapper.sender,
    entrance: writes.handle.entrance,
    concurrency,
    patience: durationMs(patience),
    onProgress,
    request,
    windowRows: window ?? batchRows * concurrency,
    isWindowWhole: window !== undefined,
    mutation,
  })
  return stream.from(Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]())
}

class RowStream {
  private readonly job: StreamJob
  private readonly windows: RowWindows
  private readonly eventLoop = new EventLoopYield()
  private window: Numbered[] = []
  private writing: Promise<void> = Promise.resolve()
  /** Whether an abort or the deadline has ended it, so that nothing is waited for. */
  private interrupted = false

  constructor(job: StreamJob) {
    this.job = job
    this.windows = new RowWindows(job)
  }

  async from(source: Source): Promise<WrittenMany> {
    try {
      await this.read(source)
      await this.flush()
      return { rows: this.windows.progress.rows }
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

  /** Lets the source clean up; an interrupted call does not wait for that. */
  private async leave(source: Source): Promise<void> {
    const left = (async () => source.return?.())().catch(() => undefined) // the error that ended the call is the one to report
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
      `putMany() on '${table}' did not finish before its deadline (${new Date(deadline).toISOString()}). ${rows} of its rows are ` +
      'known to be written. Put all rows again, and allow more time.'
    return mapperError('DEADLINE', message, { table, deadline, rows })
  }
}
