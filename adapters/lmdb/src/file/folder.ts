// Tested by opening.test.ts.
import { isRowkeyError, reasonOf } from 'rowkey/adapter'
import { accessSync, closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { whyUnusable } from './data-file.js'
import { dataFile, lockFile } from './names.js'
import { reserve } from './reserve.js'
import { isFull, unusable } from '../errors.js'

/** A folder that can be opened. */
export interface Folder {
  /** Its real path. */
  readonly path: string
  /** The folder itself if it existed before, else the nearest existing parent folder. */
  readonly old: string
}

/**
 * Creates the folder if it does not exist, and checks its content and the space for it. LMDB would end the process if the file is of another
 * program, is cut off, or may not be opened, or if the disk is full.
 *
 * @throws RowkeyError `STORE_UNUSABLE`
 */
export function prepareFolder(path: string): Folder {
  try {
    const made = mkdirSync(path, { recursive: true })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const files = readdirSync(path)
    for (const name of [dataFile, lockFile]) if (files.includes(name)) mustBeUsable(path, name)
    if (files.includes(dataFile)) checkData(path)
    else if (files.some((name) => !name.startsWith(lockFile))) {
      throw unusable(path, 'foreign', `contains other files and no '${dataFile}'. Give a folder that only rowkey uses. It need not exist.`)
    }
    reserve(path)
    return { path: realpathSync(path), old: realpathSync(made === undefined ? path : dirname(made)) }
  } catch (error) {
    throw cannotOpen(path, error)
  }
}

/** Identifies a data file among others of the same name; undefined if it does not exist. */
export function identityOf(path: string): string | undefined {
  const stat = statSync(join(path, dataFile), { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

/** An error of the operating system or of LMDB, as an error of this adapter. */
export function cannotOpen(path: string, cause: unknown): unknown {
  if (isRowkeyError(cause)) return cause
  const remedy = isFull(cause)
    ? 'Free disk space, or raise the limit for file sizes, then open it again.'
    : 'Give a folder that this process can read and write, or create.'
  return unusable(path, isFull(cause) ? 'write' : 'path', `cannot be opened: ${reasonOf(cause)}. ${remedy}`, { cause })
}

function mustBeUsable(path: string, name: string): void {
  const file = join(path, name)
  // Through a link of either file, processes of two folders would share the data and not the locks, and overwrite each other's pages.
  if (lstatSync(file).isSymbolicLink()) {
    const remedy =
      name === lockFile ? 'Remove the link while no process has the store open.' : 'Give the folder of that file, or a link to that folder.'
    throw unusable(path, 'foreign', `contains a '${name}' that is a symbolic link. ${remedy}`)
  }
  if (!statSync(file).isFile())
    throw unusable(path, 'foreign', `contains a '${name}' that is not a file. Remove it, or give another folder.`)
  const others = otherNames(path, name)
  if (others > 0) {
    const remedy = name === lockFile ? 'Remove this one while no process has the store open.' : 'Remove the others, or copy the file.'
    throw unusable(path, 'foreign', `contains a '${name}' that has ${others + 1} names (hard links). ${remedy}`)
  }
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (cause) {
    const rights = `Give this process the rights to read and write '${name}', or another folder.`
    throw unusable(path, 'path', `cannot be opened: ${reasonOf(cause)} of '${name}'. ${rights}`, { cause })
  }
}

/** How many other names a file has. Those under which {@link reserve} makes a lock file do not count: a killed process may have left one. */
function otherNames(path: string, name: string): number {
  const file = join(path, name)
  if (statSync(file).nlink === 1) return 0
  const { dev, ino } = statSync(file, { bigint: true })
  const isSame = (other: string): boolean => {
    const stat = lstatSync(join(path, other), { bigint: true, throwIfNoEntry: false })
    return stat?.dev === dev && stat.ino === ino
  }
  const own = name === lockFile ? readdirSync(path).filter((other) => other.startsWith(`${lockFile}-`) && isSame(other)).length : 0
  return statSync(file).nlink - 1 - own // counted after them, because another process may remove its own now
}

function checkData(path: string): void {
  const why = whyUnusable(join(path, dataFile))
  if (why === 'foreign') {
    throw unusable(
      path,
      why,
      `contains a '${dataFile}' that is not an LMDB file of this version. Give another folder, or restore the file.`,
    )
  }
  if (why === 'cut off') {
    throw unusable(
      path,
      'damaged',
      `contains a '${dataFile}' that is cut off, for example by an incomplete copy. Restore the whole file from a backup.`,
    )
  }
}

/** Errors of operating systems that cannot flush a folder. */
const refusals: readonly unknown[] = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF']

/** Flushes the folder entries of a new file and of its new folders. Without them, the file could be missing after a power failure. */
export function flushNames({ path, old }: Folder): void {
  flush(path)
  for (let folder = path; folder !== old && folder !== dirname(folder);) flush((folder = dirname(folder)))
}

function flush(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!refusals.includes((error as NodeJS.ErrnoException).code)) throw error
  }
}
