// Tested by pipes.test.ts.

/** The value of a hex digit by its character code, 255 for others. */
const digits = new Uint8Array(256).fill(255)
for (let value = 0; value < 16; value++) {
  digits[value.toString(16).charCodeAt(0)] = value
  digits[value.toString(16).toUpperCase().charCodeAt(0)] = value
}

/** How many bytes the longest key may have that is read without allocating. */
const maxBytes = 4096
/** The bytes of the last key; one view for each length, so that none is made per key. */
const scratch = new Uint8Array(maxBytes)
const views: (Uint8Array | undefined)[] = []

/** Where the digits of the last line ended. */
let end = 0
/** The offset after the last line of {@link hexAt}, behind its line break. */
export const afterHex = (): number => end

/**
 * The bytes of a whole line of hex digits that begins at `from`, in memory that the next call overwrites; undefined for any other line, and for one
 * whose end is not in the buffer. This is the fast way for pipes of many keys: it finds the end of the line while it reads.
 */
export function hexAt(buffer: Uint8Array, from: number): Uint8Array | undefined {
  const last = Math.min(buffer.length - 1, from + 2 * maxBytes) // reads after the end of an array are slow
  let i = from
  let at = 0
  for (; i < last; at++, i += 2) {
    const high = digits[buffer[i] as number] as number
    if (high > 15) break
    const low = digits[buffer[i + 1] as number] as number
    if (low > 15) return undefined
    scratch[at] = (high << 4) | low
  }
  if (i > last) return undefined
  if (i < last && buffer[i] === 13) i++
  if (at === 0 || buffer[i] !== 10) return undefined
  end = i + 1
  return (views[at] ??= scratch.subarray(0, at))
}
