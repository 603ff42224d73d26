import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { settingsOf, type KuduClientOptions } from '../src/options.js'
import { Security } from '../src/transport/security.js'
import { Tunnel } from '../src/transport/tunnel.js'

const [master, other] = ['m:7051', 't:7050']
const securityOf = (options: Partial<KuduClientOptions> = {}): Security => new Security(settingsOf({ masters: [master], ...options }))

test('TLS is offered to other machines, and to this one as soon as a server demands it', () => {
  const security = securityOf()
  expect(security.offersTls(other, false)).toBe(true)
  expect(security.offersTls(other, true)).toBe(false)
  expect(security.demanded(other)).toBe(true)
  expect(security.offersTls(other, true)).toBe(true)
  expect(security.offersTls(master, true)).toBe(false)
  // It was offered: what is refused now is something else.
  expect(security.demanded(other)).toBe(false)
})

test.each([
  [true, true],
  [false, false],
  [{ ca: 'x' }, true],
] as const)('tls: %j decides for all machines', (tls, isOffered) => {
  const security = securityOf({ tls })
  for (const isLocal of [true, false]) expect(security.offersTls(other, isLocal)).toBe(isOffered)
  expect(security.demanded(other)).toBe(false)
})

test('a token is for other servers than masters, and only with the certificates that came with it', async () => {
  const security = securityOf()
  const token = { tokenData: Buffer.from('t') }
  security.learn(token, [])
  expect(security.tokenFor(other)).toBeUndefined()
  security.learn(token, [Buffer.from('certificate')])
  expect(security.tokenFor(other)).toBe(token)
  expect(security.tokenFor(master)).toBeUndefined()
  expect(security.tlsOptions(true)).toMatchObject({ rejectUnauthorized: true, ca: [expect.stringContaining('BEGIN CERTIFICATE')] })
  expect(security.tlsOptions(false)).toMatchObject({ rejectUnauthorized: false })
  expect(securityOf({ tls: { ca: 'mine', minVersion: 'TLSv1.3' } }).tlsOptions(false)).toMatchObject({
    rejectUnauthorized: true,
    ca: ['mine'],
    minVersion: 'TLSv1.3',
  })
})

test('a refused token is asked for once, by whoever hears of it first', async () => {
  const security = securityOf()
  const token = { tokenData: Buffer.from('t') }
  security.learn(token, [Buffer.from('c')])
  let asked = 0
  security.renew = () => {
    asked++
    security.learn({ tokenData: Buffer.from('new') }, [Buffer.from('c')])
    return Promise.resolve()
  }
  await Promise.all([security.refused(token), security.refused(token)])
  expect(asked).toBe(1)
  expect(Buffer.from(security.tokenFor(other)?.tokenData ?? []).toString()).toBe('new')
})

test('the end of the handshake is seen in records that are cut anywhere', async () => {
  const record = (type: number, ...bytes: readonly number[]): number[] => [type, 3, 3, 0, bytes.length, ...bytes]
  // What is within a record looks like another one.
  const records = Buffer.from([...record(22, 23, 3, 3, 0, 1, 9), ...record(20, 1), ...record(23, 7, 7)])
  for (const size of [1, 2, 3, 7, records.length]) {
    const sent: Buffer[] = []
    const tunnel = new Tunnel(new PassThrough() as unknown as Socket, (bytes) => {
      sent.push(Buffer.from(bytes))
      return bytes
    })
    for (let at = 0; at < records.length; at += size) {
      expect(tunnel.isFinished).toBe(false)
      await new Promise((resolve) => tunnel.write(records.subarray(at, at + size), resolve))
    }
    expect(tunnel.isFinished).toBe(true)
    expect(Buffer.concat(sent)).toEqual(records)
  }
})
