import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { mark, newestMeta, transactionAt } from './data-file.js'
import type { File } from './file.js'
import { readAt } from './free-pages.js'
import { dataFile, lockFile } from './names.js'
import { unusable } from '../errors.js'

/** The offset in the lock file of the number of the last commit. */
const lastAt = 8
const numberBytes = 8

/**
 * Keeps commits from being set back. The data file has the number of the last commit, and for speed the lock file has it too. A process that
 * opens the file copies it from one to the other, without any lock. It then sets back what another process has committed in between: reads
 * do not see that commit, and the next one would overwrite it.
 */
export class LastCommit {
  private readonly path: string
  private readonly db: File
  private readonly data: number
  private readonly pageSize: number
  private readonly number = Buffer.alloc(numberBytes)

  constructor(path: string, db: File) {
    this.path = path
    this.db = db
    this.data = openSync(join(path, dataFile), 'r')
    this.pageSize = newestMeta(this.data)?.pageSize ?? 0
  }

  /**
   * To be called in a write transaction, before it writes: whether it began at the last commit. If it did not, the number in the lock file
   * is corrected, and the transaction has to end and be repeated.
   *
   * @throws RowkeyError `STORE_UNUSABLE` if it cannot be corrected
   */
  isBase(): boolean {
    const own = this.db.getWriteTxnId()
    // It will overwrite this one of the two first pages, which must be older. Only the owner of the write lock changes them.
    readSync(this.data, this.number, 0, numberBytes, (own % 2) * this.pageSize + transactionAt)
    if (this.number.readUInt32LE(0) + this.number.readUInt32LE(4) * 2 ** 32 < own) return true
    this.correct()
    return false
  }

  private correct(): void {
    const lock = lockOf(this.path)
    const head = readAt(lock, 0, lastAt + numberBytes)
    const newest = newestMeta(this.data)?.transaction
    if (newest === undefined || head?.readUInt32LE(0) !== mark || head.readBigUInt64LE(lastAt) > newest) {
      const remedy = 'Close it in all processes, then open it again.'
      throw unusable(this.path, 'damaged', `has a '${lockFile}' that does not fit its '${dataFile}'. ${remedy}`)
    }
    head.writeBigUInt64LE(newest, lastAt)
    writeSync(lock, head, lastAt, numberBytes, lastAt)
  }

  close(): void {
    closeSync(this.data)
  }
}

/** The number of the last commit; undefined for a file that LMDB has not filled yet. */
export function lastCommitIn(path: string): bigint | undefined {
  let data: number
  try {
    data = openSync(join(path, dataFile), 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return newestMeta(data)?.transaction
  } finally {
    closeSync(data)
  }
}

const locks = new Map<string, number>()

/** Stays open as long as the process: closing it would release LMDB's own locks on this file, since they belong to the process. */
function lockOf(path: string): number {
  const open = locks.get(path) ?? openSync(join(path, lockFile), 'r+')
  locks.set(path, open)
  return open
}
