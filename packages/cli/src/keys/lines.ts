// Tested by pipes.test.ts.
import type { Readable } from 'node:stream'
import { Failure } from '../failure.js'

/** A longer line is not a key, and would have to be held in memory. */
const maxLine = 1 << 20

/**
 * Calls back for each line of a stream, with its place in a buffer, and after each chunk, when the caller may wait. Only one chunk and an
 * unfinished line are in memory.
 *
 * @param skip takes as many whole lines as it likes, and returns the offset after them
 * @throws Failure for a line of more than a megabyte
 */
export async function eachLine(
  input: Readable,
  line: (buffer: Buffer, from: number, to: number) => void,
  afterChunk: () => Promise<void> | undefined,
  skip?: (buffer: Buffer, from: number) => number,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const buffer: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (;;) {
      if (skip !== undefined) from = skip(buffer, from)
      const to = buffer.indexOf(10, from)
      if (to < 0) break
      line(buffer, from, to)
      from = to + 1
    }
    rest = buffer.subarray(from)
    if (rest.length > maxLine) throw new Failure(`a line has more than ${maxLine} bytes, which is no key. Nothing after it was read.`)
    const wait = afterChunk()
    if (wait !== undefined) await wait
  }
  if (rest.length > 0) line(rest, 0, rest.length)
  await afterChunk()
}
