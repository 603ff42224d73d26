import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** How each temporary folder is removed that there still is. */
const removals = new Set<() => void>()
let isWatching = false

/** A new folder that is gone when the process ends, also by Ctrl-C; `remove` deletes it before. */
export function temporaryFolder(name: string): { readonly path: string; readonly remove: () => void } {
  watchTheEnd()
  const path = mkdtempSync(join(tmpdir(), `${name}-`))
  chmodSync(path, 0o711) // tests start processes of other users, which open what is below it
  const remove = (): void => {
    removals.delete(remove)
    rmSync(path, { recursive: true, force: true, maxRetries: 5 }) // what was just ended may still write
  }
  removals.add(remove)
  return { path, remove }
}

/** A signal ends a process without its exit handlers, unless somebody listens to it. Who else does may end it in another way. */
function watchTheEnd(): void {
  if (isWatching) return
  isWatching = true
  process.once('exit', () => {
    for (const remove of removals) remove()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal])
    })
  }
}
