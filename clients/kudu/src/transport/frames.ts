// Tested by connection.test.ts.
import { MalformedAnswer } from '../malformed-answer.js'
import { writeMessage, type Shape } from '../proto/codec.js'
import { Reader } from '../proto/reader.js'
import { requestHeader, responseHeader, type RequestHeader, type ResponseHeader } from '../proto/rpc.js'
import { Writer } from '../proto/writer.js'

/** Cuts what arrives into frames. Memory is taken for what has arrived, not for what a length promises. */
export class Frames {
  readonly #onFrame: (frame: Buffer) => void
  #maxBytes: number
  #chunks: Buffer[] = []
  #length = 0
  /** Bytes of the frame that is being read, with its length; 0 = not known. */
  #wanted = 0

  constructor(maxBytes: number, onFrame: (frame: Buffer) => void) {
    this.#maxBytes = maxBytes
    this.#onFrame = onFrame
  }

  /** Whether the last frame is complete. */
  get isEmpty(): boolean {
    return this.#length === 0
  }

  limit(maxBytes: number): void {
    this.#maxBytes = maxBytes
  }

  /** @throws MalformedAnswer */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    while (this.#length >= 4) {
      if (this.#wanted === 0) this.#wanted = 4 + this.#readLength()
      if (this.#length < this.#wanted) return
      const all = this.#joined()
      const frame = all.subarray(4, this.#wanted)
      this.#chunks = all.length === this.#wanted ? [] : [all.subarray(this.#wanted)]
      this.#length -= this.#wanted
      this.#wanted = 0
      this.#onFrame(frame)
    }
  }

  #readLength(): number {
    const [first] = this.#chunks
    const head = (first as Buffer).length >= 4 ? (first as Buffer) : this.#joined()
    const length = head.readUInt32BE(0)
    if (length > this.#maxBytes)
      throw new MalformedAnswer(`it has ${length} bytes where at most ${this.#maxBytes} are allowed (maxAnswerBytes)`)
    return length
  }

  #joined(): Buffer {
    const [first] = this.#chunks
    const all = this.#chunks.length === 1 ? (first as Buffer) : Buffer.concat(this.#chunks, this.#length)
    this.#chunks = [all]
    return all
  }
}

/** What is in a frame. */
export interface Answer {
  readonly header: ResponseHeader
  readonly message: Buffer
  /** Views of the frame. */
  readonly sidecars: readonly Buffer[]
}

/** @throws MalformedAnswer */
export function answerOf(frame: Buffer): Answer {
  const reader = new Reader(frame)
  const header = responseHeader.read(reader)
  const length = reader.length()
  if (length !== frame.length - reader.at) throw new MalformedAnswer('its frame is longer than it')
  const body = frame.subarray(reader.at)
  const offsets = header.sidecarOffsets
  for (let index = 0; index < offsets.length; index++) {
    const offset = offsets[index] as number
    if (offset > length || offset < (offsets[index - 1] ?? 0)) throw new MalformedAnswer('its sidecars lie outside of it')
  }
  return {
    header,
    message: body.subarray(0, offsets[0] ?? length),
    sidecars: offsets.map((offset, index) => body.subarray(offset, offsets[index + 1] ?? length)),
  }
}

/** Puts the header of a request before its body, and the length before both. */
export function framed(body: Writer, header: RequestHeader): Buffer {
  body.uint32(body.length)
  requestHeader.write(body, header)
  body.uint32BE(body.length)
  return body.finish()
}

/** A frame of a message and its header, as they are sent before calls. */
export function frameOf<Message>(callId: number, shape: Shape<Message>, message: Message): Buffer {
  const body = new Writer()
  writeMessage(shape, body, message)
  return framed(body, { callId, requiredFeatureFlags: [] })
}
