import { host } from '@rowkey/servers'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openProxy, type Proxy } from './proxy.js'

let server: Server
let proxy: Proxy
afterEach(async () => {
  await proxy.close()
  server.close()
})

/** A client on a wire to a server that closes the connection after its answer, as moto does; what the client hears, in order. */
async function open() {
  server = createServer((socket) => socket.once('data', (asked) => socket.end(`${String(asked)}!`)))
  server.listen(0, host)
  await once(server, 'listening')
  proxy = await openProxy((server.address() as AddressInfo).port)
  const client: Socket = connect({ port: proxy.port, host })
  const heard: string[] = []
  client.on('data', (chunk) => heard.push(String(chunk))).on('end', () => heard.push('end')).on('error', () => heard.push('error')) // prettier-ignore
  const closed = once(client, 'close')
  return { client, heard, closed }
}

test('a held wire is silent, also where the server closes after its answer; then both come', async () => {
  const { client, heard, closed } = await open()
  proxy.holdAnswers(true)
  client.write('asked')
  await sleep(100) // the server has answered and closed by now
  expect(heard).toEqual([])
  expect(client.closed).toBe(false)
  proxy.holdAnswers(false)
  await closed
  expect(heard).toEqual(['asked!', 'end'])
})

test('answers that were held and are lost are never heard', async () => {
  const { client, heard, closed } = await open()
  proxy.holdAnswers(true)
  client.write('asked')
  await sleep(100)
  proxy.holdAnswers(false, true)
  await closed
  expect(heard.join()).not.toContain('asked')
})

test('a slow wire changes neither the answer nor its place before the end', async () => {
  const { client, heard, closed } = await open()
  proxy.slowDown(50)
  client.write('asked')
  await sleep(20) // the answer is on its way
  proxy.slowDown(0)
  await closed
  expect(heard).toEqual(['asked!', 'end'])
})
