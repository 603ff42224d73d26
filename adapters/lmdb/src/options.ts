import { checkOptionNames, invalidOption } from 'rowkey/adapter'
import { fileURLToPath } from 'node:url'

/** Options of `lmdb()`. */
export interface LmdbOptions {
  /**
   * Whether a write resolves only when it is on disk. Default true. With false it resolves when the operating system has it. It then
   * survives a crash of the process, but after a power failure the whole file may be lost. For tests, and for data that can be recreated.
   */
  readonly sync?: boolean
}

/** The path of a folder: a string or a `file:` URL, as for the functions of Node.js. @throws RowkeyError `INVALID_OPTION` */
export function pathOf(given: string | URL): string {
  const path = given instanceof URL && given.protocol === 'file:' ? fileURLToPath(given) : given
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return path
  throw invalidOption('lmdb', 'path', path instanceof URL ? path.href : path, 'Give the path of a folder, or its file: URL.')
}

/** @throws RowkeyError `INVALID_OPTION` */
export function checkOptions(options: LmdbOptions): void {
  checkOptionNames('lmdb', options, ['sync'])
  const { sync = true } = options
  if (typeof sync !== 'boolean') throw invalidOption('lmdb', 'sync', sync, 'Give true or false.')
}
