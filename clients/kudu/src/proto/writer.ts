// Tested by proto.test.ts.

/**
 * Writes from the last byte to the first: the length of a part is known when it is written before the part, and nothing is moved or measured
 * twice. Bytes are copied once, into the frame that is sent.
 */
export class Writer {
  #bytes: Buffer
  #at: number

  constructor(capacity = 512) {
    this.#bytes = Buffer.allocUnsafe(capacity)
    this.#at = capacity
  }

  /** Bytes so far. */
  get length(): number {
    return this.#bytes.length - this.#at
  }

  finish(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  /** Makes room, and returns where it begins. */
  #take(count: number): number {
    if (count > this.#at) this.#grow(count)
    this.#at -= count
    return this.#at
  }

  #grow(count: number): void {
    const { length } = this
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, length + count + 512))
    this.#bytes.copy(larger, larger.length - length, this.#at)
    this.#at = larger.length - length
    this.#bytes = larger
  }

  uint32BE(value: number): void {
    const at = this.#take(4)
    this.#bytes.writeUInt32BE(value, at)
  }

  fixed64(value: bigint): void {
    const at = this.#take(8)
    this.#bytes.writeBigUInt64LE(value, at)
  }

  /** From 0 to 2³² − 1. */
  uint32(value: number): void {
    if (value < 0x80) {
      // First: it may change where bytes are.
      const at = this.#take(1)
      this.#bytes[at] = value
      return
    }
    let at = this.#take(value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5)
    for (; value >= 0x80; value >>>= 7) this.#bytes[at++] = (value & 0x7f) | 0x80
    this.#bytes[at] = value
  }

  /** Negative ones have ten bytes. */
  int32(value: number): void {
    if (value < 0) this.varint(BigInt.asUintN(64, BigInt(value)))
    else this.uint32(value)
  }

  /** From 0 to 2⁶⁴ − 1. */
  varint(value: bigint): void {
    let count = 1
    for (let rest = value >> 7n; rest > 0n; rest >>= 7n) count++
    let at = this.#take(count)
    for (; count > 1; count--, value >>= 7n) this.#bytes[at++] = Number(value & 0x7fn) | 0x80
    this.#bytes[at] = Number(value)
  }

  /** Text with its length. */
  text(value: string): void {
    const length = Buffer.byteLength(value)
    const at = this.#take(length)
    this.#bytes.write(value, at)
    this.uint32(length)
  }

  /** Bytes with their length. */
  bytes(value: Uint8Array): void {
    const at = this.#take(value.length)
    this.#bytes.set(value, at)
    this.uint32(value.length)
  }
}
