// Tested by opening.test.ts.
import { Committer } from './committer.js'
import { LastCommit, lastCommitIn } from './last-commit.js'
import { beginOpening } from './opening.js'
import { openFile, readHeader, type File } from './file.js'
import { cannotOpen, flushNames, identityOf, prepareFolder, type Folder } from './folder.js'
import { reasonOf } from 'rowkey/adapter'
import { unreadable, unusable } from '../errors.js'

/** One file. It is opened once per process, even if several adapters use it. Opened again during a write, it could wait for itself. */
export class Environment {
  readonly path: string
  readonly db: File
  readonly committer: Committer
  private readonly last: LastCommit
  private readonly sync: boolean
  /** Of the file, whatever path leads to it. */
  readonly identity: string | undefined
  private users = 1
  /** The unfinished work of users that are closing. */
  private readonly leaving = new Set<Promise<void>>()
  private closing: Promise<void> | undefined

  private constructor(path: string, db: File, last: LastCommit, sync: boolean) {
    this.path = path
    this.sync = sync
    this.db = db
    this.last = last
    this.identity = identityOf(path)
    this.committer = new Committer(db, path, last)
  }

  /** @throws RowkeyError `STORE_UNUSABLE` */
  static acquire(given: string, sync: boolean): Environment {
    const folder = prepareFolder(given)
    return opened.get(folder.path)?.join(sync) ?? Environment.open(folder, sync)
  }

  private static open(folder: Folder, sync: boolean): Environment {
    const { path } = folder
    let db: File | undefined
    let last: LastCommit | undefined
    try {
      const end = beginOpening(path)
      try {
        const before = lastCommitIn(path)
        db = openFile(path, sync)
        last = new LastCommit(path, db)
        if (lastCommitIn(path) !== before) keep(db, last)
      } finally {
        end()
      }
      readHeader(db, path)
      if (sync) flushNames(folder)
      const environment = new Environment(path, db, last, sync)
      opened.set(path, environment)
      return environment
    } catch (error) {
      last?.close()
      void db?.close()
      throw cannotOpen(path, error)
    }
  }

  /** Adds a user. */
  private join(sync: boolean): this {
    const { path } = this
    if (this.sync !== sync) {
      throw unusable(
        path,
        'options',
        `is open in this process with sync: ${this.sync}. Open it with the same option, or close the other store first.`,
      )
    }
    if (identityOf(path) !== this.identity) {
      throw unusable(path, 'path', `was removed or replaced while it is open in this process. Close the store there, then open it again.`)
    }
    this.users++
    return this
  }

  /** Removes a user, whose work is done when `finished` resolves. The last one closes the file, and all wait for that. */
  async release(finished: Promise<void>): Promise<void> {
    this.users--
    this.leaving.add(finished)
    await finished
    this.leaving.delete(finished)
    while (this.users === 0 && this.leaving.size > 0) await Promise.all(this.leaving)
    if (this.users === 0) await (this.closing ??= this.close())
  }

  private async close(): Promise<void> {
    opened.delete(this.path)
    try {
      this.last.close()
      await this.db.close()
    } catch (error) {
      throw unusable(this.path, 'write', `could not be closed: ${reasonOf(error)}. What was acknowledged is on the disk.`, { cause: error })
    }
  }

  /** Runs a read. @throws RowkeyError `STORE_UNUSABLE` if LMDB fails */
  reading<T>(run: () => T): T {
    try {
      return run()
    } catch (error) {
      throw unreadable(this.path, error)
    }
  }

  /** Reads after this call see everything that this process or another one has committed by now. */
  refresh(): void {
    this.reading(() => this.db.resetReadTxn())
  }
}

/** Corrects what opening the file has set back. */
const keep = (db: File, last: LastCommit): void => void db.transactionSync(() => last.isBase())

const opened = new Map<string, Environment>()
