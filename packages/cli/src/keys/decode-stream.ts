// Tested by pipes.test.ts.
import type { Readable } from 'node:stream'
import { printable } from '@rowkey/codec/internal'
import { print, tell } from '../output.js'
import type { Decoder } from './decode-key.js'
import { verdicts } from './decode-key.js'
import type { KeyForm } from './key-forms.js'
import { hexBetween } from './hex-lines.js'
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
 * Decodes keys from a pipe, one a line, into one line each. What is no key goes to stderr, or into the JSON. Resolves to how many lines that were. It
 * reads on when its reader has taken what it wrote, so memory stays as it is however long the pipe is.
 */
export async function decodeStream(input: Readable, { decoders, isNamed, from, isJson }: StreamOptions): Promise<number> {
  const [only] = decoders
  const isFast = isNamed && only !== undefined && (from === undefined || from === 'hex')
  const before = isJson ? `{"rowkey":1,"table":${JSON.stringify(only?.schema.name)},"key":{` : ''
  const after = isJson ? '}}\n' : '\n'
  const columns = isJson ? only?.json : only?.line
  let text = ''
  let number = 0
  let refused = 0
  let lastRow = ''

  const slow = (buffer: Buffer, start: number, end: number): void => {
    const line = buffer.toString('utf8', start, end)
    const keys = readLine(line, from)
    if (keys === 'nothing') return
    const isRow = line.includes('column=')
    const row = isRow ? (/^ ?(.*?) +column=/.exec(line)?.[1] ?? '') : ''
    if (isRow && row === lastRow) return // the next cell of a row
    lastRow = row
    const found = verdicts(decoders, keys)
    const isKey = found.some((verdict) => verdict.row !== undefined)
    if (!isKey) refused++
    if (isJson) text += `${isNamed ? jsonOfOne(line.trim(), found[0], only) : jsonOfAll(line.trim(), found)}\n`
    else if (isKey)
      text += found
        .flatMap(({ decoder, row: key }) =>
          key === undefined ? [] : [`${isNamed ? '' : `${decoder.schema.name}  `}${decoder.line(key)}\n`],
        )
        .join('')
    else
      tell(
        `line ${number}: ${printable(line.trim(), 100)}\n${linesOfAll(found)
          .map((each) => `  ${each}`)
          .join('\n')}`,
      )
  }
  const onLine = (buffer: Buffer, start: number, end: number): void => {
    number++
    if (isFast) {
      const bytes = hexBetween(buffer, start, buffer[end - 1] === 13 ? end - 1 : end)
      const row = bytes === undefined ? '' : only.decode(bytes)
      if (typeof row !== 'string') {
        text += before + (columns as Decoder['line'])(row) + after
        return
      }
    }
    slow(buffer, start, end)
  }
  const flush = (): Promise<void> | undefined => {
    if (text === '') return undefined
    const now = text
    text = ''
    return print(now)
  }
  await eachLine(input, onLine, flush)
  return refused
}
