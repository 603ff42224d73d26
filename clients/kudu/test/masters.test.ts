import { afterEach, expect, test } from 'vitest'
import { freePorts, host } from '../../../test/servers/src/loopback.js'
import { Masters } from '../src/masters.js'
import { settingsOf } from '../src/options.js'
import { connectToMasterResponse, createTableResponse, isDoneResponse, listTablesResponse } from '../src/proto/master.js'
import { connectToMaster, createTable, listTables } from '../src/proto/messages.js'
import type { Shape } from '../src/proto/codec.js'
import type { Role, StatusCode } from '../src/proto/common.js'
import { Connections } from '../src/transport/connections.js'
import { Waiting } from '../src/transport/waiting.js'
import { clusterOf, failureOf } from './cluster.js'
import { fakeServer, refusal, reply, type Answer, type FakeServer } from './fake-server.js'
import { withKudu } from './with-kudu.js'

withKudu('three masters', () => {
  const { server, parts } = clusterOf({ masters: 3 })

  test('of which any may be killed, in calls that read and calls that change', async () => {
    const { tables, during } = parts()
    let count = 0
    for (const master of server().masters) {
      await master.kill()
      expect(await during((waiting) => tables.list('t', waiting))).toHaveLength(count)
      const columns = [{ name: 'id', type: 'INT64', isKey: true }] as const
      await during((waiting) => tables.create({ name: `t${count}`, columns }, waiting))
      count++
      await master.restart()
    }
  })

  test('of which the leader may hang', async () => {
    const { connections, masters, during } = parts()
    const rolesNow = () =>
      Promise.all(
        server().masters.map(async ({ address }) => {
          const { message } = await during((waiting) => connections.call(address, connectToMaster, {}, waiting))
          return message.role
        }),
      )
    let roles = await rolesNow()
    while (!roles.includes('LEADER')) roles = await rolesNow()
    await during((waiting) => masters.call(listTables, {}, waiting))
    const leader = server().masters[roles.indexOf('LEADER')]
    leader?.pause()
    try {
      expect((await during((waiting) => masters.call(listTables, {}, waiting))).tables).toHaveLength(3)
    } finally {
      leader?.resume()
    }
  })
})

test('where no master listens, it is said at once', async () => {
  const [port = 0] = await freePorts(1)
  const masters = mastersOf([`${host}:${port}`])
  expect(await failureOf(masters.list())).toMatchObject({ code: 'UNREACHABLE', isSent: false, call: 'list' })
})

const servers: FakeServer[] = []
const opened: Connections[] = []
afterEach(async () => {
  for (const connections of opened.splice(0)) connections.close()
  await Promise.all(servers.splice(0).map((each) => each.stop()))
})

function mastersOf(addresses: readonly string[]) {
  const settings = settingsOf({ masters: addresses })
  const connections = new Connections(settings)
  opened.push(connections)
  const masters = new Masters(settings, connections)
  const during = <Value>(work: (waiting: Waiting) => Promise<Value>, timeout = 20_000) => Waiting.during('list', { timeout }, timeout, work)
  return {
    list: (timeout?: number) => during((waiting) => masters.call(listTables, {}, waiting), timeout),
    create: (timeout?: number) => during((waiting) => masters.call(createTable, { name: 't', schema: { columns: [] } }, waiting), timeout),
  }
}

const roleOf = (callId: number, role: Role): Buffer => reply(callId, connectToMasterResponse, { role, caCertDer: [], masterAddrs: [] })
const empty = (callId: number): Buffer => reply(callId, listTablesResponse, { tables: [] })
const failed = <Message>(callId: number, code: string, status: StatusCode, shape: Shape<Message>): Buffer =>
  reply(callId, shape, { ...({ tables: [] } as object), error: { code, status: { code: status, message: 'why' } } } as Message)

async function fakeMaster(answer: Answer): Promise<FakeServer> {
  const server = await fakeServer((call) => answer(call))
  servers.push(server)
  return server
}

