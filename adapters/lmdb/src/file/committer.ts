import { isRowkeyError, reasonOf } from 'rowkey/adapter'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { File } from './file.js'
import type { LastCommit } from './last-commit.js'
import { openingMark } from './names.js'
import { whenOpened } from './opening.js'
import { unusable } from '../errors.js'
import { headerKey } from '../keys.js'

/** A part of a transaction. It may run again, if the transaction has to be repeated without some other part. */
interface Job {
  readonly run: () => void
  readonly weight: number
  readonly done: () => void
  readonly failed: (failure: CommitFailure) => void
}

/** Max writes that share one transaction, so that it does not block the main thread for long. */
const maxWeight = 5000

/** How often the last commit may be set back before a transaction. */
const maxTries = 100
const setBackAgain = 'goes back to an older state again and again. Close it in all processes, then open it again.'

/** A transaction that failed. */
export class CommitFailure extends Error {
  /** Whether it may have been applied nevertheless. */
  readonly isUnknown: boolean

  constructor(cause: unknown, isUnknown: boolean) {
    super('the transaction failed', { cause })
    this.isUnknown = isUnknown
  }
}

/**
 * Groups writes into transactions. Writes that arrive while a commit is being flushed share the next one. Only waiting for the write lock
 * and the commit happen outside of the main thread.
 */
export class Committer {
  private readonly db: File
  private readonly path: string
  private readonly last: Pick<LastCommit, 'isBase'>
  private readonly mark: string
  private readonly queue: Job[] = []
  private isRunning = false
  /** Set after a commit that left the file in a state that LMDB does not guarantee. */
  private broken: unknown

  constructor(db: File, path: string, last: Pick<LastCommit, 'isBase'>) {
    this.db = db
    this.path = path
    this.last = last
    this.mark = join(path, openingMark)
  }

  /**
   * Runs `run` inside a transaction, and resolves when that is on disk. `weight`: about how many writes it makes.
   *
   * @throws CommitFailure
   */
  async submit<T>(run: () => T, weight = 1): Promise<T> {
    let result: { readonly value: T } | undefined
    const job = {
      run: () => {
        result = { value: run() }
      },
      weight,
    }
    await new Promise<void>((done, failed) => {
      this.queue.push({ ...job, done, failed })
      if (!this.isRunning) void this.drain()
    })
    return (result as unknown as { readonly value: T }).value
  }

  /** Like {@link submit}, but throws the cause of the failure itself. */
  async commit<T>(run: () => T, weight = 1): Promise<T> {
    try {
      return await this.submit(run, weight)
    } catch (failure) {
      throw failure instanceof CommitFailure ? failure.cause : failure
    }
  }

  private async drain(): Promise<void> {
    this.isRunning = true
    while (this.queue.length > 0) {
      let group: readonly Job[] = []
      const failure = await this.transaction(() => (group = this.take()))
      if (failure === undefined) for (const { done } of group) done()
      else if (group.length === 1 || failure.isUnknown) for (const { failed } of group) failed(failure)
      else for (const job of group.length === 0 ? this.take() : group) await this.alone(job)
    }
    this.isRunning = false
  }

  /** Perhaps only one job of the group is the reason for its failure. */
  private async alone(job: Job): Promise<void> {
    const failure = await this.transaction(() => [job])
    if (failure === undefined) job.done()
    else job.failed(failure)
  }

  private take(): readonly Job[] {
    let count = 0
    for (let weight = 0; count < this.queue.length && weight < maxWeight; count++) weight += (this.queue[count] as Job).weight
    return this.queue.splice(0, count)
  }

  private async transaction(jobs: () => readonly Job[]): Promise<CommitFailure | undefined> {
    if (this.broken !== undefined) return this.refusal()
    let isBase = false
    const attempt = (): void => {
      isBase = this.last.isBase()
      if (isBase) for (const { run } of jobs()) run()
    }
    try {
      for (let tries = 0; !isBase; tries++) {
        if (tries === maxTries) throw unusable(this.path, 'damaged', setBackAgain)
        // A child transaction, because only a child can be rolled back when one of its writes fails.
        await this.db.childTransaction(attempt)
      }
    } catch (error) {
      return this.failureOf(await causeOf(error))
    }
    return existsSync(this.mark) ? this.outlast() : undefined
  }

  /** A process that opens the file may set back a commit for a moment. That must not happen after it was acknowledged. */
  private async outlast(): Promise<CommitFailure | undefined> {
    try {
      if (!(await whenOpened(this.path))) await this.db.childTransaction(() => void this.last.isBase())
      return undefined
    } catch (error) {
      return new CommitFailure(await causeOf(error), true)
    }
  }

  /** LMDB refuses reads after a commit has failed in its last step. As long as reads work, the commit was not applied. */
  private failureOf(cause: unknown): CommitFailure {
    if (isRowkeyError(cause)) return new CommitFailure(cause, false)
    const refusal = unusable(
      this.path,
      'write',
      `could not be written: ${reasonOf(cause)}. Free disk space, or raise the limit for file sizes, then repeat the write.`,
      { cause },
    )
    try {
      this.db.resetReadTxn()
      this.db.getBinary(headerKey)
      return new CommitFailure(refusal, false)
    } catch {
      this.broken = refusal
      return new CommitFailure(refusal, true)
    }
  }

  private refusal(): CommitFailure {
    const message = 'refuses writes since a commit failed in its last step. Close it and open it again.'
    return new CommitFailure(unusable(this.path, 'write', message, { cause: this.broken }), false)
  }
}

/** An error of LMDB has its reason in a promise. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (reason) {
    return reason
  }
}
