import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { host } from '@rowkey/servers'
import { decode, encode, type Shape } from '../src/proto/codec.js'
import {
  errorStatus,
  negotiate,
  requestHeader,
  responseHeader,
  type NegotiatePB,
  type RequestHeader,
  type RpcErrorCode,
} from '../src/proto/rpc.js'
import { Reader } from '../src/proto/reader.js'

/** A call that arrived. */
export interface Received {
  readonly header: RequestHeader
  readonly callId: number
  readonly name: string
  readonly body: Buffer
  readonly socket: Socket
}

/** Bytes of an answer; or nothing, or what it likes with the connection. */
export type Answer = (call: Received) => Uint8Array | undefined

export interface FakeServer {
  readonly address: string
  /** Connections that were opened, first to last. */
  readonly sockets: readonly Socket[]
  /** Calls, without what connections begin with. */
  readonly calls: readonly Received[]
  stop(): Promise<void>
}

export const lengthOf = (length: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

const varint = (value: number): Buffer =>
  value < 0x80 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 0x7f) | 0x80), varint(value >>> 7)])
const withLength = (bytes: Uint8Array): Buffer => Buffer.concat([varint(bytes.length), bytes])

/** A frame of anything. */
export function frame(header: Uint8Array, body: Uint8Array): Buffer {
  const all = Buffer.concat([withLength(header), withLength(body)])
  return Buffer.concat([lengthOf(all.length), all])
}

/** An answer, with sidecars after it. */
export function reply<Message>(callId: number, shape: Shape<Message>, message: Message, sidecars: readonly Uint8Array[] = []): Buffer {
  const main = encode(shape, message)
  let offset = main.length
  const sidecarOffsets = sidecars.map((sidecar) => {
    const start = offset
    offset += sidecar.length
    return start
  })
  return frame(encode(responseHeader, { callId, sidecarOffsets }), Buffer.concat([main, ...sidecars]))
}

export const refusal = (callId: number, code: RpcErrorCode, message = 'no'): Buffer =>
  frame(
    encode(responseHeader, { callId, isError: true, sidecarOffsets: [] }),
    encode(errorStatus, { code, message, unsupportedFeatureFlags: [] }),
  )

const negotiationId = -33
export const negotiated = (message: Partial<NegotiatePB> & Pick<NegotiatePB, 'step'>): Buffer =>
  reply(negotiationId, negotiate, { supportedFeatures: [], saslMechanisms: [], authnTypes: [], ...message })

/** What a server says to those who want to come in. */
export type Greeting = (message: NegotiatePB, socket: Socket) => Uint8Array | undefined
export const greeting: Greeting = ({ step }) =>
  step === 'NEGOTIATE'
    ? negotiated({
        step,
        authnTypes: [{ sasl: {} }],
        saslMechanisms: [{ mechanism: 'PLAIN' }],
        supportedFeatures: ['APPLICATION_FEATURE_FLAGS'],
      })
    : negotiated({ step: 'SASL_SUCCESS' })

/** A server in this process that does what a test wants. */
export async function fakeServer(answer: Answer, greet: Greeting = greeting): Promise<FakeServer> {
  const sockets: Socket[] = []
  const calls: Received[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    let received = Buffer.alloc(0)
    let isPast = false
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      if (!isPast && received.length >= 7) {
        received = received.subarray(7)
        isPast = true
      }
      while (isPast && received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
        const length = 4 + received.readUInt32BE(0)
        const one = received.subarray(4, length)
        received = received.subarray(length)
        const reader = new Reader(one)
        const header = requestHeader.read(reader)
        reader.uint32()
        const body = one.subarray(reader.at)
        const { callId } = header
        let said: Uint8Array | undefined
        if (callId === negotiationId) said = greet(decode(negotiate, body), socket)
        else if (callId >= 0) {
          const call = { header, callId, name: header.remoteMethod?.methodName ?? '', body, socket }
          calls.push(call)
          said = answer(call)
        }
        if (said !== undefined && !socket.destroyed) socket.write(said)
      }
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `${host}:${port}`,
    sockets,
    calls,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
