import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { host } from '@rowkey/servers'
import { HBaseClient, type HBaseClientOptions } from '../src/index.js'
import { failureOf } from './failure.js'
import { fakeGateway, framed } from './fake-gateway.js'
import { encodeException, encodeReply } from './oracle.js'

let server: Server | undefined
const sockets: Socket[] = []
afterEach(() => {
  sockets.splice(0).forEach((socket) => socket.destroy())
  server?.close()
})

/** What a client says that meets a server. */
async function messageOf(listener: Server, options: HBaseClientOptions): Promise<string> {
  server = listener
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined)
    sockets.push(socket)
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new HBaseClient({ host, port, ...options })
  const error = await failureOf(client.tableExists('t'))
  expect(error).toMatchObject({ code: 'UNREACHABLE', isSent: false, call: 'tableExists' })
  await client.close()
  return error.message.replaceAll(String(port), 'PORT')
}

/** A server that answers with the same bytes whatever it is told. */
const saying = (bytes: Uint8Array | string): Server => createServer((socket) => void socket.once('data', () => socket.write(bytes)))
const type = (success: number): Buffer => encodeReply('getThriftServerType', 0, { success })
const transports = ['unframed', 'framed', 'http'] as const

test.each(transports)('%s: a server that stays silent is named within the time limit, with all that may be wrong', async (transport) => {
  const message = await messageOf(createServer(), { transport, connectTimeout: 100 })
  expect(message).toMatch(
    new RegExp(
      `^tableExists\\(\\) was not sent: no Thrift2 gateway at 127\\.0\\.0\\.1:PORT \\(transport '${transport}', without TLS\\): it did not answer within 100 ms\\. `,
    ),
  )
  for (const other of transports) if (other !== transport) expect(message).toContain(`'${other}'`)
  expect(message).toContain('with TLS')
})

test.each(transports)('%s: where nothing listens, it says so', async (transport) => {
  const listener = createServer().listen(0, host)
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  listener.close()
  await once(listener, 'close')
  const error = await failureOf(new HBaseClient({ host, port, transport }).tableExists('t'))
  expect(error).toMatchObject({ code: 'UNREACHABLE', isSent: false })
  expect(error.message).toMatch(/\(ECONNREFUSED\)\. Start it \("hbase thrift2 start"\), or correct host and port/)
})

test.each<[string, HBaseClientOptions, Server, RegExp]>([
  ['an unframed gateway', { transport: 'framed' }, saying(type(2)), /looks like transport 'unframed'/],
  ['a framed gateway', {}, saying(framed(type(2))), /looks like transport 'framed'/],
  ['a web server', {}, saying('HTTP/1.1 400 Bad Request\r\n\r\n'), /looks like transport 'http'/],
  ['a server of TLS', {}, saying(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])), /It speaks TLS: give the option tls\./],
  ['a server without TLS', { tls: true, connectTimeout: 5_000 }, saying('SSH-2.0-x\r\n'), /It speaks no TLS: leave out the option tls\./],
  ['the older gateway', {}, saying(type(1)), /it is a gateway of the older Thrift1/],
  [
    'a gateway without the call',
    {},
    saying(encodeException('getThriftServerType', 0, 'Invalid method name', 1)),
    /it is a Thrift1 gateway, or older/,
  ],
  [
    'a gateway that hangs up',
    {},
    createServer((socket) => void socket.once('data', () => socket.end())),
    /the gateway closed the connection/,
  ],
  [
    'another web server',
    { transport: 'http' },
    createHttpServer((_, response) => void response.writeHead(404).end('no')),
    /HTTP status 404\. Look at the option path\./,
  ],
  ['a page', { transport: 'http' }, createHttpServer((_, response) => void response.end('<html>')), /was answered wrongly/],
  [
    'the older gateway over HTTP',
    { transport: 'http' },
    createHttpServer((_, response) => void response.end(type(1))),
    /the older Thrift1/,
  ],
  ['no web server', { transport: 'http' }, saying(type(2)), /the connection broke \(HPE_INVALID_CONSTANT\)/],
])('%s is recognized', async (_, options, listener, expected) => {
  expect(await messageOf(listener, options)).toMatch(expected)
})

test.each(transports)('%s: calls that wait for the handshake all fail with it, and the next one tries again', async (transport) => {
  let greets = false
  const gateway = await fakeGateway(
    transport,
    ({ name, sequence }, socket) => {
      if (name !== 'getThriftServerType') return encodeReply(name, sequence, { success: true })
      if (greets) return encodeReply(name, sequence, { success: 2 })
      socket.destroy()
    },
    { greets: false },
  )
  const client = gateway.client({ connections: 2 })
  const errors = await Promise.all(Array.from({ length: 5 }, () => failureOf(client.tableExists('t'))))
  expect(errors.map(({ code, isSent }) => [code, isSent])).toEqual(Array.from({ length: 5 }, () => ['UNREACHABLE', false]))
  greets = true
  expect(await client.tableExists('t')).toBe(true)
  await gateway.stop()
})

test('a call whose time is over before the connection is open was not sent', async () => {
  server = createServer((socket) => sockets.push(socket)).listen(0, host)
  await once(server, 'listening')
  const client = new HBaseClient({ host, port: (server.address() as AddressInfo).port, connectTimeout: 300 })
  expect(await failureOf(client.tableExists('t', { timeout: 30 }))).toMatchObject({ code: 'TIMEOUT', isSent: false })
  await client.close()
})
