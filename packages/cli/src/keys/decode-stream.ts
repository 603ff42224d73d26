import { printable } from 'rowkey/internal'
import type { Shell } from '../shell.js'
import { verdicts, type Decoder, type Target } from './decode-key.js'
import type { KeyForm } from './key-forms.js'
import { HexReader } from './hex-lines.js'
import { LineWriter } from './line-writer.js'
import { eachLine } from './lines.js'
import { readLine } from './shell-lines.js'
import { jsonOf, keyLines, linesOfAll } from './verdict-text.js'

/** How keys from a pipe are decoded. */
export interface StreamOptions {
  readonly target: Target
  readonly from: KeyForm | undefined
  readonly isJson: boolean
}

/**
 * Decodes keys from stdin, one a line, into one line each. What is no key goes to stderr, or into the JSON. Resolves to how many lines that were. It
 * reads on when its reader has taken what it wrote, so memory stays as it is however long the pipe is.
 */
export async function decodeStream(shell: Shell, { target, from, isJson }: StreamOptions): Promise<number> {
  const writer = new LineWriter('one' in target ? target.one.schema : undefined, isJson)
  const hex = new HexReader()
  let number = 0
  let refused = 0
  let lastRow = ''

  const onLine = (buffer: Buffer, start: number, end: number): void => {
    number++
    const line = buffer.toString('utf8', start, end)
    const keys = readLine(line, from)
    if (keys === 'nothing') return
    const row = /^ ?(.*?) +column=/.exec(line)?.[1] ?? ''
    if (row !== '' && row === lastRow) return // the next cell of a row
    lastRow = row
    const found = verdicts(target, keys)
    const isKey = found.some((verdict) => verdict.row !== undefined)
    if (!isKey) refused++
    if (isJson) writer.text(`${jsonOf(target, line.trim(), found)}\n`)
    else if (isKey) writer.text(`${keyLines(target, found).join('\n')}\n`)
    else {
      const reasons = linesOfAll(found).map((each) => `  ${each}`)
      shell.tell(`line ${number}: ${printable(line.trim(), 100)}\n${reasons.join('\n')}`)
    }
  }
  /** The fast way: lines of hex digits that are keys of the one table. */
  const skipFor =
    (only: Decoder) =>
    (buffer: Buffer, start: number): number => {
      let next = start
      while (hex.read(buffer, next)) {
        const row = only.decode(hex.bytes)
        if (typeof row === 'string') break
        number++
        writer.key(row)
        next = hex.end
      }
      return next
    }
  const flush = (): Promise<void> | undefined => {
    const bytes = writer.take()
    return bytes === undefined ? undefined : shell.print(bytes)
  }
  const isFast = 'one' in target && (from === undefined || from === 'hex')
  await eachLine(shell.stdin, onLine, flush, isFast ? skipFor(target.one) : undefined)
  return refused
}
