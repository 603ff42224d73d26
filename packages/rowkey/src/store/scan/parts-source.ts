// Also tested by progress.test.ts.
import type { TableSchema } from '#model'
import type { TableStore } from '../contract/adapter.js'
import type { MaybePromise, Page, PageSource, ReadOptions } from '../contract/reading.js'
import { utf8Length } from '#codec/internal'
import { storeError } from '../errors.js'
import { maxNative, maxPartBytes } from '../query/checkpoint.js'
import { isPromise } from './maybe-promise.js'
import { pageFlaw } from './page-shape.js'
import { Progress } from './progress.js'
import type { RowSource } from './row-source.js'

/** How parts are read. */
export interface PartsOptions {
  /** How many are read at a time. */
  readonly parallel: number
  /** Rows to request at a time. */
  readonly page: number
  readonly read: ReadOptions
}

/** A part of a table. */
interface Part {
  /** After the last page that was returned; '' = the start. */
  checkpoint: string
  /** undefined until its first request. */
  source: PageSource | undefined
  readonly progress: Progress
  /** Whether it has been asked and its answer has not been taken. */
  isBusy: boolean
}

/** An answer that has not been returned yet; undefined without an error = the end of the part. */
interface Answer {
  readonly part: Part
  readonly page?: Page | undefined
  readonly error?: unknown
}

const waiting = Symbol('waiting')

/**
 * The pages of the parts of a table as they come, from several at a time, with checked checkpoints. A part is asked again when its page has been
 * used, so there is at most one page of each in memory. The position are the checkpoints of all parts that are left.
 */
export class PartsSource implements RowSource<readonly string[]> {
  private readonly schema: TableSchema
  private readonly store: TableStore
  private readonly options: PartsOptions
  private readonly isOne: boolean
  /** Those that are left. The first ones are being read. */
  private readonly parts: Part[]
  private readonly answers: Answer[] = []
  private wake: () => void = () => undefined
  private closed = false

  constructor(schema: TableSchema, store: TableStore, checkpoints: readonly string[], options: PartsOptions) {
    this.schema = schema
    this.store = store
    this.options = options
    this.parts = checkpoints.map((checkpoint) => ({ checkpoint, source: undefined, progress: new Progress(), isBusy: false }))
    this.isOne = checkpoints.length === 1
  }

  get ended(): boolean {
    return this.closed || this.parts.length === 0
  }

  get position(): readonly string[] {
    return this.parts.map(({ checkpoint }) => checkpoint)
  }

  /** @throws RowkeyError `ADAPTER_FAULT` */
  next(want: number): MaybePromise<Page | undefined> {
    const page = this.poll(want)
    return page === waiting ? this.wait(want) : page
  }

  close(): void {
    this.closed = true
    for (const { source } of this.parts) source?.close()
    this.wake()
  }

  private async wait(want: number): Promise<Page | undefined> {
    for (;;) {
      await new Promise<void>((resolve) => (this.wake = resolve))
      const page = this.poll(want)
      if (page !== waiting) return page
    }
  }

  /** The next page that has come; undefined at the end. */
  private poll(want: number): Page | undefined | typeof waiting {
    while (!this.ended) {
      this.ask(want)
      const answer = this.answers.shift()
      if (answer === undefined) return waiting
      if ('error' in answer) throw answer.error
      const { part, page } = answer
      part.isBusy = false
      if (page !== undefined) return this.checked(part, page)
      part.source?.close()
      this.parts.splice(this.parts.indexOf(part), 1)
    }
    return undefined
  }

  /** Asks all parts whose turn it is. A store that answers immediately is asked for one page only. */
  private ask(want: number): void {
    const { parallel, page, read } = this.options
    for (const part of this.parts.slice(0, parallel)) {
      if (part.isBusy) continue
      part.source ??= this.store.fullScan(part.checkpoint === '' ? undefined : part.checkpoint, read)
      const answer = part.source.next(Math.min(want, page))
      part.isBusy = true
      if (!isPromise(answer)) {
        this.answers.push({ part, page: answer })
        return
      }
      const settle = (settled: Answer): void => {
        this.answers.push(settled)
        this.wake()
      }
      answer.then(
        (given) => {
          settle({ part, page: given })
        },
        (error: unknown) => {
          settle({ part, error })
        },
      )
    }
  }

  private checked(part: Part, page: Page): Page {
    const flaw = pageFlaw(page, this.schema.columns.length)
    if (flaw !== undefined) throw this.fault(`with ${flaw}`)
    const { checkpoint } = page
    if (typeof checkpoint !== 'string') throw this.fault('without a checkpoint')
    // A checkpoint that does not move, or that goes back, would return the same rows forever.
    const hasMoved = checkpoint !== part.checkpoint
    if (!hasMoved && page.examined + page.rows.length > 0) throw this.fault('with the checkpoint of the page before')
    if (part.progress.isStuck(hasMoved)) throw this.fault('without rows after many others, and none of them moves on')
    if (hasMoved && part.progress.returnsTo(checkpoint)) throw this.fault('with the checkpoint of an earlier page')
    this.refuseLong(checkpoint)
    part.checkpoint = checkpoint
    return page
  }

  /** The checkpoints of several parts must fit into one text. */
  private refuseLong(checkpoint: string): void {
    if (checkpoint.length > maxNative) throw this.fault(`with a checkpoint of more than ${maxNative} characters`)
    if (!this.isOne && utf8Length(checkpoint) > maxPartBytes) throw this.fault(`with a checkpoint of more than ${maxPartBytes} bytes`)
  }

  private fault(what: string): Error {
    const { name } = this.schema
    const message = `the adapter returned a page of a read of the whole table '${name}' ${what}. This is a fault of the adapter.`
    return storeError('ADAPTER_FAULT', message, { table: name, bucket: 0 })
  }
}
