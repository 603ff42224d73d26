import { codecError } from '../error.js'

/** Where decoding stands; one per key. */
export class Reader {
  at = 0
  column = ''
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** The offset of the next `length` bytes, which are then behind the reader. */
  take(length: number): number {
    const from = this.at
    if (from + length > this.bytes.length) this.fail(`it ends ${from + length - this.bytes.length} bytes too early`)
    this.at = from + length
    return from
  }

  fail(reason: string): never {
    throw codecError(
      'MALFORMED_KEY',
      `the key is malformed at byte ${this.at}, column '${this.column}': ${reason}. Check that it was written with this layout.`,
      { column: this.column, offset: this.at },
    )
  }
}
