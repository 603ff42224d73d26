import { linkSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFile, lockFile } from './names.js'

/** More than LMDB's own lock file, which has 126 readers, and whole pages. LMDB takes a longer file as it is. */
const lockBytes = 3 * 4096
/** At least as much as LMDB first writes into a data file: two pages of up to 16 kB. */
const firstPagesBytes = 32 * 1024

/**
 * Makes sure that a folder has space for what LMDB writes when it opens the file. On a full disk LMDB would end the process: it writes to the
 * lock file through memory before that has blocks on the disk, and does not survive when its first pages cannot be written. Costs some
 * system calls where both files exist.
 *
 * @throws an error of the operating system, for example ENOSPC
 */
export function reserve(path: string): void {
  const lock = join(path, lockFile)
  const isLocked = hasBlocks(lock)
  if (isLocked === true && !isEmpty(join(path, dataFile))) return
  const spare = `${lock}-${process.pid}-${process.hrtime.bigint()}`
  try {
    writeFileSync(spare, Buffer.alloc(lockBytes + firstPagesBytes), { flag: 'wx', mode: 0o664 })
    if (isLocked !== undefined) return
    truncateSync(spare, lockBytes)
    link(spare, lock)
  } finally {
    rmSync(spare, { force: true })
  }
}

/** Whether all of a file is on the disk; undefined if it does not exist. */
function hasBlocks(file: string): boolean | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat && stat.size > 0 && stat.blocks * 512 >= stat.size
}

const isEmpty = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0

/** The lock file appears with all its bytes, because another process may open it at any time. Some file systems have no links. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== undefined && withoutLink.includes(code)) return
    throw error
  }
}
const withoutLink = ['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']
