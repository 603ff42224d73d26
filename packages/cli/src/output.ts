// Tested by pipes.test.ts.
import { once } from 'node:events'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, systemReason } from './failure.js'

/** Data for stdout. It resolves when more can be taken, so that a slow reader is not overrun. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (text.length > 0 && !process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** One line or several, with the end of the last one. */
export const printLines = (lines: readonly string[]): Promise<void> => print(lines.length === 0 ? '' : `${lines.join('\n')}\n`)

/** Everything that is not data. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** JSON in its versioned envelope, on one line for a pipe and indented for a person. */
export const printJson = (data: object): Promise<void> =>
  print(`${JSON.stringify({ rowkey: 1, ...data }, undefined, process.stdout.isTTY ? 2 : undefined)}\n`)

/** The columns that lines may have: those of the terminal, within 40 and 120, and 80 in a pipe. */
export function width(): number {
  const { isTTY, columns } = process.stdout
  return isTTY && columns > 0 ? Math.min(Math.max(columns, 40), 120) : 80
}

/**
 * Ends the command quietly when nobody reads its output any more, as after `| head`.
 *
 * @param end what ends the process
 */
export function endWithReader(end: (code: number) => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') end(0)
    else {
      tell(`rowkey: stdout cannot be written: ${systemReason(error)}`)
      end(2)
    }
  })
  process.stderr.on('error', () => undefined)
}

/**
 * Writes a file whole or not at all: next to it, and then renamed.
 *
 * @param otherwise what the failure says besides the reason
 * @throws Failure
 */
export function writeWhole(path: string, text: string, otherwise = 'Nothing has changed.'): void {
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
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
    throw new Failure(`${path} cannot be written: ${systemReason(error)}. ${otherwise}`, undefined, { cause: error })
  }
}
