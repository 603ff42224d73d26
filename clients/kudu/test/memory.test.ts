import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import { settingsOf } from '../src/options.js'
import { listTablesResponse } from '../src/proto/master.js'
import { listTables, write, type ListTablesResponsePB } from '../src/proto/messages.js'
import { Connections } from '../src/transport/connections.js'
import { Waiting } from '../src/transport/waiting.js'
import { failureOf } from './cluster.js'
import { fakeServer, reply, type Answer, type FakeServer } from './fake-server.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const mebibyte = 2 ** 20

const servers: FakeServer[] = []
const opened: Connections[] = []
afterEach(async () => {
  for (const connections of opened.splice(0)) connections.close()
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

async function connectionsTo(answer: Answer) {
  const server = await fakeServer(answer)
  servers.push(server)
  const connections = new Connections(settingsOf({ masters: [server.address] }))
  opened.push(connections)
  return { server, connections }
}

/** Resolves when less than so many bytes are held after `work`. What was written to sockets leaves them in later turns. */
async function expectHeld(bytes: number, work: () => Promise<unknown>): Promise<void> {
  collect()
  const before = process.memoryUsage().arrayBuffers
  const kept = await work()
  const held = (): number => {
    collect()
    return process.memoryUsage().arrayBuffers - before
  }
  for (let turn = 0; turn < 100 && held() >= bytes; turn++) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(held()).toBeLessThan(bytes)
  expect(kept).toBeDefined()
}

test('calls that ended unanswered hold no request, although their signal and their client stay', async () => {
  const { server, connections } = await connectionsTo(() => undefined)
  const { signal } = new AbortController()
  await expectHeld(40 * mebibyte, async () => {
    const failures = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const rows = Buffer.alloc(mebibyte, index)
        return failureOf(
          Waiting.during('write', { timeout: 300, signal }, 300, (waiting) =>
            connections.call(server.address, write, { tabletId: 't', rowOperations: { rows } }, waiting),
          ),
        )
      }),
    )
    // The server notes what has come.
    ;(server.calls as unknown[]).length = 0
    return failures
  })
})

test('what an answer says does not hold its sidecars', async () => {
  const sidecar = Buffer.alloc(mebibyte)
  const answer: ListTablesResponsePB = { tables: [{ id: '1', name: 'name' }] }
  const { server, connections } = await connectionsTo(({ callId }) => reply(callId, listTablesResponse, answer, [sidecar]))
  await expectHeld(20 * mebibyte, async () => {
    const kept: ListTablesResponsePB[] = []
    for (let count = 0; count < 100; count++) {
      const call = (waiting: Waiting) => connections.call(server.address, listTables, {}, waiting)
      const { message } = await Waiting.during('list', {}, 10_000, call)
      kept.push(message)
    }
    return kept
  })
})
