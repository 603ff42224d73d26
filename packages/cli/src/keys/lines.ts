// Tested by decode-stream.test.ts.
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
  /** Takes the whole lines from `from` on, and returns the offset after them. */
  const takeLines = (buffer: Buffer, from: number): number => {
    for (;;) {
      if (skip !== undefined) from = skip(buffer, from)
      const to = buffer.indexOf(10, from)
      if (to < 0) return from
      line(buffer, from, to)
      from = to + 1
    }
  }
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of input as AsyncIterable<Buffer>) {
    // A line that two chunks share is put together; the others stay where they are.
    const firstEnd = rest.length === 0 ? 0 : chunk.indexOf(10) + 1
    if (rest.length > 0) rest = Buffer.concat([rest, firstEnd === 0 ? chunk : chunk.subarray(0, firstEnd)])
    if (rest.length === 0 || firstEnd > 0) {
      takeLines(rest, 0)
      rest = chunk.subarray(takeLines(chunk, firstEnd))
    }
    if (rest.length > maxLine) throw new Failure(`a line has more than ${maxLine} bytes, which is no key. Nothing after it was read.`)
    const wait = afterChunk()
    if (wait !== undefined) await wait
  }
  if (rest.length > 0) line(rest, 0, rest.length)
  await afterChunk()
}
