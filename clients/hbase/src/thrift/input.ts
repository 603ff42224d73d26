// Tested by results.test.ts and fuzz.test.ts.
/** The answer is not what the protocol or the call allows. */
export class MalformedAnswer extends Error {}

/**
 * Reads a value as far as it has arrived, and yields when it needs more bytes. So nothing is read twice, wherever an answer is cut into
 * pieces.
 */
export type Reading<Value> = Generator<undefined, Value, undefined>

/** The type of a value on the wire, and how it is read. */
export interface Reader<Value> {
  readonly type: number
  read(input: Input): Reading<Value>
}

const empty = new Uint8Array(0)

/**
 * Bytes of answers as they arrive. Before something is read, {@link Input.has} must say that it is there; where it says no, the reader yields
 * and asks again. Bytes are handed out as views of the memory in which they have arrived.
 */
export class Input {
  #bytes: Uint8Array = empty
  #position = 0
  /** How far this answer has arrived. */
  #end = 0
  /** How far bytes have arrived, of whichever answer. */
  #arrived = 0
  /** Where this answer must have ended. */
  #limit = 0
  /** What arrived while the reader waited for more. */
  #later: Uint8Array[] = []
  #laterLength = 0
  #wanted = 0

  /** Takes bytes that have arrived, and returns whether the reader can go on. */
  append(bytes: Uint8Array): boolean {
    this.#later.push(bytes)
    this.#laterLength += bytes.length
    const rest = this.#arrived - this.#position
    if (rest + this.#laterLength < this.#wanted) return false
    this.#join(rest)
    return true
  }

  /** An answer begins that has at most `maxLength` bytes. */
  begin(maxLength: number): void {
    this.#limit = this.#position + maxLength
    this.#end = Math.min(this.#arrived, this.#limit)
  }

  /** Whether all that has arrived has been read. */
  get isEmpty(): boolean {
    return this.#position === this.#arrived
  }

  /** Whether this answer has been read as far as it may go. */
  get isAtLimit(): boolean {
    return this.#position === this.#limit
  }

  /** Whether `length` bytes of this answer have arrived. @throws MalformedAnswer if it cannot have them */
  has(length: number): boolean {
    if (this.#position + length <= this.#end) return true
    this.reserve(length)
    this.#wanted = length
    return false
  }

  /** Whatever says how many bytes follow is checked before anybody waits for them. @throws MalformedAnswer if this answer cannot have them */
  reserve(length: number): void {
    const left = this.#limit - this.#position
    if (length > left) throw new MalformedAnswer(`it would need ${length} more bytes where at most ${left} are allowed`)
  }

  byte(): number {
    return this.#bytes[this.#position++] as number
  }

  int16(): number {
    const bytes = this.#bytes
    const position = this.#position
    this.#position = position + 2
    return (((bytes[position] as number) << 24) >> 16) | (bytes[position + 1] as number)
  }

  int32(): number {
    const bytes = this.#bytes
    const position = this.#position
    this.#position = position + 4
    return (
      ((bytes[position] as number) << 24) |
      ((bytes[position + 1] as number) << 16) |
      ((bytes[position + 2] as number) << 8) |
      (bytes[position + 3] as number)
    )
  }

  int64(): bigint {
    const high = this.int32()
    return (BigInt(high) << 32n) | BigInt(this.int32() >>> 0)
  }

  /** A length or a count, of things that have at least `size` bytes each. */
  count(size: number): number {
    const count = this.int32()
    if (count < 0) throw new MalformedAnswer(`a length is ${count}`)
    this.reserve(count * size)
    return count
  }

  /** The next bytes, as a view. */
  view(length: number): Uint8Array {
    const position = this.#position
    this.#position = position + length
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + position, length)
  }

  /** The next bytes: `known` itself if it is equal, and otherwise a view. */
  viewOr(known: Uint8Array | undefined, length: number): Uint8Array {
    if (known?.length !== length) return this.view(length)
    const bytes = this.#bytes
    const position = this.#position
    for (let index = 0; index < length; index++) if (bytes[position + index] !== known[index]) return this.view(length)
    this.#position = position + length
    return known
  }

  pass(length: number): void {
    this.#position += length
  }

  #join(rest: number): void {
    const [first = empty] = this.#later
    let joined = first
    if (rest > 0 || this.#later.length > 1) {
      joined = new Uint8Array(rest + this.#laterLength)
      joined.set(this.#bytes.subarray(this.#position, this.#arrived))
      let at = rest
      for (const bytes of this.#later) {
        joined.set(bytes, at)
        at += bytes.length
      }
    }
    this.#bytes = joined
    this.#limit -= this.#position
    this.#position = 0
    this.#arrived = rest + this.#laterLength
    this.#end = Math.min(this.#arrived, this.#limit)
    this.#later = []
    this.#laterLength = 0
    this.#wanted = 0
  }
}
