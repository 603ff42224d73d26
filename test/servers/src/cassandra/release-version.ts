import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { host } from '../loopback.js'

// As much of the CQL native protocol, version 4, as it takes to ask one question.
// Source: the specification in Cassandra's doc/native_protocol_v4.spec.
const startup = 0x01
const ready = 0x02
const query = 0x07
const result = 0x08

/** The version of the Cassandra that listens at a port. Rejects if none answers. */
export async function releaseVersion(port: number, address: string = host): Promise<string> {
  const socket = connect({ port, host: address })
  socket.setTimeout(5000, () => socket.destroy(new Error('no answer')))
  try {
    await once(socket, 'connect')
    const frames = new Frames(socket)
    socket.write(frame(startup, Buffer.concat([Buffer.from([0, 1]), short('CQL_VERSION'), short('3.0.0')])))
    await frames.next(ready)
    const text = Buffer.from('SELECT release_version FROM system.local')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    socket.write(frame(query, Buffer.concat([length, text, Buffer.from([0, 1, 0])]))) // at consistency ONE, without flags
    return onlyText(await frames.next(result))
  } finally {
    socket.destroy()
  }
}

class Frames {
  private readonly socket: Socket
  private received = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** The body of the next frame, which must be of this kind. */
  async next(opcode: number): Promise<Buffer> {
    for (;;) {
      const { received } = this
      const end = received.length < 9 ? Infinity : 9 + received.readUInt32BE(5)
      if (received.length >= end) {
        this.received = received.subarray(end)
        if (received[4] !== opcode) throw new Error(`a frame of kind ${String(received[4])}`)
        return received.subarray(9, end)
      }
      const [chunk] = (await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')])) as [Buffer | boolean]
      if (!Buffer.isBuffer(chunk)) throw new Error('closed')
      this.received = Buffer.concat([received, chunk])
    }
  }
}

function frame(opcode: number, body: Buffer): Buffer {
  const head = Buffer.from([4, 0, 0, 1, opcode, 0, 0, 0, 0])
  head.writeUInt32BE(body.length, 5)
  return Buffer.concat([head, body])
}

const short = (text: string): Buffer => Buffer.concat([Buffer.from([text.length >> 8, text.length & 255]), Buffer.from(text)])

/** A result of one row of one column ends in: number of rows, length, text. */
function onlyText(body: Buffer): string {
  for (let length = 1; length < 32; length++) {
    const at = body.length - length - 4
    if (at >= 4 && body.readUInt32BE(at) === length && body.readUInt32BE(at - 4) === 1) return body.toString('utf8', at + 4)
  }
  throw new Error('not one row of one column')
}