/** A leader that answers calls one after the other, the last answer for ever. */
function leaderOf(...answers: readonly Answer[]): Promise<FakeServer> {
  let next = 0
  return fakeMaster((call) =>
    call.name === 'ConnectToMaster' ? roleOf(call.callId, 'LEADER') : answers[Math.min(next++, answers.length - 1)]?.(call),
  )
}

test.each<[string, Answer]>([
  ['another leads', ({ callId }) => failed(callId, 'NOT_THE_LEADER', 'ILLEGAL_STATE', listTablesResponse)],
  ['it does not know yet', ({ callId }) => failed(callId, 'CATALOG_MANAGER_NOT_INITIALIZED', 'SERVICE_UNAVAILABLE', listTablesResponse)],
  ['it is not ready', ({ callId }) => failed(callId, 'UNKNOWN_ERROR', 'SERVICE_UNAVAILABLE', listTablesResponse)],
  ['it has too much to do', ({ callId }) => refusal(callId, 'ERROR_SERVER_TOO_BUSY')],
  ['it shuts down', ({ callId }) => refusal(callId, 'FATAL_SERVER_SHUTTING_DOWN')],
  ['it hangs up', ({ socket }) => void socket.destroy()],
])('what only reads is asked again where %s', async (_, answer) => {
  const leader = await leaderOf(answer, answer, ({ callId }) => empty(callId))
  expect((await mastersOf([leader.address]).list()).tables).toEqual([])
})

test('what changes is asked again only where it was not executed', async () => {
  const busy = await leaderOf(
    ({ callId }) => refusal(callId, 'ERROR_SERVER_TOO_BUSY'),
    ({ callId }) => reply(callId, createTableResponse, { tableId: '1' }),
  )
  expect((await mastersOf([busy.address]).create()).tableId).toBe('1')
  const lost = await leaderOf(
    ({ socket }) => void socket.destroy(),
    ({ callId }) => reply(callId, createTableResponse, { tableId: '1' }),
  )
  expect(await failureOf(mastersOf([lost.address]).create())).toMatchObject({ code: 'CONNECTION_LOST', isSent: true })
  expect(lost.calls.filter(({ name }) => name === 'CreateTable')).toHaveLength(1)
})

test('a leader is waited for as long as the caller waits', async () => {
  const follower = await fakeMaster(({ callId }) => roleOf(callId, 'FOLLOWER'))
  const error = await failureOf(mastersOf([follower.address]).list(2000))
  expect(error).toMatchObject({ code: 'TIMEOUT', isSent: false, call: 'list' })
  expect(error.message).toContain('The last attempt failed: list() was not sent: no master of Kudu leads at the moment.')
  let asked = 0
  const late = await fakeMaster((call) =>
    call.name === 'ConnectToMaster' ? roleOf(call.callId, ++asked > 3 ? 'LEADER' : 'FOLLOWER') : empty(call.callId),
  )
  await mastersOf([follower.address, late.address]).list()
  expect(asked).toBe(4)
})

test('the leader is asked for once, however many calls wait for it', async () => {
  const leader = await leaderOf(({ callId }) => empty(callId))
  const { list } = mastersOf([leader.address])
  await Promise.all(Array.from({ length: 50 }, () => list()))
  expect(leader.calls.filter(({ name }) => name === 'ConnectToMaster')).toHaveLength(1)
})

test('a master that refuses the user is told, and not asked again', async () => {
  const leader = await fakeServer(
    () => undefined,
    () => refusal(-33, 'FATAL_UNAUTHORIZED', 'no such user'),
  )
  servers.push(leader)
  const error = await failureOf(mastersOf([leader.address]).list())
  expect(error).toMatchObject({ code: 'NOT_AUTHORIZED', status: 'FATAL_UNAUTHORIZED', isSent: false, call: 'list' })
  expect(error.message).toMatch(/^list\(\) was not sent: no connection to Kudu at .*: no such user/)
})

test('an answer of another kind is refused', async () => {
  const leader = await leaderOf(({ callId }) => reply(callId, isDoneResponse, { error: { code: '#99', status: { code: '#98' } } }))
  expect(await failureOf(mastersOf([leader.address]).list())).toMatchObject({ code: 'SERVER', status: '#99' })
})
