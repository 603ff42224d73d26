import { printable } from 'rowkey/internal'
import type { Shell } from '../shell.js'
import { answersOf, FindSum } from './answers.js'
import type { Decoder, Target } from './decode-key.js'
import { HexReader } from './hex-lines.js'
import { LineWriter } from './line-writer.js'
import { eachLine } from './lines.js'
import { PasteReader, type Pasted, type PasteOptions } from './paste-reader.js'
import { isPlainStore } from './stored-key.js'
import { jsonOf, keyLines, linesOfAll } from './verdict-text.js'

/** How keys from a pipe are decoded. */
export interface StreamOptions extends PasteOptions {
  readonly target: Target
  readonly isJson: boolean
}

/**
 * Decodes keys from stdin into one line each. What is no key goes to stderr, or into the JSON. Resolves to how many of these there were. It
 * reads on when its reader has taken what it wrote, so memory stays as it is however long the pipe is.
 */
export async function decodeStream(shell: Shell, { target, isJson, ...options }: StreamOptions): Promise<number> {
  const writer = new LineWriter('one' in target ? target.one.schema : undefined, isJson)
  const hex = new HexReader()
  const reader = new PasteReader(options)
  const sum = new FindSum(options.isFind === true)
  let refused = 0

  const onLine = (buffer: Buffer, start: number, end: number): void => {
    take(reader.push(buffer.toString('utf8', start, end)))
  }
  const take = (all: readonly Pasted[]): void => {
    for (const { line, text, reading, found, isKey } of sum.chosen(reader.lines, answersOf(target, all))) {
      if (!isKey) refused++
      const row = 'one' in target ? found[0]?.row : undefined
      if (row !== undefined) writer.key(row)
      else if (isJson) writer.text(`${jsonOf(target, text, reading, found)}\n`)
      else if (isKey) writer.text(`${keyLines(target, found).join('\n')}\n`)
      else {
        const reasons = linesOfAll(reading, found).map((each) => `  ${each}`)
        shell.tell(`line ${line}: ${printable(text, 100)}\n${reasons.join('\n')}`)
      }
    }
  }
  /** The fast way: lines of hex digits that are keys of the one table. */
  const skipFor =
    (only: Decoder) =>
    (buffer: Buffer, start: number): number => {
      let next = start
      if (reader.isOpen) return next
      while (hex.read(buffer, next)) {
        const row = only.decode(hex.bytes)
        if (typeof row === 'string') break
        reader.count()
        writer.key(row)
        next = hex.end
      }
      return next
    }
  const flush = (): Promise<void> | undefined => {
    const bytes = writer.take()
    return bytes === undefined ? undefined : shell.print(bytes)
  }
  const { from, store, isFind } = options
  const isFast = 'one' in target && (from === undefined || from === 'hex') && isPlainStore(store) && isFind !== true
  await eachLine(shell.stdin, onLine, flush, isFast ? skipFor(target.one) : undefined)
  take(reader.end())
  const told = sum.told()
  if (told !== undefined) shell.tell(told)
  await flush()
  return refused + (told !== undefined && sum.keys === 0 ? 1 : 0)
}
