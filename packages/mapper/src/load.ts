import type { Answer, Mutation } from '@rowkey/store'
import { atIndex, Breath, inTime, isPromise } from '@rowkey/store'
import { mapperError } from './errors.js'
import { batchRows, LoadWindows, type LoadProgress, type Numbered, type WindowTarget } from './load-windows.js'

/** What a load does with a row. */
export interface Loading extends WindowTarget {
  /** Physical name of the table. */
  readonly table: string
  /** @throws what a row is refused with */
  mutation(row: unknown): Mutation | Promise<Mutation>
}

type Source = Iterator<unknown> | AsyncIterator<unknown>

/**
 * Puts rows as they come. While one window of them is written, the next is read; then the source has to wait. Windows follow each other:
 * of several rows with one key the last one stays. Rows before one that is refused are written; an abort and a deadline count at once.
 */
export async function load(rows: Iterable<unknown> | AsyncIterable<unknown>, loading: Loading): Promise<LoadProgress> {
  return new Load(loading).from(Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]())
}

class Load {
  private readonly loading: Loading
  private readonly windows: LoadWindows
  private readonly breath = new Breath()
  private window: Numbered[] = []
  private writing: Promise<void> = Promise.resolve()
  /** Whether an abort or the deadline has ended it: then nobody waits for anything. */
  private interrupted = false

  constructor(loading: Loading) {
    this.loading = loading
    this.windows = new LoadWindows(loading)
  }

  async from(source: Source): Promise<LoadProgress> {
    try {
      await this.read(source)
      await this.flush()
      return this.windows.progress
    } catch (error) {
      if (!this.interrupted) await this.flush() // rows before the one that is refused; what the store refuses of them comes first
      throw error
    } finally {
      this.windows.silence()
    }
  }

  private async read(source: Source): Promise<void> {
    let ended = false
    try {
      for (let index = 0; ; index++) {
        const rest = this.breath.due()
        if (rest !== undefined) await rest
        this.refuseInterrupted()
        if (this.windows.hasFailed) return
        ended = true // whatever a source throws, it has ended with it
        const given: Answer<IteratorResult<unknown, unknown>> = source.next()
        const { done, value } = isPromise(given) ? await this.wait(given) : given
        ended = done === true
        if (ended) return
        const made = this.made(value, index)
        this.window.push({ index, mutation: isPromise(made) ? await made : made })
        if (this.window.length >= batchRows * this.loading.concurrency) await this.turn()
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
      const made = this.loading.mutation(row)
      return isPromise(made) ? this.wait(made).catch(refuse) : made
    } catch (error) {
      return refuse(error)
    }
  }

  /** Begins to write a window when the last one is written. */
  private async turn(): Promise<void> {
    const { window } = this
    this.window = []
    await this.wait(this.writing)
    this.writing = this.windows.write(window)
    this.writing.catch(() => undefined) // whoever waits for it next hears of it
  }

  private async flush(): Promise<void> {
    await this.turn()
    await this.wait(this.writing)
  }

  /** Has the source clean up; an interrupted load does not wait for that. */
  private async leave(source: Source): Promise<void> {
    const left = (async () => source.return?.())().catch(() => undefined) // what it was left for is the error
    if (!this.interrupted) await this.wait(left)
  }

  private async wait<T>(answer: Promise<T>): Promise<T> {
    try {
      return await inTime(this.loading.sending.cancellation, answer)
    } catch (error) {
      this.refuseInterrupted()
      throw error
    }
  }

  /** @throws RowkeyError `DEADLINE`, the reason of an aborted signal */
  private refuseInterrupted(): void {
    const { cancellation } = this.loading.sending
    if (cancellation?.isOver !== true) return
    this.interrupted = true
    throw cancellation.isLate ? this.late(cancellation.deadline ?? 0) : cancellation.reason
  }

  private late(deadline: number): Error {
    const { table } = this.loading
    const { rows } = this.windows.progress
    const message =
      `the load of '${table}' did not come to its end before its deadline (${new Date(deadline).toISOString()}); ${rows} of its rows are ` +
      'known to be written. Load them all again, or give it more time.'
    return mapperError('DEADLINE', message, { table, deadline, rows })
  }
}
