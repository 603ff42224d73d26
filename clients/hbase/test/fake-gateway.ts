import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { host } from '@rowkey/servers'
import { HBaseClient, type HBaseClientOptions } from '../src/index.js'
import { decodeCall, encodeReply, type ReceivedCall } from './oracle.js'

/** What a gateway does with a call: bytes of an answer, or nothing, or what it likes with the connection. */
export type Answer = (call: ReceivedCall, socket: Socket) => Uint8Array | undefined

/** A gateway in this process that does what a test wants. */
export interface FakeGateway {
  readonly port: number
  /** Connections that were opened, first to last. */
  readonly sockets: readonly Socket[]
  /** Calls, without handshakes. */
  readonly calls: ReceivedCall[]
  /** A client of it. */
  client(options?: HBaseClientOptions): HBaseClient
  stop(): Promise<void>
}

export type Transport = 'unframed' | 'framed' | 'http'

/** Answers the question with which connections begin. */
export const greeting: Answer = ({ name, sequence }) =>
  name === 'getThriftServerType' ? encodeReply(name, sequence, { success: 2 }) : undefined

export const framed = (message: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(message.length)
  return Buffer.concat([length, message])
}

/** `greets: false`: the answer to the handshake is that of `answer` as well. */
export async function fakeGateway(transport: Transport, answer: Answer, { greets = true } = {}): Promise<FakeGateway> {
  const sockets: Socket[] = []
  const calls: ReceivedCall[] = []
  const answerOf = (call: ReceivedCall, socket: Socket): Uint8Array | undefined => {
    if (greets && call.name === 'getThriftServerType') return greeting(call, socket)
    calls.push(call)
    return answer(call, socket)
  }
  const server = transport === 'http' ? httpServer(answerOf) : tcpServer(transport === 'framed', answerOf)
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined)
    sockets.push(socket)
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients: HBaseClient[] = []
  return {
    port,
    sockets,
    calls,
    client(options = {}) {
      const client = new HBaseClient({ host, port, transport, timeout: 20_000, ...options })
      clients.push(client)
      return client
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([...clients.map((client) => client.close()), new Promise((done) => server.close(done))])
    },
  }
}

function tcpServer(isFramed: boolean, answer: (call: ReceivedCall, socket: Socket) => Uint8Array | undefined): Server {
  const start = isFramed ? 4 : 0
  return createServer((socket) => {
    let received = Buffer.alloc(0)
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      for (let call; (call = decodeCall(received.subarray(start))) !== undefined;) {
        received = received.subarray(start + call.length)
        const answered = answer(call, socket)
        if (answered !== undefined && !socket.destroyed) socket.write(isFramed ? framed(answered) : answered)
      }
    })
  })
}

function httpServer(answer: (call: ReceivedCall, socket: Socket) => Uint8Array | undefined): Server {
  return createHttpServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const call = decodeCall(Buffer.concat(parts))
      const answered = call && answer(call, request.socket)
      if (answered !== undefined && !request.socket.destroyed) response.end(answered)
    })
  })
}
