import { isRowkeyError } from '@rowkey/store/adapter'
import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { whyUnusable } from './data-file.js'
import { unusable } from '../errors.js'

/** The names LMDB gives its files. */
const dataFile = 'data.mdb'
const lockFile = 'lock.mdb'

/** A folder that can be opened. */
export interface Folder {
  /** Its real path. */
  readonly path: string
  /** The first folder above it that had been there; itself, if it had. */
  readonly old: string
}

/**
 * Makes the folder if it is not there, and looks at what is in it: LMDB ends the process where it is given a file of something else,
 * a part of one, or one that it may not open.
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
    else if (files.some((name) => name !== lockFile)) {
      throw unusable(
        path,
        'foreign',
        `is a folder with other files in it and no '${dataFile}'. Give a folder of its own, which may be new.`,
      )
    }
    return { path: realpathSync(path), old: realpathSync(made === undefined ? path : dirname(made)) }
  } catch (error) {
    throw cannotOpen(path, error)
  }
}

/** Tells one data file from another of the same name; undefined if there is none. */
export function identityOf(path: string): string | undefined {
  const stat = statSync(join(path, dataFile), { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

/** What the system or LMDB says of a folder, as an error of this adapter. */
export function cannotOpen(path: string, cause: unknown): unknown {
  if (isRowkeyError(cause)) return cause
  const message = cause instanceof Error ? cause.message : String(cause)
  return unusable(path, 'path', `cannot be opened: ${message}. Give a folder that this process can read and write, or create.`, { cause })
}

function mustBeUsable(path: string, name: string): void {
  const file = join(path, name)
  if (!statSync(file).isFile()) throw unusable(path, 'foreign', `has a '${name}' that is no file. Give another folder, or remove it.`)
  accessSync(file, constants.R_OK | constants.W_OK)
}

function checkData(path: string): void {
  const why = whyUnusable(join(path, dataFile))
  if (why === 'foreign') {
    throw unusable(
      path,
      why,
      `has a '${dataFile}' that is no LMDB file as this version makes them. Give another folder, or restore the file.`,
    )
  }
  if (why === 'cut off') {
    throw unusable(path, 'damaged', `has a '${dataFile}' that is cut off, as by copying a part of it. Restore it from a whole copy.`)
  }
}

/** What systems say that do not flush folders. */
const refusals: readonly unknown[] = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF']

/** Flushes the names of a new file and of its new folders: flushing the file alone leaves it without a name when the machine stops. */
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
