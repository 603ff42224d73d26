// The same values in every host: nothing but integer arithmetic and bits.

const pieces = ['\0', '\x01', 'a', 'b', 'web-1', '_', '\x7f', 'é', '\u07ff', '\u0800', '\ufeff', '\uff5e', '\uffff', '😀', '\u{10ffff}']

export function randomValues(seed) {
  const word = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
  const below = (count) => word() % count
  const one = (list) => list[below(list.length)]
  const view = new DataView(new ArrayBuffer(8))
  const filled = () => {
    view.setUint32(0, word())
    view.setUint32(4, word())
    return view
  }
  /** NaN has one form in a key, and -0 comes back as 0. */
  const canonical = (float) => (Number.isNaN(float) ? NaN : float + 0)
  const hex = (digits) => Array.from({ length: digits }, () => one([...'0123456789abcdef'])).join('')
  return {
    below,
    one,
    /** Mostly short, at times longer than what any loop is unrolled for. */
    text: () => Array.from({ length: one([0, 1, 3, 5, 30, 120]) }, () => one(pieces)).join(''),
    bytes: (length) => Uint8Array.from({ length }, () => one([0, 1, 255, below(256)])),
    /** All bits are used, and the ends are frequent. */
    integer: (bits, signed) => {
      const all = signed ? BigInt.asIntN(bits, filled().getBigInt64(0)) : BigInt.asUintN(bits, filled().getBigUint64(0))
      const low = signed ? -(2n ** BigInt(bits - 1)) : 0n
      return one([all, all, all, low, low + 2n ** BigInt(bits) - 1n, 0n, 1n])
    },
    float32: () => canonical(one([filled().getFloat32(0), 0, 1.5, -Infinity])),
    float64: () => canonical(one([filled().getFloat64(0), 0, 0.1, Infinity])),
    uuid: () => `${hex(8)}-${hex(4)}-${one(['1', '4', '7'])}${hex(3)}-${hex(4)}-${hex(12)}`,
    ulid: () => one(['0', '7']) + Array.from({ length: 25 }, () => one([...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'])).join(''),
  }
}
