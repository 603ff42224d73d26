import { isRowkeyError } from '@rowkey/store/adapter'
import type { File } from './file.js'
import { unusable } from '../errors.js'
import { headerKey } from '../keys.js'

/** A part of a transaction. It may run again if the transaction has to be repeated without others. */
interface Job {
  readonly run: () => void
  readonly weight: number
  readonly done: () => void
  readonly failed: (failure: CommitFailure) => void
}

/** Writes that share one transaction, so that one does not keep the main thread for long. */
const maxWeight = 5000

/** A transaction that did not get through. */
export class CommitFailure extends Error {
  /** It may have been applied all the same. */
  readonly isUnknown: boolean

  constructor(cause: unknown, isUnknown: boolean) {
    super('the transaction failed', { cause })
    this.isUnknown = isUnknown
  }
}

/**
 * Puts writes into transactions: those that come while a commit is on its way to the disk share the next one. Everything is done
 * on the main thread but for waiting for the write lock, and the commit.
 */
export class Committer {
  private readonly db: File
  private readonly path: string
  private readonly queue: Job[] = []
  private isRunning = false
  /** After a commit that left the file in a state that LMDB does not vouch for. */
  private broken: unknown

  constructor(db: File, path: string) {
    this.db = db
    this.path = path
  }

  /**
   * Runs `run` inside a transaction and answers when that is on the disk. `weight` is about the number of its writes.
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

  /** As {@link submit}, for whoever only wants to be told why it failed. */
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

  /** What made a group fail may be one of its jobs only. */
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
    try {
      // A child, because only a child can be given up when a write in the middle of it fails.
      await this.db.childTransaction(() => {
        for (const { run } of jobs()) run()
      })
      return undefined
    } catch (error) {
      return this.failureOf(await reasonOf(error))
    }
  }

  /** LMDB refuses to read once a commit has failed in its last step; as long as it reads, the commit did not happen. */
  private failureOf(cause: unknown): CommitFailure {
    if (isRowkeyError(cause)) return new CommitFailure(cause, false)
    const refusal = unusable(
      this.path,
      'write',
      `could not be written: ${cause instanceof Error ? cause.message : String(cause)}. Free space on the disk or raise the limit on the size of files, then repeat.`,
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
    const message = 'is not written any more since a commit failed in its last step. Close it and open it again.'
    return new CommitFailure(unusable(this.path, 'write', message, { cause: this.broken }), false)
  }
}

/** LMDB's error has its reason in a promise. */
async function reasonOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (reason) {
    return reason
  }
}
