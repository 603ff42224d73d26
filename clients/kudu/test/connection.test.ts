import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { scaled } from '@rowkey/servers/scale'
import { seeded } from '../../../test/kit/seeded.js'
import { KuduError, type KuduClientOptions } from '../src/index.js'
import { settingsOf } from '../src/options.js'
import { encode } from '../src/proto/codec.js'
import { connectToMasterResponse, listTablesResponse } from '../src/proto/master.js'
import { listTables, write, type ListTablesResponsePB } from '../src/proto/messages.js'
import { responseHeader, type RpcErrorCode } from '../src/proto/rpc.js'
import { Connections } from '../src/transport/connections.js'
import type { AttemptOptions } from '../src/transport/pending.js'
import { Waiting } from '../src/transport/waiting.js'
import { failureOf } from './cluster.js'
import {
  fakeServer,
  frame,
  greeting,
  lengthOf,
  negotiated,
  refusal,
  reply,
  type Answer,
  type FakeServer,
  type Greeting,
  type Received,
} from './fake-server.js'

const servers: FakeServer[] = []
const opened: Connections[] = []
afterEach(async () => {
  for (const connections of opened.splice(0)) connections.close()
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

async function serverOf(answer: Answer, greet?: Greeting): Promise<FakeServer> {
  const server = await fakeServer(answer, greet)
  servers.push(server)
  return server
}

/** Calls with a name, by which answers are told apart. */
function callerOf({ address }: FakeServer, options: Partial<KuduClientOptions> = {}) {
  const connections = new Connections(settingsOf({ masters: [address], ...options }))
  opened.push(connections)
  return (
    name: string,
    { timeout = 20_000, signal, ...more }: AttemptOptions & { readonly signal?: AbortSignal; readonly limit?: number } = {},
  ) => {
    const { limit = timeout } = more as { readonly limit?: number }
    return Waiting.during('call', { timeout: limit, signal }, 20_000, (waiting) =>
      connections.call(address, listTables, { nameFilter: name }, waiting, timeout === 20_000 ? {} : { timeout }),
    )
  }
}

const nameIn = ({ body }: Received): string => body.subarray(2).toString()
const named = (name: string): ListTablesResponsePB => ({ tables: [{ id: '1', name }] })
const echo: Answer = (call) => reply(call.callId, listTablesResponse, named(nameIn(call)))

test('answers find their calls in any order and in pieces of any size', async () => {
  const waiting: Received[] = []
  const server = await serverOf((call) => {
    waiting.push(call)
    if (waiting.length < 50) return undefined
    const all = Buffer.concat(waiting.reverse().map((each) => echo(each) as Buffer))
    for (let at = 0; at < all.length; at += 3) call.socket.write(all.subarray(at, at + 3))
    return undefined
  })
  const call = callerOf(server)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => call(`n${index}`)))
  answers.forEach(({ message }, index) => expect(message.tables[0]?.name).toBe(`n${index}`))
  expect(server.sockets).toHaveLength(1)
})

test('sidecars are told from the message', async () => {
  const parts = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(100_000, 7)]
  const server = await serverOf((call) => reply(call.callId, listTablesResponse, named('x'), parts))
  const { message, sidecars } = await callerOf(server)('x')
  expect(message.tables[0]?.name).toBe('x')
  expect(sidecars.map((each) => Buffer.from(each))).toEqual(parts)
})

test('a header tells the method, the time that is left and what the server must be able to do', async () => {
  const server = await serverOf(echo)
  await callerOf(server)('x', { limit: 5_000 })
  const [{ header } = { header: undefined }] = server.calls
  expect(header).toMatchObject({ callId: 0, remoteMethod: { serviceName: 'kudu.master.MasterService', methodName: 'ListTables' } })
  expect(header?.timeoutMillis).toBeGreaterThan(0)
  expect(header?.timeoutMillis).toBeLessThanOrEqual(5_000)
})

test('the time of a call ends it alone, and its late answer is passed over', async () => {
  let late: Received | undefined
  const server = await serverOf((call) => {
    if (nameIn(call) !== 'late') return echo(call)
    late = call
    return undefined
  })
  const call = callerOf(server)
  const failing = failureOf(call('late', { limit: 300 }))
  await call('other')
  const error = await failing
  expect(error).toMatchObject({ code: 'TIMEOUT', isSent: true, call: 'call' })
  late?.socket.write(echo(late) as Buffer)
  expect((await call('after')).message.tables[0]?.name).toBe('after')
  expect(server.sockets).toHaveLength(1)
})

test('where nothing comes any longer, the next call goes over another connection', async () => {
  const server = await serverOf((call) => (call.socket === server.sockets[0] ? undefined : echo(call)))
  const call = callerOf(server)
  expect(await failureOf(call('silent', { timeout: 100, limit: 10_000 }))).toMatchObject({ code: 'CONNECTION_LOST', isSent: true })
  expect((await call('again')).message.tables[0]?.name).toBe('again')
  expect(server.sockets).toHaveLength(2)
})

