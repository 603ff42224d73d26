import { open } from 'lmdb'
import { Committer } from './committer.js'
import { unusable } from './errors.js'
import type { File } from './file.js'
import { prepareFolder } from './folder.js'
import { readHeader } from './header.js'

/** One file, opened once per process however many adapters use it: opening it again while it is written could wait for itself. */
export class Environment {
  readonly path: string
  readonly db: File
  readonly committer: Committer
  private readonly sync: boolean
  private users = 1
  /** The work of those who are leaving. */
  private readonly leaving = new Set<Promise<void>>()
  private closing: Promise<void> | undefined

  private constructor(path: string, sync: boolean) {
    this.path = path
    this.sync = sync
    this.db = open<Buffer, Buffer>(path, {
      keyEncoding: 'binary',
      encoding: 'binary',
      noSubdir: false,
      maxDbs: 1,
      noSync: !sync,
      // The promise of a transaction then stands for its flush too.
      overlappingSync: false,
      // Transactions are put together here; LMDB's own batches leave a rejection without a handler when a commit fails.
      eventTurnBatching: false,
    })
    this.committer = new Committer(this.db, path)
  }

  /** @throws RowkeyError `STORE_UNUSABLE` */
  static acquire(given: string, sync: boolean): Environment {
    const path = prepareFolder(given)
    const known = opened.get(path)
    if (known !== undefined) {
      if (known.sync !== sync) {
        throw unusable(path, 'options', `is open in this process with sync: ${known.sync}. Open it the same way, or close the other first.`)
      }
      known.users++
      return known
    }
    const environment = new Environment(path, sync)
    try {
      readHeader(environment.db, path)
    } catch (error) {
      void environment.db.close()
      throw error
    }
    opened.set(path, environment)
    return environment
  }

  /** Ends the use by one whose work is over with `finished`. When all have left, each waits until the file is closed. */
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
    await this.db.close()
  }

  /** Readings that follow see everything that is committed now, by this process or another. */
  refresh(): void {
    this.db.resetReadTxn()
  }
}

const opened = new Map<string, Environment>()
