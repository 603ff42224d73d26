// Tested by malformed.test.ts.
import { hexOf, isBytes } from '../built-in.js'
import { codecError } from '../error.js'
import { show, showName } from '../show.js'

/**
 * The position of decoding; one per key. It applies the direction of the column that it reads, so encodings only read ascending bytes.
 *
 * @internal
 * @example
 * ```ts
 * const reader = new Reader(fromHex('0a0b'))
 * reader.byte() //=> 10
 * reader.left   //=> 1
 * ```
 */
export class Reader {
  at = 0
  column = ''
  /** What every byte is XORed with: 255 in a descending column. */
  mask: 0 | 255 = 0
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    if (!isBytes(bytes)) throw malformed('', 0, `${show(bytes)} is not a Uint8Array (fromHex() converts hex)`)
    this.bytes = bytes
  }

  /** The number of bytes that are left. */
  get left(): number {
    return this.bytes.length - this.at
  }

  /** Moves past the next `length` bytes and returns where they begin. */
  advance(length: number): number {
    const from = this.at
    if (from + length > this.bytes.length) this.fail(`it ends too early, at ${this.bytes.length} bytes`)
    this.at = from + length
    return from
  }

  /** Returns the next byte and moves past it. */
  byte(): number {
    const byte = this.bytes[this.at] ?? this.fail(`it ends too early, at ${this.bytes.length} bytes`)
    this.at++
    return byte ^ this.mask
  }

  /** The next `length` bytes as one number, the highest byte first; moves past them. */
  unsigned(length: number): number {
    const from = this.advance(length)
    let value = 0
    for (let i = from; i < this.at; i++) value = value * 256 + ((this.bytes[i] as number) ^ this.mask)
    return value
  }

  /** Whether these bytes come next. */
  isNext(expected: Uint8Array): boolean {
    return expected.every((byte, i) => byte === this.byteAt(this.at + i))
  }

  /** Moves past these bytes, which must come next. */
  pass(expected: Uint8Array): void {
    if (!this.isNext(expected)) this.fail(`the bytes ${hexOf(expected)} must come next`)
    this.at += expected.length
  }

  /** Moves past the next 00. */
  passZero(): void {
    const { bytes, mask } = this
    while (this.at < bytes.length && bytes[this.at] !== mask) this.at++
    this.advance(1)
  }

  /** The byte at an offset; -1 after the end. */
  byteAt(offset: number): number {
    const byte = this.bytes[offset]
    return byte === undefined ? -1 : byte ^ this.mask
  }

  /** The bytes from `from` up to the reader, in memory of their own. */
  copyFrom(from: number): Uint8Array {
    const copy = new Uint8Array(this.at - from)
    this.copyInto(copy, from, copy.length)
    return copy
  }

  /** `length` bytes from `from` on, which the reader has passed, to the beginning of `target`. */
  copyInto(target: Uint8Array, from: number, length: number): void {
    const { bytes, mask } = this
    for (let i = 0; i < length; i++) target[i] = (bytes[from + i] as number) ^ mask
  }

  fail(reason: string): never {
    throw malformed(this.column, this.at, reason)
  }
}

/** The one error of decoding; `offset` is where reading stopped. */
export function malformed(column: string, offset: number, reason: string, options?: ErrorOptions): Error {
  const where = column === '' ? '' : `, column '${showName(column)}'`
  const message = `the key is malformed at byte ${offset}${where}: ${reason}. Check that it was written with this layout.`
  return codecError('MALFORMED_KEY', message, { column: showName(column), offset, reason }, options)
}