test('a connection that breaks ends what was sent, and the next call opens another', async () => {
  const server = await serverOf((call) => {
    if (nameIn(call) === 'break') call.socket.destroy()
    return nameIn(call) === 'fine' ? echo(call) : undefined
  })
  const call = callerOf(server)
  const errors = await Promise.all(['wait', 'break'].map((name) => failureOf(call(name))))
  for (const error of errors) expect(error).toMatchObject({ code: 'CONNECTION_LOST', isSent: true })
  await call('fine')
})

test('where nobody listens, nothing was sent', async () => {
  const server = await serverOf(echo)
  await server.stop()
  const error = await failureOf(callerOf(server)('x'))
  expect(error).toMatchObject({ code: 'UNREACHABLE', isSent: false })
  expect(error.message).toMatch(/ECONNREFUSED\)\. Start it, or correct host and port/)
})

test('calls that share a signal share its listener, which goes with the last of them', async () => {
  const server = await serverOf(() => undefined)
  const call = callerOf(server)
  const abort = new AbortController()
  const calls = Array.from({ length: 20 }, () => failureOf(call('x', { signal: abort.signal })))
  await sleep(100)
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1)
  abort.abort()
  for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: 'ABORTED', isSent: true })
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0)
  expect(await failureOf(call('x', { signal: abort.signal }))).toMatchObject({ code: 'ABORTED', isSent: false })
})

test('an idle connection is closed and opened again', async () => {
  const server = await serverOf(echo)
  const call = callerOf(server, { idleTimeout: 50 })
  await call('a')
  await sleep(300)
  expect(server.sockets[0]?.readableEnded).toBe(true)
  await call('b')
  expect(server.sockets).toHaveLength(2)
})

test.each<[RpcErrorCode, string, boolean]>([
  ['ERROR_SERVER_TOO_BUSY', 'SERVER', false],
  ['ERROR_UNAVAILABLE', 'SERVER', false],
  ['ERROR_APPLICATION', 'SERVER', true],
  ['FATAL_UNAUTHORIZED', 'NOT_AUTHORIZED', false],
  ['ERROR_INVALID_AUTHORIZATION_TOKEN', 'NOT_AUTHORIZED', false],
  ['#99', 'SERVER', false],
])('%s is a typed error', async (status, code, isSent) => {
  const server = await serverOf((call) => refusal(call.callId, status, 'because\u001b[31m\nof it'))
  const error = await failureOf(callerOf(server)('x'))
  expect(error).toMatchObject({ code, status, isSent, serverMessage: 'because\\u001b[31m\\u000aof it' })
})

test('a fatal error ends its connection', async () => {
  const server = await serverOf((call) => (nameIn(call) === 'bad' ? refusal(call.callId, 'FATAL_SERVER_SHUTTING_DOWN') : echo(call)))
  const call = callerOf(server)
  await failureOf(call('bad'))
  await call('good')
  expect(server.sockets).toHaveLength(2)
})

test('a request that is larger than Kudu takes is not sent', async () => {
  const server = await serverOf(echo)
  const connections = new Connections(settingsOf({ masters: [server.address] }))
  opened.push(connections)
  const rows = Buffer.alloc(50 * 2 ** 20)
  const error = await failureOf(
    Waiting.during('write', {}, 10_000, (waiting) =>
      connections.call(server.address, write, { tabletId: 't', rowOperations: { rows } }, waiting),
    ),
  )
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', isSent: false })
  expect(server.calls).toHaveLength(0)
})

const header = (callId: number, ...sidecarOffsets: readonly number[]): Uint8Array => encode(responseHeader, { callId, sidecarOffsets })

test.each<[string, (callId: number) => Uint8Array]>([
  ['a number that was not asked', (id) => frame(header(id + 1), Buffer.alloc(0))],
  ['a negative number', () => frame(header(-5), Buffer.alloc(0))],
  ['a frame longer than an answer may be', () => lengthOf(2 ** 32 - 1)],
  [
    'a frame longer than it says within',
    (id) => Buffer.concat([lengthOf(100), frame(header(id), Buffer.from('x')).subarray(4), Buffer.alloc(100)]),
  ],
  ['a sidecar beyond its end', (id) => frame(header(id, 5), Buffer.from('x'))],
  ['sidecars in no order', (id) => frame(header(id, 2, 1), Buffer.from('xxx'))],
  ['a header that is none', () => frame(Buffer.from([255, 255]), Buffer.alloc(0))],
  ['no header', () => lengthOf(0)],
  ['a message that is none', (id) => frame(header(id), Buffer.from([0x12, 0xff, 0x7f]))],
  ['a message of another call', (id) => reply(id, connectToMasterResponse, { role: 'LEADER', caCertDer: [], masterAddrs: [] })],
])('%s is refused', async (_, bytes) => {
  const server = await serverOf(({ callId }) => bytes(callId))
  const error = await failureOf(callerOf(server)('x', { limit: 5_000 }))
  expect(error).toMatchObject({ code: 'MALFORMED_ANSWER', isSent: true })
})

