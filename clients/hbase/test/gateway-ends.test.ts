import { once } from 'node:events'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { hbase, type HBaseServer } from '@rowkey/servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HBaseClient } from '../src/index.js'
import { failureOf } from './failure.js'
import { withServer } from '../../../test/setup/with-server.js'
import { clientsOf, transports } from './clients.js'

const cells = [{ family: Buffer.from('f'), qualifier: Buffer.from('q'), value: Buffer.from('v') }]
const key = (index: number): Buffer => Buffer.from(String(index).padStart(8, '0'))
const hasOpenSsl = ((): boolean => {
  try {
    return execFileSync('openssl', ['version']).length > 0
  } catch {
    return false
  }
})()

// A server of this file alone: it is killed.
withServer('hbase', () => {
  let server: HBaseServer
  beforeAll(async () => {
    server = await hbase.start()
  })
  const clientOf = clientsOf(() => server.connection)
  afterAll(() => server.stop())

  test('a gateway that is killed with calls under way: all of them end, and what was acknowledged is there when it is back', async () => {
    const [first] = [clientOf('unframed')]
    await first.createTable({ name: 'killed', families: [{ name: 'f' }] })
    const clients = transports.map((transport) => clientOf(transport, { timeout: 20_000 }))
    const acknowledged: number[] = []
    const failures: { readonly code: string; readonly isSent: boolean }[] = []
    let isDown = false
    const write = async (client: HBaseClient, from: number): Promise<void> => {
      for (let index = from; !isDown; index++) {
        const error = await client.put('killed', { row: key(index), cells }).then(
          () => void acknowledged.push(index),
          (thrown: unknown) => thrown as (typeof failures)[number],
        )
        if (error !== undefined) {
          failures.push(error)
          return
        }
      }
    }
    const writers = clients.flatMap((client, which) =>
      Array.from({ length: 8 }, (_, writer) => write(client, (which * 8 + writer) * 1_000_000)),
    )
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(500)
    await server.killGateways()
    await Promise.all(writers)
    isDown = true
    expect(failures).toHaveLength(24)
    for (const { code, isSent } of failures)
      expect([
        ['CONNECTION_LOST', true],
        ['UNREACHABLE', false],
      ]).toContainEqual([code, isSent])
    expect(failures.map(({ code }) => code)).toContain('CONNECTION_LOST')
    for (const client of clients)
      expect(await failureOf(client.tableExists('killed'))).toMatchObject({ code: 'UNREACHABLE', isSent: false })
    await server.restartGateways()
    for (const client of clients) expect(await client.tableExists('killed')).toBe(true)
    const rows = await clients[0]?.getMany(
      'killed',
      acknowledged.map((index) => ({ row: key(index) })),
    )
    expect(rows?.filter(({ row }) => row === undefined)).toEqual([])
  })

  test('a server that stands still: calls end by their time limits, and it is used again when it goes on', async () => {
    const client = clientOf('unframed', { connections: 2 })
    await client.createTable({ name: 'still', families: [{ name: 'f' }] })
    server.pause()
    try {
      const errors = await Promise.all(
        [1, 2, 3, 4].map((index) => failureOf(client.put('still', { row: key(index), cells }, { timeout: 200 }))),
      )
      for (const error of errors) expect(error.code).toBe('TIMEOUT')
    } finally {
      server.resume()
    }
    await client.put('still', { row: key(9), cells })
    expect((await client.get('still', { row: key(9) })).cells).toHaveLength(1)
  })

  describe.skipIf(!hasOpenSsl)('TLS, before the gateway', () => {
    test.each(transports)('%s: a certificate that is trusted, one that is not, and none', async (transport) => {
      const folder = mkdtempSync(join(tmpdir(), 'rowkey-tls-'))
      const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyFile, '-out', certFile, ...subject],
        { stdio: 'ignore' },
      )
      const [tlsKey, cert] = [readFileSync(keyFile), readFileSync(certFile)]
      rmSync(folder, { recursive: true })
      const { gateways, host } = server.connection
      const sockets: TLSSocket[] = []
      const proxy = createServer({ key: tlsKey, cert }, (socket) => {
        sockets.push(socket)
        const plain = connect(gateways[transport], host)
        socket.on('error', () => plain.destroy())
        plain.on('error', () => socket.destroy())
        socket.pipe(plain).pipe(socket)
      }).listen(0, host)
      await once(proxy, 'listening')
      const { port } = proxy.address() as AddressInfo
      try {
        for (const tls of [{ ca: cert }, { rejectUnauthorized: false }]) {
          const client = clientOf(transport, { host, port, tls })
          expect(await client.listNamespaces()).toContain('default')
        }
        expect(await clientOf(transport, { host: 'localhost', port, tls: { ca: cert } }).listNamespaces()).toContain('default')
        const distrusted = await failureOf(clientOf(transport, { host, port, tls: true }).listNamespaces())
        expect(distrusted).toMatchObject({ code: 'UNREACHABLE', isSent: false })
        expect(distrusted.message).toMatch(/\(DEPTH_ZERO_SELF_SIGNED_CERT\)\. Its certificate is not trusted/)
        const plain = await failureOf(clientOf(transport, { host, port, connectTimeout: 2_000 }).listNamespaces())
        expect(plain).toMatchObject({ code: 'UNREACHABLE', isSent: false })
        expect(plain.message).toContain('TLS')
      } finally {
        for (const socket of sockets) socket.destroy()
        proxy.close()
      }
    })
  })
})
