import { RowkeyError, show } from '@rowkey/store'
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
  throw invalidOption('path', path instanceof URL ? show(path.href) : show(path), 'Give the path of a folder, or its file: URL.')
}

/** @throws RowkeyError `INVALID_OPTION` */
export function checkOptions(options: LmdbOptions): void {
  if (typeof options !== 'object' || (options as LmdbOptions | null) === null) {
    throw invalidOption('options', show(options), 'Give an object, or leave it out.')
  }
  const { sync = true, ...others } = options
  const [unknown] = Object.entries(others)
  if (unknown !== undefined) throw invalidOption(unknown[0], show(unknown[1]), `There is 'sync' only.`)
  if (typeof sync !== 'boolean') throw invalidOption('sync', show(sync), 'Give true or false.')
}

function invalidOption(option: string, value: string, remedy: string): RowkeyError<'INVALID_OPTION'> {
  return new RowkeyError('INVALID_OPTION', `lmdb(): ${option} cannot be ${value}. ${remedy}`, { option, value })
}
