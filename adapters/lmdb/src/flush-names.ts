import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Folder } from './folder.js'

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
