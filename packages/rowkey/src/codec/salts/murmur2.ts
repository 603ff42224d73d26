// The multiplier of the hash, c6a4a7935bd1e995, in halves, and the lower half in quarters.
const upper = 0xc6a4a793
const lower = 0x5bd1e995
const third = lower >>> 16
const fourth = lower & 0xffff

// The hash as two unsigned halves: a result of two numbers without an object per call.
const halves = /* @__PURE__ */ new Uint32Array(2)

/**
 * MurmurHash2-64A of `bytes[from, to)`, an unsigned 64-bit number, modulo `modulo` (1 to 2^31 - 1): Kudu's bucket. `seed` is a
 * 32-bit unsigned integer. Allocates nothing. Source: the public-domain reference, smhasher MurmurHash2.cpp.
 *
 * @internal
 * @example
 * ```ts
 * murmur2Modulo(new Uint8Array([97, 98, 99]), 0, 3, 0, 16) //=> 11
 * ```
 */
export function murmur2Modulo(bytes: Uint8Array, from: number, to: number, seed: number, modulo: number): number {
  hash(bytes, from, to, seed)
  const high = halves[0] as number
  const low = halves[1] as number
  // 16 bits at a time stay below 2^53, where the remainder of a double is exact.
  const remainder = ((high % modulo) * 0x10000 + (low >>> 16)) % modulo
  return (remainder * 0x10000 + (low & 0xffff)) % modulo
}

/** The whole hash, 16 hex digits. */
export function murmur2Hex(bytes: Uint8Array, seed: number): string {
  hash(bytes, 0, bytes.length, seed)
  return Array.from(halves, (half) => half.toString(16).padStart(8, '0')).join('')
}

function hash(bytes: Uint8Array, from: number, to: number, seed: number): void {
  const length = to - from
  let high = upperProduct(0, length)
  let low = Math.imul(length, lower) ^ seed
  const tail = to - (length & 7)
  for (let at = from; at < tail; at += 8) {
    const word = wholeWord(bytes, at)
    let wordHigh = upperProduct(wholeWord(bytes, at + 4), word)
    let wordLow = Math.imul(word, lower)
    wordLow ^= wordHigh >>> 15 // all 64 bits shifted by 47
    wordHigh = upperProduct(wordHigh, wordLow)
    wordLow = Math.imul(wordLow, lower)
    high = upperProduct(high ^ wordHigh, low ^ wordLow)
    low = Math.imul(low ^ wordLow, lower)
  }
  if (tail < to) {
    high ^= partOfWord(bytes, tail + 4, to)
    low ^= partOfWord(bytes, tail, Math.min(tail + 4, to))
    high = upperProduct(high, low)
    low = Math.imul(low, lower)
  }
  low ^= high >>> 15
  high = upperProduct(high, low)
  low = Math.imul(low, lower)
  halves[0] = high
  halves[1] = low ^ (high >>> 15)
}

/** Four bytes, the first one lowest. */
const wholeWord = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24)

/** Up to three bytes, the first one lowest. */
function partOfWord(bytes: Uint8Array, from: number, to: number): number {
  let word = 0
  for (let at = to - 1; at >= from; at--) word = (word << 8) | (bytes[at] as number)
  return word
}

/** The upper half of the product with the multiplier modulo 2^64; the lower half is `Math.imul(low, lower)`. */
function upperProduct(high: number, low: number): number {
  const a = low >>> 16
  const b = low & 0xffff
  // No sum here reaches 2^32: the largest product of quarters leaves room for a carry.
  const middle = a * fourth + ((b * fourth) >>> 16)
  const carried = b * third + (middle & 0xffff)
  const top = a * third + (middle >>> 16) + (carried >>> 16)
  return (top + Math.imul(low, upper) + Math.imul(high, lower)) | 0
}
