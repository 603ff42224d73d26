// Tested by stores-transfer.test.ts.
import type { Readable } from 'node:stream'
import { Failure } from '../failure.js'

/** The text of a line and its number from 1. */
export interface Line {
  readonly number: number
  readonly text: string
}

/** More than any row has; it would have to be held in memory. */
const maxLine = 1 << 26

/**
 * The lines of a stream. One chunk and an unfinished line are in memory.
 *
 * @throws Failure for a line of more than 64 MiB, or that is not UTF-8
 */
export async function* linesOf(input: Readable): AsyncGenerator<Line, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let number = 0
  const line = (bytes: Uint8Array): Line => {
    number++
    try {
      return { number, text: decoder.decode(bytes) }
    } catch (error) {
      throw new Failure(`line ${number} is not UTF-8.`, undefined, { cause: error })
    }
  }
  let rest: Uint8Array[] = []
  let length = 0
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0
    for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
      yield line(Buffer.concat([...rest, chunk.subarray(from, to)]))
      rest = []
      length = 0
      from = to + 1
    }
    rest.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > maxLine) throw new Failure(`line ${number + 1} has more than ${maxLine} bytes.`)
  }
  if (length > 0) yield line(Buffer.concat(rest))
}
