// Tested by told.test.ts and lock.test.ts.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, systemReason } from './failure.js'

/**
 * Writes a file whole or not at all: next to it, and then renamed.
 *
 * @param name what messages call it
 * @param otherwise what the failure says besides the reason
 * @throws Failure
 */
export function writeWhole(path: string, name: string, text: string, otherwise = 'Nothing has changed.'): void {
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.tmp`)
  try {
    const file = openSync(beside, 'wx')
    try {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw new Failure(`${name} cannot be written: ${systemReason(error)}. ${otherwise}`, undefined, { cause: error })
  }
}
