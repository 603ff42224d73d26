// Tested by pipes.test.ts.
import { printable } from '@rowkey/codec/internal'
import type { Shell } from '../shell.js'
import { verdicts, type Decoder, type Verdict } from './decode-key.js'
import type { KeyForm } from './key-forms.js'
import { afterHex, hexAt } from './hex-lines.js'
import { LineWriter } from './line-writer.js'
import { eachLine } from './lines.js'
import { readLine } from './shell-lines.js'
import { jsonOfAll, jsonOfOne, linesOfAll } from './verdict-text.js'

/** How keys from a pipe are decoded. */
export interface StreamOptions {
  readonly decoders: readonly Decoder[]
  /** Whether the caller has named the one table. */
  readonly isNamed: boolean
  readonly from: KeyForm | undefined
  readonly isJson: boolean
}

/**
 * Decodes keys from stdin, one a line, into one line each. What is no key goes to stderr, or into the JSON. Resolves to how many lines that were. It
 * reads on when its reader has taken what it wrote, so memory stays as it is however long the pipe is.
 */
export async function decodeStream(shell: Shell, { decoders, isNamed, from, isJson }: StreamOptions): Promise<number> {
  const [only] = decoders
  const writer = new LineWriter((only as Decoder).schema, isJson)
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
    const found = verdicts(decoders, keys)
    const isKey = found.some((verdict) => verdict.row !== undefined)
    if (!isKey) refused++
    if (isJson) writer.text(`${isNamed ? jsonOfOne(line.trim(), found[0], only) : jsonOfAll(line.trim(), found)}\n`)
    else if (isKey) writer.text(found.map((verdict) => keyLine(verdict, isNamed)).join(''))
    else {
      const reasons = linesOfAll(found).map((each) => `  ${each}`)
      shell.tell(`line ${number}: ${printable(line.trim(), 100)}\n${reasons.join('\n')}`)
    }
  }
  /** The fast way: lines of hex digits that are keys of the one table. */
  const skip = (buffer: Buffer, start: number): number => {
    let next = start
    for (;;) {
      const bytes = hexAt(buffer, next)
      if (bytes === undefined) return next
      const row = (only as Decoder).decode(bytes)
      if (typeof row === 'string') return next
      number++
      writer.key(row)
      next = afterHex()
    }
  }
  const flush = (): Promise<void> | undefined => {
    const bytes = writer.take()
    return bytes === undefined ? undefined : shell.print(bytes)
  }
  await eachLine(shell.stdin, onLine, flush, isNamed && (from === undefined || from === 'hex') ? skip : undefined)
  return refused
}

const keyLine = ({ decoder, row }: Verdict, isNamed: boolean): string =>
  row === undefined ? '' : `${isNamed ? '' : `${decoder.schema.name}  `}${decoder.line(row)}\n`
