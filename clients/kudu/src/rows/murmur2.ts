// MurmurHash64A in halves of 32 bits: bigints would take most of the time of a write.

const high = 0xc6a4a793
const low = 0x5bd1e995
const low0 = low & 0xffff
const low1 = low >>> 16

/** The high half of a product with the multiplier; its low half is `Math.imul(l, low)`. */
function highOfProduct(h: number, l: number): number {
  const l0 = l & 0xffff
  const l1 = l >>> 16
  const middle = l1 * low0 + ((l0 * low0) >>> 16)
  const carry = l0 * low1 + (middle & 0xffff)
  // Both sums are less than 2 ** 32.
  return (Math.imul(l1, low1) + (middle >>> 16) + (carry >>> 16) + Math.imul(h, low) + Math.imul(l, high)) | 0
}

/** The remainder of the hash, as an unsigned number of 64 bits, by a number of buckets. The bytes are those before `end`. */
export function bucketOf(bytes: DataView, end: number, seed: number, buckets: number): number {
  let h = highOfProduct(0, end)
  let l = Math.imul(end, low) ^ seed
  const whole = end & ~7
  for (let position = 0; position < whole; position += 8) {
    const a = bytes.getInt32(position, true)
    let kh = highOfProduct(bytes.getInt32(position + 4, true), a)
    let kl = Math.imul(a, low)
    kl ^= kh >>> 15
    kh = highOfProduct(kh, kl)
    kl = Math.imul(kl, low)
    h ^= kh
    l ^= kl
    h = highOfProduct(h, l)
    l = Math.imul(l, low)
  }
  if (whole < end) {
    for (let index = whole; index < end; index++) {
      const shift = 8 * (index - whole)
      if (shift < 32) l ^= bytes.getUint8(index) << shift
      else h ^= bytes.getUint8(index) << (shift - 32)
    }
    h = highOfProduct(h, l)
    l = Math.imul(l, low)
  }
  l ^= h >>> 15
  h = highOfProduct(h, l)
  l = Math.imul(l, low)
  l ^= h >>> 15
  return remainder(h >>> 0, l >>> 0, buckets)
}

function remainder(h: number, l: number, buckets: number): number {
  const high32 = 2 ** 32 % buckets
  const product = (h % buckets) * high32
  if (product <= Number.MAX_SAFE_INTEGER - 2 ** 32) return (product + l) % buckets
  return Number(((BigInt(h) << 32n) | BigInt(l)) % BigInt(buckets))
}
