import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Held while something is built: test files run in parallel, and two compilers must not write the same output. */
const lock = join(root, 'node_modules', '.rowkey-build')
/** Held while a left lock is deleted. */
const deleting = `${lock}-deleting`
/** How long one build may take. */
const waitMs = 120_000

/** Builds projects for tests that run plain Node.js. A project that is up to date costs only a check. */
export function build(...projects: readonly string[]): void {
  takeLock()
  try {
    const args = [join(root, 'build.mjs'), ...projects]
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stdout)
  } finally {
    rmSync(lock)
  }
}

/** Waits for other builds, and takes over the lock of a process that has ended. */
function takeLock(): void {
  let holder = holderOf()
  let since = performance.now()
  while (!isCreated(lock)) {
    if (isLeft() && deletesLeft()) continue
    if (holder !== holderOf()) {
      holder = holderOf()
      since = performance.now()
    }
    if (performance.now() - since > waitMs) {
      const remedy = `If no build is running, delete this file and ${deleting}.`
      throw new Error(`process ${holder ?? 'unknown'} has held ${lock} for ${waitMs / 1000} s. ${remedy}`)
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
}

/** Whether the lock is held by a process that has ended. */
function isLeft(): boolean {
  const holder = holderOf()
  return holder !== undefined && !isRunning(holder)
}

/** One process at a time deletes a left lock: a second one could delete the new lock of the first. */
function deletesLeft(): boolean {
  if (!isCreated(deleting)) return false
  try {
    if (isLeft()) rmSync(lock)
    return true
  } finally {
    rmSync(deleting)
  }
}

/** Whether this process has created the file, with its id in it. */
function isCreated(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  }
}

/** The process that holds the lock; undefined if it has not written its id yet, or has returned the lock in the meantime. */
function holderOf(): number | undefined {
  try {
    const id = Number(readFileSync(lock, 'utf8'))
    return id > 0 ? id : undefined
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH' // EPERM: it runs for another user
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
