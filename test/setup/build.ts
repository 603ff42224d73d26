import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Held while something is built: files of tests run side by side, and two compilers must not write the same output. */
const lock = join(tmpdir(), `rowkey-build-${root.replaceAll(/\W/g, '-')}`)

/** Builds projects for tests that run plain Node.js; those that are built already are looked at only. */
export function build(...projects: readonly string[]): void {
  while (!taken()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  try {
    const args = [join(root, 'node_modules/typescript/bin/tsc'), '-b', ...projects]
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stdout)
  } finally {
    rmSync(lock, { recursive: true })
  }
}

function taken(): boolean {
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, 'process'), String(process.pid))
    return true
  } catch {
    if (isLeft()) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

/** Whether the process that held the lock has ended without giving it back. */
function isLeft(): boolean {
  try {
    process.kill(Number(readFileSync(join(lock, 'process'), 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