test.each<[string, Greeting]>([
  ['silence', () => undefined],
  ['bytes of another protocol', () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['the end', (_, socket) => void socket.end()],
  ['another step', () => negotiated({ step: 'SASL_CHALLENGE' })],
  ['records of TLS that was not begun', () => negotiated({ step: 'TLS_HANDSHAKE', tlsHandshake: Buffer.from('x') })],
  ['a token that was not offered', () => negotiated({ step: 'NEGOTIATE', authnTypes: [{ jwt: {} }] })],
  ['more than was asked for', () => Buffer.concat(Array<Buffer>(3).fill(negotiated({ step: 'NEGOTIATE' })))],
  ['a frame that is too long', () => lengthOf(2 ** 21)],
])('who begins with %s lets nobody in', async (_, greet) => {
  const server = await serverOf(echo, greet)
  const error = await failureOf(callerOf(server, { connectTimeout: 500 })('x'))
  expect(error).toMatchObject({ code: 'UNREACHABLE', isSent: false })
})

test('a server that only knows Kerberos is told apart', async () => {
  const server = await serverOf(echo, ({ step }) =>
    negotiated({ step, authnTypes: [{ sasl: {} }], saslMechanisms: [{ mechanism: 'GSSAPI' }] }),
  )
  const error = await failureOf(callerOf(server)('x'))
  expect(error).toMatchObject({ code: 'NOT_AUTHORIZED', isSent: false })
  expect(error.message).toContain('Kerberos')
})

const offered = negotiated({
  step: 'NEGOTIATE',
  supportedFeatures: ['TLS'],
  authnTypes: [{ sasl: {} }],
  saslMechanisms: [{ mechanism: 'PLAIN' }],
})

test.each<[string, Uint8Array | undefined]>([
  ['silence', undefined],
  ['garbage', negotiated({ step: 'TLS_HANDSHAKE', tlsHandshake: Buffer.from('garbage that is no record of TLS at all') })],
  ['nothing in it', negotiated({ step: 'TLS_HANDSHAKE' })],
  ['a fatal alert', negotiated({ step: 'TLS_HANDSHAKE', tlsHandshake: Buffer.from([21, 3, 3, 0, 2, 2, 40]) })],
  ['clear text', negotiated({ step: 'SASL_SUCCESS' })],
])('who answers TLS with %s lets nobody in', async (_, answer) => {
  const server = await serverOf(echo, ({ step }) => (step === 'NEGOTIATE' ? offered : answer))
  const error = await failureOf(callerOf(server, { connectTimeout: 500, tls: true })('x'))
  expect(error).toMatchObject({ code: 'UNREACHABLE', isSent: false })
})

test('a server without TLS is refused where it is demanded', async () => {
  const server = await serverOf(echo)
  const error = await failureOf(callerOf(server, { tls: true })('x'))
  expect(error).toMatchObject({ code: 'NOT_AUTHORIZED', isSent: false })
  expect(error.message).toContain('offers no TLS')
  expect(server.calls).toHaveLength(0)
})

test('whatever a server says, calls end, and with an error of the client', async () => {
  const random = seeded()
  const { below } = random
  const damage = (bytes: Uint8Array): Uint8Array => {
    const damaged = Buffer.from(bytes)
    if (below(3) > 0) return damaged
    for (let left = 1 + below(3); left > 0; left--) damaged[below(damaged.length)] = below(256)
    return below(2) === 0 ? damaged : damaged.subarray(0, below(damaged.length))
  }
  const outcomes = { answered: 0, failed: 0 }
  for (let count = scaled(200); count > 0; count--) {
    const server = await serverOf(
      (call) => damage(echo(call) as Buffer),
      (message, socket) => damage(greeting(message, socket) as Buffer),
    )
    const call = callerOf(server, { connectTimeout: 100 })
    const calls = Array.from({ length: 5 }, (_, index) =>
      call(`n${index}`, { limit: 150 }).then(
        () => true,
        (error: unknown) => error,
      ),
    )
    for (const outcome of await Promise.all(calls)) {
      if (outcome !== true) expect(outcome).toBeInstanceOf(KuduError)
      outcomes[outcome === true ? 'answered' : 'failed']++
    }
    opened.pop()?.close()
    await servers.pop()?.stop()
  }
  expect(outcomes.answered).toBeGreaterThan(0)
  expect(outcomes.failed).toBeGreaterThan(0)
})
