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

/**
 * The bytes of a line of hex digits in a buffer, in memory that the next call overwrites; undefined for anything else. This is the fast way for
 * pipes of many keys.
 */
export function hexBetween(buffer: Uint8Array, from: number, to: number): Uint8Array | undefined {
  const length = (to - from) >> 1
  if (length === 0 || length > maxBytes || ((to - from) & 1) !== 0) return undefined
  for (let at = 0, i = from; at < length; at++, i += 2) {
    const high = digits[buffer[i] as number] as number
    const low = digits[buffer[i + 1] as number] as number
    if ((high | low) === 255) return undefined
    scratch[at] = (high << 4) | low
  }
  return (views[length] ??= scratch.subarray(0, length))
}
