import { accessSync, closeSync, constants, mkdirSync, openSync, readSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { unusable } from './errors.js'

/** The names LMDB gives its files. */
const dataFile = 'data.mdb'
const lockFile = 'lock.mdb'

/** Where a page has the mark of LMDB and the version of its format, little-endian. */
const markAt = 24
const mark = 0xbeef_c0de
const version = 2
const smallestFile = 2 * 4096

/**
 * Makes the folder if it is not there, and looks at what is in it: LMDB ends the process where it is given a file of something else.
 *
 * @returns the folder's real path
 * @throws RowkeyError `STORE_UNUSABLE`
 */
export function prepareFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const files = readdirSync(path)
    if (files.includes(dataFile)) checkFile(path)
    else if (files.some((name) => name !== lockFile)) {
      throw unusable(
        path,
        'foreign',
        `is a folder with other files in it and no '${dataFile}'. Give a folder of its own, which may be new.`,
      )
    }
    return realpathSync(path)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw unusable(path, 'path', `cannot be opened: ${error.message}. Give a folder that this process can read and write, or create.`, {
      cause: error,
    })
  }
}

/** Another process may be making the file: it writes its two first pages at once. */
function checkFile(path: string): void {
  const file = join(path, dataFile)
  const { size } = statSync(file)
  if (size === 0) return
  const start = Buffer.alloc(markAt + 8)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, start, 0, start.length, 0)
  } finally {
    closeSync(descriptor)
  }
  if (size >= smallestFile && start.readUInt32LE(markAt) === mark && start.readUInt32LE(markAt + 4) === version) return
  throw unusable(
    path,
    'foreign',
    `has a '${dataFile}' that is no LMDB file of version ${version}, or is cut off. Give another folder, or restore the file.`,
  )
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error
