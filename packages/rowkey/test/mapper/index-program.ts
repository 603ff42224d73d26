import type { Adapter } from 'rowkey'
import type { TableStore } from 'rowkey/adapter'

/** What a program does. Its calls of the store wait until it is its turn. */
export interface Actor {
  readonly name: string
  /** Writers may die after each call. Time passes only while no writer is inside of a write. */
  readonly kind: 'writer' | 'reader' | 'scrubber' | 'time'
  /** Whether the answers to its calls wait for a turn too: it may be stopped for long between the call and what it does then. */
  readonly hearsLate?: true
  /** Returns what it does in each run. @param told takes the time, whenever it looks at it */
  open(adapter: Adapter, told: (now: number) => number): (self: Self) => Promise<unknown>
}

/** What a program knows of the run. */
export interface Self {
  /** What the store contained at each moment since the first call of this program. */
  readonly seen: ReadonlySet<string>
  /** Waits for a turn that is no call: between two writes. */
  pause(): Promise<void>
}

/** One for all: to make errors takes longer than a run. */
const died = new Error('the program has died')

/** One program, which is run again and again. It keeps its mapper, because opening tables takes longer than a run. */
export class Program implements Self {
  readonly actor: Actor
  readonly seen = new Set<string>()
  /** All answers of the store in this run, and times at which it looked at its clock: with them it is known what it will do. */
  log = ''
  failure: { readonly error: unknown } | undefined
  /** Resolves when it waits for its turn again, or has ended. */
  idle: Promise<void> = Promise.resolve()
  isDead = false
  private proceed: ((isDead: boolean) => void) | undefined
  private isBetween = true
  private lookedAt = 0
  private ended: Promise<void> = Promise.resolve()
  private settle: () => void = () => undefined
  private readonly perform: (self: Self) => Promise<unknown>

  constructor(actor: Actor, store: Adapter) {
    this.actor = actor
    this.perform = actor.open(stepped(store, this), (now) => {
      if (now !== this.lookedAt) this.log += `@${now}`
      return (this.lookedAt = now)
    })
  }

  start(): void {
    this.seen.clear()
    this.log = ''
    this.lookedAt = 0
    this.failure = undefined
    this.isDead = false
    this.isBetween = true
    this.busy()
    this.ended = this.perform(this).then(
      () => {
        this.settle()
      },
      (error: unknown) => {
        if (!this.isDead) this.failure = { error }
        this.settle()
      },
    )
  }

  get waits(): boolean {
    return this.proceed !== undefined
  }

  /** Whether it is a writer that has begun a write, and not ended it. */
  get isInside(): boolean {
    return this.actor.kind === 'writer' && this.waits && !this.isBetween
  }

  step(): Promise<void> {
    this.busy()
    this.proceed?.(false)
    return this.idle
  }

  /** None of its calls reaches the store any more. */
  async die(): Promise<void> {
    this.isDead = true
    this.proceed?.(true)
    await this.ended
  }

  async pause(): Promise<void> {
    await this.turn(true)
    this.log += '.'
  }

  async call<T>(call: () => T | Promise<T>): Promise<T> {
    await this.turn(false)
    const answer = await call()
    this.log += JSON.stringify(answer)
    if (this.actor.hearsLate === true) await this.pause()
    return answer
  }

  private turn(isBetween: boolean): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const proceed = (isDead: boolean): void => {
        this.proceed = undefined
        if (isDead) reject(died)
        else resolve()
      }
      if (this.isDead) {
        proceed(true)
        return
      }
      this.isBetween = isBetween
      this.proceed = proceed
      this.settle()
    })
  }

  private busy(): void {
    this.idle = new Promise((resolve) => (this.settle = resolve))
  }
}

/** An adapter of its own on the same store: each call waits for its turn. */
function stepped(store: Adapter, program: Program): Adapter {
  const own = Object.create(store) as { -readonly [Name in keyof Adapter]: Adapter[Name] }
  own.write = (batch, options) => program.call(async () => store.write(batch, options))
  own.table = (schema, catalog): TableStore => {
    const table = store.table(schema, catalog)
    const waiting = Object.create(table) as { -readonly [Name in keyof TableStore]: TableStore[Name] }
    const source = (pages: ReturnType<TableStore['scan']>): ReturnType<TableStore['scan']> => ({
      next: (want) => program.call(async () => pages.next(want)),
      close: () => pages.close(),
    })
    waiting.get = (keys, options) => program.call(async () => table.get(keys, options))
    waiting.scan = (slice, options) => source(table.scan(slice, options))
    waiting.fullScan = (checkpoint, options) => source(table.fullScan(checkpoint, options))
    return waiting
  }
  return own
}
