import { isRowkeyError } from 'rowkey/codec'
import { inspect } from 'node:util'
import { expect } from 'vitest'

/** Compares what an expression of a page gives with what the page says. */
export async function check(run: () => unknown, output: string): Promise<void> {
  if (output.startsWith('throws ')) {
    const error = await Promise.resolve()
      .then(run)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      )
    expect(isRowkeyError(error) ? `throws ${error.code}` : error).toBe(output)
    return
  }
  // inspect writes `[ 1 ]`, our pages write `[1]`.
  expect(
    inspect(await run(), { breakLength: Infinity, depth: 6 })
      .replaceAll('[ ', '[')
      .replaceAll(' ]', ']'),
  ).toBe(output)
}
