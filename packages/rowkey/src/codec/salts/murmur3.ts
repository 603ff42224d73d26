/**
 * MurmurHash3_x86_32 of `bytes[0, length)`, unsigned: the hash of {@link bucket}, also of fingerprints and shards.
 * Source: the public-domain reference, smhasher MurmurHash3.cpp.
 *
 * @example
 * ```ts
 * murmur3(new Uint8Array([104, 101, 108, 108, 111]), 5, 0).toString(16) //=> '248bfa47'
 * ```
 */
export function murmur3(bytes: Uint8Array, length: number, seed: number): number {
  return murmur3Of(bytes, 0, length, seed)
}

/** The same of `bytes[from, to)`. @internal */
export function murmur3Of(bytes: Uint8Array, from: number, to: number, seed: number): number {
  let hash = seed | 0
  const tailAt = to - ((to - from) & 3)
  for (let i = from; i < tailAt; i += 4) {
    const word =
      (bytes[i] as number) | ((bytes[i + 1] as number) << 8) | ((bytes[i + 2] as number) << 16) | ((bytes[i + 3] as number) << 24)
    hash ^= scramble(word)
    hash = (hash << 13) | (hash >>> 19)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let i = to - 1; i >= tailAt; i--) tail = (tail << 8) | (bytes[i] as number)
  if (to > tailAt) hash ^= scramble(tail)
  hash ^= to - from
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
