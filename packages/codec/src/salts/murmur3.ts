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
  let hash = seed | 0
  const blocks = length & ~3
  for (let i = 0; i < blocks; i += 4) {
    const word =
      (bytes[i] as number) | ((bytes[i + 1] as number) << 8) | ((bytes[i + 2] as number) << 16) | ((bytes[i + 3] as number) << 24)
    hash ^= scramble(word)
    hash = (hash << 13) | (hash >>> 19)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let i = length - 1; i >= blocks; i--) tail = (tail << 8) | (bytes[i] as number)
  if (length > blocks) hash ^= scramble(tail)
  hash ^= length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
