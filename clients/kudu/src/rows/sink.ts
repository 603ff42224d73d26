/** Bytes that are written one after the other, into memory that grows. */
export class Sink {
  bytes: Buffer
  view: DataView
  length = 0

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafe(capacity)
    this.view = viewOf(this.bytes)
  }

  /** Makes room for so many bytes more. */
  ensure(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(256, 2 * this.bytes.length, needed))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
    this.view = viewOf(larger)
  }

  push(bytes: Uint8Array): void {
    this.ensure(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** What has been written. It shares the memory of the sink. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  /** A copy of what has been written. Small arrays of their own are made faster than parts of a larger buffer. */
  copy(): Uint8Array {
    const { bytes, length } = this
    const copy = new Uint8Array(length)
    if (length > smallCopy) copy.set(bytes.subarray(0, length))
    else for (let index = 0; index < length; index++) copy[index] = bytes[index] as number
    return copy
  }
}

const smallCopy = 64

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength)
