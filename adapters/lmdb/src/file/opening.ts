// Also tested by last-commit.test.ts.
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openingMark } from './names.js'
import { isFull } from '../errors.js'

/** How many milliseconds at least. Opening takes about one. A mark that stays longer is of a process that was killed or stopped. */
const patience = 1000

/**
 * Marks a file as being opened, until the function that it returns is called. A commit of another process is only acknowledged when an opening
 * that it may have met is over, because that may set it back. Waits while another process opens the file.
 */
export function beginOpening(path: string): () => void {
  const file = join(path, openingMark)
  let other: string | undefined
  for (let waited = 0; !create(file); waited++) {
    const found = markIn(path)
    if (found !== other) waited = 0
    other = found
    if (waited >= patience) rmSync(file, { force: true })
    else Atomics.wait(sleeper, 0, 0, 1)
  }
  const own = markIn(path)
  return () => {
    if (own !== undefined && markIn(path) === own) rmSync(file, { force: true })
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Resolves when the opening that is under way is over: true, or false if it was given up, and its mark is removed. */
export async function whenOpened(path: string): Promise<boolean> {
  const mark = markIn(path)
  for (let waited = 0; mark !== undefined && markIn(path) === mark; waited++) {
    if (waited >= patience) {
      rmSync(join(path, openingMark), { force: true })
      return false
    }
    await setTimeout(1)
  }
  return true
}

/** Tells apart the marks of different openings. */
function markIn(path: string): string | undefined {
  const stat = statSync(join(path, openingMark), { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.ino}:${stat.ctimeNs}`
}

/** False if there is one. On a full disk, nothing is marked: a file that is there can still be opened. */
function create(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o664 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    if (!isFull(error)) throw error
  }
  return true
}
