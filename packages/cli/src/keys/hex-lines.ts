// Tested by pipes.test.ts.

/** What a hex digit adds to a byte as its first and as its second digit, by its character code; negative for other characters. */
const high = new Int32Array(256).fill(-1)
const low = new Int32Array(256).fill(-1)
for (let value = 0; value < 16; value++) {
  for (const digit of [value.toString(16), value.toString(16).toUpperCase()]) {
    high[digit.charCodeAt(0)] = value << 4
    low[digit.charCodeAt(0)] = value
  }
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
    const byte = (high[buffer[i] as number] as number) | (low[buffer[i + 1] as number] as number)
    if (byte < 0) break // the end of the line, or no key: what follows tells
    scratch[at] = byte
  }
  if (i > last) return undefined
  if (i < last && buffer[i] === 13) i++
  if (at === 0 || buffer[i] !== 10) return undefined
  end = i + 1
  return (views[at] ??= scratch.subarray(0, at))
}
