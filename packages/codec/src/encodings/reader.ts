import { codecError } from '../error.js'
import { isBytes, view } from '../values/built-in.js'
import { show } from '../values/show.js'

/** Where decoding stands; one per key. */
export class Reader {
  at = 0
  column = ''
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    if (!isBytes(bytes)) throw malformed('', 0, `${show(bytes)} is no Uint8Array`)
    this.bytes = bytes
  }

  /** The offset of the next `length` bytes, which are then behind the reader. */
  take(length: number): number {
    const from = this.at
    if (from + length > this.bytes.length) this.fail(`it ends too early, at ${this.bytes.length} bytes`)
    this.at = from + length
    return from
  }

  /** The bytes from `from` up to the reader, each XORed with `flip`; never shares memory with the key. */
  cut(from: number, flip: number): Uint8Array {
    const bytes = new Uint8Array(view(this.bytes, from, this.at)) // a Buffer's slice() would share
    if (flip !== 0) for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i] as number) ^ flip
    return bytes
  }

  fail(reason: string): never {
    throw malformed(this.column, this.at, reason)
  }
}

/** The one error of decoding; `offset` is where reading stopped. */
export function malformed(column: string, offset: number, reason: string, options?: ErrorOptions): Error {
  const where = column === '' ? '' : `, column '${column}'`
  const message = `the key is malformed at byte ${offset}${where}: ${reason}. Check that it was written with this layout.`
  return codecError('MALFORMED_KEY', message, { column, offset }, options)
}
