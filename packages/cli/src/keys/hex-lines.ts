// Tested by decode-stream.test.ts.

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

/**
 * Reads whole lines of hex digits. This is the fast way for pipes of many keys: it finds the end of a line while it reads, and allocates
 * nothing per key.
 */
export class HexReader {
  /** The bytes of the last line, in memory that the next one overwrites. */
  bytes: Uint8Array = new Uint8Array(0)
  /** The offset after the last line and its line break. */
  end = 0
  private readonly scratch = new Uint8Array(maxBytes)
  /** One view for each length. */
  private readonly views: (Uint8Array | undefined)[] = []

  /** Reads the line that begins at `from`. False for any other line, and for one whose end is not in the buffer. */
  read(buffer: Uint8Array, from: number): boolean {
    const { scratch, views } = this
    const last = Math.min(buffer.length - 1, from + 2 * maxBytes) // reads after the end of an array are slow
    let i = from
    let at = 0
    for (; i < last; at++, i += 2) {
      const byte = (high[buffer[i] as number] as number) | (low[buffer[i + 1] as number] as number)
      if (byte < 0) break // the end of the line, or no key: what follows tells
      scratch[at] = byte
    }
    if (i > last) return false
    if (i < last && buffer[i] === 13) i++
    if (at === 0 || buffer[i] !== 10) return false
    this.end = i + 1
    this.bytes = views[at] ??= scratch.subarray(0, at)
    return true
  }
}
