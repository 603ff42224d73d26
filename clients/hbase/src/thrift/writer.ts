// Tested by requests.test.ts.
import { BOOL, CALL, I32, I64, LIST, MAP, STOP, STRING, STRUCT, VERSION_1 } from './types.js'

/** Memory that requests share. A request that needs more gets memory of its own. */
const chunkSize = 65_536

/**
 * Writes requests in Thrift's binary protocol, one after the other into the same memory. What {@link Writer.finish} returns is not written
 * again.
 */
export class Writer {
  /** Whether each request begins with its length. */
  readonly isFramed: boolean
  /** Max bytes of a row or a bound in this request; whoever writes the table's name sets it. */
  maxRowLength = 0
  #bytes: Buffer = Buffer.alloc(0)
  #start = 0
  #position = 0

  constructor(isFramed: boolean) {
    this.isFramed = isFramed
  }

  /** Begins a request; the fields of its arguments follow. */
  begin(call: string, sequence: number): void {
    this.#start = this.#position
    this.#ensure(16 + call.length)
    if (this.isFramed) this.#position += 4
    this.#int32((VERSION_1 << 16) | CALL)
    this.#int32(call.length)
    this.#position += this.#bytes.write(call, this.#position, 'latin1')
    this.#int32(sequence)
  }

  /** Ends the request. */
  finish(): Uint8Array {
    this.stop()
    if (this.isFramed) this.#bytes.writeInt32BE(this.#position - this.#start - 4, this.#start)
    return this.#bytes.subarray(this.#start, this.#position)
  }

  /** Forgets what has been written of a request. */
  cancel(): void {
    this.#position = this.#start
  }

  /** Ends the fields of a struct. */
  stop(): void {
    this.#ensure(1)
    this.#bytes[this.#position++] = STOP
  }

  bool(field: number, value: boolean): void {
    this.#field(BOOL, field, 1)
    this.#bytes[this.#position++] = value ? 1 : 0
  }

  int32(field: number, value: number): void {
    this.#field(I32, field, 4)
    this.#int32(value)
  }

  int64(field: number, value: bigint): void {
    this.#field(I64, field, 8)
    this.#int32(Number(value >> 32n))
    this.#int32(Number(BigInt.asIntN(32, value)))
  }

  binary(field: number, value: Uint8Array): void {
    this.#field(STRING, field, 4)
    this.bytes(value)
  }

  text(field: number, value: string): void {
    this.binary(field, Buffer.from(value, 'utf8'))
  }

  /** A struct as a field: its own fields and {@link Writer.stop} follow. */
  struct(field: number): void {
    this.#field(STRUCT, field, 0)
  }

  /** A list as a field: its elements follow. */
  list(field: number, elementType: number, count: number): void {
    this.#field(LIST, field, 5)
    this.#bytes[this.#position++] = elementType
    this.#int32(count)
  }

  /** A map of text or bytes to text or bytes: keys and values follow by turns, by {@link Writer.bytes}. */
  map(field: number, count: number): void {
    this.#field(MAP, field, 6)
    this.#bytes[this.#position++] = STRING
    this.#bytes[this.#position++] = STRING
    this.#int32(count)
  }

  /** Bytes as an element of a list or map. */
  bytes(value: Uint8Array): void {
    const { length } = value
    this.#ensure(4 + length)
    this.#int32(length)
    this.#bytes.set(value, this.#position)
    this.#position += length
  }

  #field(type: number, field: number, valueSize: number): void {
    this.#ensure(3 + valueSize)
    const bytes = this.#bytes
    const position = this.#position
    bytes[position] = type
    bytes[position + 1] = field >> 8
    bytes[position + 2] = field
    this.#position = position + 3
  }

  #int32(value: number): void {
    const bytes = this.#bytes
    const position = this.#position
    bytes[position] = value >> 24
    bytes[position + 1] = value >> 16
    bytes[position + 2] = value >> 8
    bytes[position + 3] = value
    this.#position = position + 4
  }

  #ensure(length: number): void {
    if (this.#position + length <= this.#bytes.length) return
    const written = this.#position - this.#start
    const larger = Buffer.allocUnsafeSlow(Math.max(chunkSize, 2 * (written + length)))
    larger.set(this.#bytes.subarray(this.#start, this.#position))
    this.#bytes = larger
    this.#start = 0
    this.#position = written
  }
}
