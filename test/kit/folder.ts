import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for one test file; `path` names folders in it. */
export function scratchFolder(): { readonly path: (name: string) => string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-lmdb-'))
  return {
    path: (name) => join(folder, name),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
