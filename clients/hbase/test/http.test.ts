import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { host } from '@rowkey/servers'
import { HBaseClient, type HBaseClientOptions } from '../src/index.js'
import { failureOf, until } from './failure.js'
import { greeting } from './fake-gateway.js'
import { decodeCall, encodeReply, type ReceivedCall } from './oracle.js'

let server: Server | undefined
const sockets: Socket[] = []
const secret = 'hunter2-is-secret'

afterEach(() => {
  sockets.splice(0).forEach((socket) => socket.destroy())
  server?.close()
})

/** A client of a server that greets as a gateway, and does what a test wants with other calls. */
async function clientOf(
  answer: (call: ReceivedCall, ...[request, response]: Parameters<RequestListener>) => void,
  options: HBaseClientOptions = {},
): Promise<HBaseClient> {
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const call = decodeCall(Buffer.concat(parts)) as ReceivedCall
      const greeted = greeting(call, request.socket)
      if (greeted instanceof Uint8Array) response.end(greeted)
      else answer(call, request, response)
    })
  })
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return new HBaseClient({ host, port, transport: 'http', timeout: 20_000, headers: { ACCESSSIGNATURE: secret }, ...options })
}

const yes = ({ name, sequence }: ReceivedCall): Buffer => encodeReply(name, sequence, { success: true })

test('calls carry path and headers, and share connections', async () => {
  const seen: unknown[] = []
  const client = await clientOf(
    (call, { url, headers, method }, response) => {
      seen.push({ url, method, user: headers['accesskeyid'], type: headers['content-type'] })
      response.end(yes(call))
    },
    { path: '/lindorm?x=1', headers: { ACCESSKEYID: 'ann' }, connections: 2 },
  )
  await Promise.all(Array.from({ length: 20 }, () => client.tableExists('t')))
  expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify({ url: '/lindorm?x=1', method: 'POST', user: 'ann', type: 'application/x-thrift' })]),
  )
  expect(seen).toHaveLength(20)
  expect(sockets.length).toBeLessThanOrEqual(2)
  await client.close()
  await until(() => sockets.every(({ destroyed }) => destroyed))
})

test.each([
  [401, 'Look at the credentials in the option headers.'],
  [404, 'Look at the option path.'],
  [500, 'The gateway, or a proxy before it, failed.'],
  [302, 'The gateway, or a proxy before it, failed.'],
])('status %i is told, whatever its page says', async (status, remedy) => {
  const client = await clientOf((_, request, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<html>${String(request.headers['accesssignature'])}</html>`)
  })
  const error = await failureOf(client.tableExists('t'))
  expect(error).toMatchObject({ code: 'GATEWAY', isSent: true })
  expect(error.message).toBe(`tableExists() was answered with HTTP status ${status}. ${remedy}`)
  await client.close()
})

test.each<[string, string, Parameters<typeof clientOf>[0]]>([
  [
    'ends within its body',
    'CONNECTION_LOST',
    (call, _, response) =>
      void response.writeHead(200, { 'content-length': '999' }).write(yes(call).subarray(0, 9), () => response.destroy()),
  ],
  ['has too short a body', 'MALFORMED_ANSWER', (call, _, response) => void response.end(yes(call).subarray(0, 9))],
  ['has an empty body', 'MALFORMED_ANSWER', (_call, _, response) => void response.end()],
  ['is a page', 'MALFORMED_ANSWER', (_call, _, response) => void response.end('<html>It works!</html>')],
  [
    'says that it is huge',
    'MALFORMED_ANSWER',
    (_call, _, response) => response.writeHead(200, { 'content-length': '99999999999' }).flushHeaders(),
  ],
  [
    'is for another call',
    'MALFORMED_ANSWER',
    ({ sequence }, _, response) => void response.end(encodeReply('isTableEnabled', sequence, { success: true })),
  ],
  ['is no HTTP', 'CONNECTION_LOST', (_call, { socket }) => void socket.end('\u0080\u0001nonsense\r\n\r\n')],
  ['never comes', 'TIMEOUT', () => undefined],
  ['is a closed connection', 'CONNECTION_LOST', (_call, { socket }) => void socket.destroy()],
])('an answer that %s: %s, and the next call works', async (_, code, answer) => {
  const client = await clientOf((call, request, response) => {
    if (JSON.stringify(call.args).includes(JSON.stringify(Buffer.from('fine')))) response.end(yes(call))
    else answer(call, request, response)
  })
  const error = await failureOf(client.tableExists('bad', { timeout: code === 'TIMEOUT' ? 100 : 20_000 }))
  expect(error).toMatchObject({ code, isSent: true, call: 'tableExists' })
  expect(`${error.message} ${String((error.cause as Error | undefined)?.message)}`).not.toContain(secret)
  expect(await client.tableExists('fine')).toBe(true)
  await client.close()
})

test('connections that the server closes between calls are replaced', async () => {
  const client = await clientOf((call, _, response) => response.end(yes(call)), { connections: 1 })
  for (let round = 0; round < 5; round++) {
    expect(await client.tableExists('t')).toBe(true)
    const [last] = sockets.slice(-1)
    last?.end()
    await until(() => last?.destroyed === true)
    // The client hears of it in a tick of its own.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(sockets.length).toBe(5)
  await client.close()
})

test('idle connections are closed', async () => {
  const client = await clientOf((call, _, response) => response.end(yes(call)), { idleTimeout: 30 })
  expect(await client.tableExists('t')).toBe(true)
  await until(() => sockets.every(({ destroyed }) => destroyed))
  expect(await client.tableExists('t')).toBe(true)
  await client.close()
})

test('an aborted call leaves, and a call that waits for a connection was not sent', async () => {
  let isHeld = false
  const client = await clientOf(() => (isHeld = true), { connections: 1 })
  const [held, waiting] = [new AbortController(), new AbortController()]
  const first = failureOf(client.tableExists('t', { signal: held.signal }))
  const second = failureOf(client.tableExists('t', { signal: waiting.signal }))
  await until(() => isHeld)
  waiting.abort()
  expect(await second).toMatchObject({ code: 'ABORTED', isSent: false })
  held.abort()
  expect(await first).toMatchObject({ code: 'ABORTED', isSent: true })
  await client.close()
})

test('a call that waited for a connection was sent when it got it: a lost answer is no call that was not sent', async () => {
  const client = await clientOf(
    (call, { socket }, response) => {
      if (JSON.stringify(call.args).includes(JSON.stringify(Buffer.from('lost')))) socket.destroy()
      else response.end(yes(call))
    },
    { connections: 1 },
  )
  expect(await client.tableExists('t')).toBe(true)
  const calls = Array.from({ length: 20 }, () => client.tableExists('t'))
  const lost = failureOf(client.tableExists('lost'))
  expect(await Promise.all(calls)).toEqual(calls.map(() => true))
  expect(await lost).toMatchObject({ code: 'CONNECTION_LOST', isSent: true })
  expect(sockets).toHaveLength(1)
  await client.close()
})

test('close() lets a running call end', async () => {
  let answer: (() => void) | undefined
  const client = await clientOf((call, _, response) => {
    answer = () => void response.end(yes(call))
  })
  const running = client.tableExists('t')
  await until(() => answer !== undefined)
  const closed = client.close()
  expect(await failureOf(client.tableExists('t'))).toMatchObject({ code: 'CLOSED', isSent: false })
  answer?.()
  expect(await running).toBe(true)
  await closed
})
