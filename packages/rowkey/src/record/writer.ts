// Also tested by record-format.test.ts.
import type { Value } from '#codec'
import { eightBytes, eightView } from './eight-bytes.js'
import { writeText } from './text.js'
import type { Wire } from './wire.js'

const high = 2 ** 32

/** Writes MessagePack into bytes that grow. */
export class Writer {
  private bytes = new Uint8Array(4096)
  private at = 0

  start(): void {
    this.at = 0
  }

  /** A copy of what was written since {@link start}. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.at)
  }

  array(length: number): void {
    this.room(3)
    if (length < 16) this.bytes[this.at++] = 0x90 | length
    else this.short(0xdc, length)
  }

  /** Bytes of another record, unchanged. */
  raw(source: Uint8Array, from: number, to: number): void {
    this.room(to - from)
    for (let i = from; i < to; i++) this.bytes[this.at++] = source[i] as number
  }

  nil(): void {
    this.room(1)
    this.bytes[this.at++] = 0xc0
  }

  value(value: Value, form: Wire['form']): void {
    if (value === null) this.nil()
    else if (typeof value === 'string') this.text(value)
    else if (typeof value === 'bigint') this.bigint(value)
    else if (typeof value === 'boolean') this.boolean(value)
    else if (typeof value !== 'number') this.binary(value)
    else if (form === 'float64' || form === 'float32') this.float(value, form)
    else this.integer(value)
  }

  boolean(value: boolean): void {
    this.room(1)
    this.bytes[this.at++] = value ? 0xc3 : 0xc2
  }

  text(text: string): void {
    this.room(5 + text.length * 3)
    const head = this.at
    const ascii = text.length < 32 ? 1 : text.length < 256 ? 2 : text.length < 65_536 ? 3 : 5
    const end = writeText(this.bytes, head + ascii, text)
    const length = end - head - ascii
    const size = length < 32 ? 1 : length < 256 ? 2 : length < 65_536 ? 3 : 5
    // If there are more bytes than units, the head may have to be longer than expected.
    if (size !== ascii) this.bytes.copyWithin(head + size, head + ascii, end)
    if (size === 1) this.bytes[this.at++] = 0xa0 | length
    else this.length(length, 0xd9)
    this.at += length
  }

  /** An integer that a number holds exactly, in its shortest form. */
  integer(value: number): void {
    this.room(9)
    const { bytes } = this
    if (value >= 0) {
      if (value < 0x80) bytes[this.at++] = value
      else if (value < 0x100) this.byte(0xcc, value)
      else if (value < 0x1_0000) this.short(0xcd, value)
      else if (value < high) this.long(0xce, value)
      else this.pair(0xcf, Math.floor(value / high), value % high)
      return
    }
    if (value >= -0x20) bytes[this.at++] = value & 0xff
    else if (value >= -0x80) this.byte(0xd0, value)
    else if (value >= -0x8000) this.short(0xd1, value)
    else if (value >= -0x8000_0000) this.long(0xd2, value)
    else {
      const upper = Math.floor(value / high)
      this.pair(0xd3, upper, value - upper * high)
    }
  }

  private bigint(value: bigint): void {
    if (value >= -0x8000_0000n && value < 0x1_0000_0000n) {
      this.integer(Number(value))
      return
    }
    this.room(9)
    this.bytes[this.at++] = value < 0n ? 0xd3 : 0xcf
    eightView.setBigInt64(0, BigInt.asIntN(64, value))
    this.eight(8)
  }

  private float(value: number, form: 'float32' | 'float64'): void {
    this.room(9)
    this.bytes[this.at++] = form === 'float32' ? 0xca : 0xcb
    if (form === 'float32') eightView.setFloat32(0, value)
    else eightView.setFloat64(0, value)
    this.eight(form === 'float32' ? 4 : 8)
  }

  private binary(value: Uint8Array): void {
    this.room(5 + value.length)
    this.length(value.length, 0xc4)
    this.bytes.set(value, this.at)
    this.at += value.length
  }

  /** The head of text or bytes that are too long for the shortest form: `token` for 8 bits, the next one for 16, the one after that for 32. */
  private length(length: number, token: number): void {
    if (length < 0x100) this.byte(token, length)
    else if (length < 0x1_0000) this.short(token + 1, length)
    else this.long(token + 2, length)
  }

  private byte(token: number, value: number): void {
    this.bytes[this.at++] = token
    this.bytes[this.at++] = value
  }

  private short(token: number, value: number): void {
    this.byte(token, value >> 8)
    this.bytes[this.at++] = value
  }

  private long(token: number, value: number): void {
    this.short(token, value >>> 16)
    this.bytes[this.at++] = value >>> 8
    this.bytes[this.at++] = value
  }

  private pair(token: number, upper: number, lower: number): void {
    this.long(token, upper)
    this.bytes[this.at++] = lower >>> 24
    this.bytes[this.at++] = lower >>> 16
    this.bytes[this.at++] = lower >>> 8
    this.bytes[this.at++] = lower
  }

  private eight(count: number): void {
    for (let i = 0; i < count; i++) this.bytes[this.at++] = eightBytes[i] as number
  }

  private room(count: number): void {
    if (this.at + count <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.at + count))
    larger.set(this.bytes)
    this.bytes = larger
  }
}
