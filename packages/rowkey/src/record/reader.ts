import type { Value } from '#codec'
import { eightBytes, eightView } from './eight-bytes.js'
import { readText } from './text.js'
import type { Wire } from './wire.js'

/** What is wrong with a record. It never leaves this package: the caller adds the table and the column. */
export class Malformed extends Error {}

const fail = (what: string): never => {
  throw new Malformed(what)
}

const nil = 0xc0

/** Reads MessagePack, never beyond the end. */
export class Reader {
  at = 0
  private bytes: Uint8Array = new Uint8Array(0)

  start(bytes: Uint8Array): void {
    this.bytes = bytes
    this.at = 0
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length
  }

  integer(): number {
    return this.number(this.byte())
  }

  array(): number {
    const token = this.byte()
    if (token >= 0x90 && token < 0xa0) return token - 0x90
    return token === 0xdc ? this.unsigned(2) : fail('is not a list')
  }

  value({ form, accepts, min, max, minBigint, maxBigint }: Wire): Value {
    const token = this.byte()
    if (token === nil) return null
    switch (form) {
      case 'text':
      case 'bytes': {
        const value = form === 'text' ? this.text(token) : this.binary(token)
        return accepts === undefined || accepts(value) ? value : fail('holds a value that its type does not allow')
      }
      case 'int': {
        const value = this.number(token)
        return value >= min && value <= max ? value : fail(`holds ${value}, outside ${min} to ${max}`)
      }
      case 'bigint': {
        const value = this.bigint(token)
        return value >= minBigint && value <= maxBigint ? value : fail(`holds ${value}, outside ${minBigint} to ${maxBigint}`)
      }
      case 'boolean':
        return token === 0xc3 ? true : token === 0xc2 ? false : this.otherForm(token, form)
      case 'float64':
        return token === 0xcb ? this.eight(8).getFloat64(0) : this.otherForm(token, form)
      case 'float32':
        return token === 0xca ? this.eight(4).getFloat32(0) : this.otherForm(token, form)
    }
  }

  /** Skips one value of any form that records have. */
  skip(): void {
    const token = this.byte()
    if (token < 0x80 || token >= 0xe0 || token === nil || token === 0xc2 || token === 0xc3) return
    const length = token >= 0xa0 && token < 0xc0 ? token - 0xa0 : (lengths[token - 0xc4] ?? -1)
    if (length >= 0) this.take(length)
    else if (token >= 0xc4 && token <= 0xc6) this.take(this.unsigned(2 ** (token - 0xc4)))
    else if (token >= 0xd9 && token <= 0xdb) this.take(this.unsigned(2 ** (token - 0xd9)))
    else this.otherForm(token, 'a value')
  }

  private number(token: number): number {
    if (token < 0x80) return token
    if (token >= 0xe0) return token - 0x100
    if (token >= 0xcc && token <= 0xce) return this.unsigned(2 ** (token - 0xcc))
    if (token >= 0xd0 && token <= 0xd2) {
      const bits = 8 * 2 ** (token - 0xd0)
      const value = this.unsigned(bits / 8)
      return value < 2 ** (bits - 1) ? value : value - 2 ** bits
    }
    if (token !== 0xcf && token !== 0xd3) return this.otherForm(token, 'an integer')
    const upper = this.unsigned(4)
    const lower = this.unsigned(4)
    return (token === 0xd3 ? upper | 0 : upper) * 2 ** 32 + lower
  }

  private bigint(token: number): bigint {
    if (token === 0xcf) return this.eight(8).getBigUint64(0)
    return token === 0xd3 ? this.eight(8).getBigInt64(0) : BigInt(this.number(token))
  }

  private text(token: number): string {
    const length =
      token >= 0xa0 && token < 0xc0
        ? token - 0xa0
        : token >= 0xd9 && token <= 0xdb
          ? this.unsigned(2 ** (token - 0xd9))
          : this.otherForm(token, 'text')
    const from = this.at
    this.take(length)
    return readText(this.bytes, from, this.at) ?? fail('holds bytes that are not UTF-8')
  }

  private binary(token: number): Uint8Array {
    const length = token >= 0xc4 && token <= 0xc6 ? this.unsigned(2 ** (token - 0xc4)) : this.otherForm(token, 'bytes')
    const from = this.at
    this.take(length)
    return Uint8Array.prototype.slice.call(this.bytes, from, this.at)
  }

  private byte(): number {
    const { bytes, at } = this
    if (at >= bytes.length) return fail('is cut off')
    this.at = at + 1
    return bytes[at] as number
  }

  private unsigned(count: number): number {
    const from = this.at
    this.take(count)
    let value = 0
    for (let i = from; i < this.at; i++) value = value * 256 + (this.bytes[i] as number)
    return value
  }

  /** Reads the next bytes, as a view of one number. */
  private eight(count: number): DataView {
    const from = this.at
    this.take(count)
    for (let i = 0; i < count; i++) eightBytes[i] = this.bytes[from + i] as number
    return eightView
  }

  private take(count: number): void {
    if (this.at + count > this.bytes.length) fail('is cut off')
    this.at += count
  }

  private otherForm(token: number, wanted: string): never {
    return fail(`has the token 0x${token.toString(16)} instead of ${wanted}`)
  }
}

/** The number of bytes after a token from 0xc4: floats and integers. */
const lengths: readonly number[] = [-1, -1, -1, -1, -1, -1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8]
