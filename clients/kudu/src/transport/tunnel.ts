// Tested by negotiation.test.ts.
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** The type of TLS records that are encrypted. */
const encrypted = 23

/**
 * What TLS runs over. Its handshake travels in messages of the negotiation, and what follows is sent as it is. In TLS 1.3 the client's last
 * message of the handshake is its first encrypted record, and all that the server sends after it is raw.
 */
export class Tunnel extends Duplex {
  readonly #socket: Socket
  readonly #wrap: (records: Buffer) => Buffer
  #isWrapping = true
  /** Of the record that is being written: its head, and bytes that are left. */
  #head: number[] = []
  #rest = 0
  #onFinished: (() => void) | undefined
  /** Whether the last message of the handshake in TLS 1.3 was written. */
  isFinished = false

  constructor(socket: Socket, wrap: (records: Buffer) => Buffer) {
    super()
    this.#socket = socket
    this.#wrap = wrap
  }

  /** Resolves when the last message of the handshake in TLS 1.3 was written. */
  finished(): Promise<void> {
    return this.isFinished ? Promise.resolve() : new Promise((resolve) => (this.#onFinished = resolve))
  }

  /** From now on records are sent as they are. */
  unwrap(): void {
    this.#isWrapping = false
  }

  /** Records from the server. */
  receive(records: Uint8Array): void {
    if (!this.push(records)) this.#socket.pause()
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(records: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#isWrapping) this.#watch(records)
    this.#socket.write(this.#isWrapping ? this.#wrap(records) : records, done)
  }

  override _final(done: () => void): void {
    this.#socket.end()
    done()
  }

  #watch(records: Buffer): void {
    for (let at = 0; at < records.length;) {
      if (this.#rest === 0) {
        this.#head.push(records[at++] as number)
        if (this.#head.length < 5) continue
        this.#rest = (this.#head[3] as number) * 256 + (this.#head[4] as number)
        if (this.#rest === 0) this.#head = []
        continue
      }
      const step = Math.min(this.#rest, records.length - at)
      at += step
      this.#rest -= step
      if (this.#rest > 0) return
      if (this.#head[0] === encrypted) this.isFinished = true
      this.#head = []
    }
    if (this.isFinished) this.#onFinished?.()
  }
}
