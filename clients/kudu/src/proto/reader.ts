// Tested by proto.test.ts.
import { MalformedAnswer } from '../malformed-answer.js'

/** Reads bytes of the protocol buffers' encoding. It never reads past its end. */
export class Reader {
  readonly #bytes: Buffer
  at: number
  /** Where the message ends that is being read. */
  end: number

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = start
    this.end = end
  }

  #byte(): number {
    if (this.at >= this.end) throw new MalformedAnswer('it ends too early')
    return this.#bytes[this.at++] as number
  }

  /** The low 32 bits of a varint. */
  int32(): number {
    let byte = this.#byte()
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let shift = 7; shift < 70; shift += 7) {
      byte = this.#byte()
      if (shift < 32) value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new MalformedAnswer('it has a number of more than ten bytes')
  }

  uint32(): number {
    return this.int32() >>> 0
  }

  bool(): boolean {
    return this.#varint() !== 0n
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.#varint())
  }

  uint64(): bigint {
    return this.#varint()
  }

  #varint(): bigint {
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#byte()
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else if (shift < 63) high |= bits << (shift - 32)
      else high |= (bits & 1) << 31
      if (byte < 0x80) return high === 0 ? BigInt(low >>> 0) : (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
    }
    throw new MalformedAnswer('it has a number of more than ten bytes')
  }

  fixed64(): bigint {
    this.#need(8)
    const value = this.#bytes.readBigUInt64LE(this.at)
    this.at += 8
    return value
  }

  text(): string {
    const end = this.#endOfValue()
    return this.#bytes.toString('utf8', this.at, (this.at = end))
  }

  /** A copy: a view would keep the whole answer in memory. */
  bytes(): Uint8Array {
    const end = this.#endOfValue()
    return Uint8Array.prototype.slice.call(this.#bytes, this.at, (this.at = end))
  }

  #endOfValue(): number {
    const length = this.length()
    return this.at + length
  }

  /** A length that the message has room for. */
  length(): number {
    const length = this.uint32()
    this.#need(length)
    return length
  }

  skip(length: number): void {
    this.#need(length)
    this.at += length
  }

  #need(length: number): void {
    if (length > this.end - this.at) throw new MalformedAnswer('it ends too early')
  }
}
