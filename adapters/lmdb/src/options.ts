import { checkOptionNames, invalidOption } from '@rowkey/store/adapter'
import { fileURLToPath } from 'node:url'

/** Options of `lmdb()`. */
export interface LmdbOptions {
  /**
   * Whether a write answers only when it is on the disk. Default true. With false it answers when the operating system has it: it
   * survives the end of the process, but when the machine stops, the whole file may be lost. For tests and for what can be made again.
   */
  readonly sync?: boolean
}

/** The path of a folder, given as Node's own functions take it. @throws RowkeyError `INVALID_OPTION` */
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
