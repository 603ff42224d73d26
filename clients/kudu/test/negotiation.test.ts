import { createSign, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import { afterAll, expect, test, vi } from 'vitest'
import { settingsOf } from '../src/options.js'
import { Connections } from '../src/transport/connections.js'
import { Security } from '../src/transport/security.js'
import { connectToMaster, scan, getTableLocations, listTables, type ScanRequestPB } from '../src/proto/messages.js'
import type { Column } from '../src/index.js'
import { clusterOf, failureOf, type Parts } from './cluster.js'
import { withKudu } from './with-kudu.js'

const columns: readonly Column[] = [
  { name: 'id', type: 'INT64', isKey: true },
  { name: 'text', type: 'STRING', isKey: false, isNullable: true },
]

/** Makes a table, and counts its rows at the tablet server. */
async function countIn({ tables, masters, connections, during }: Parts, name: string): Promise<bigint | undefined> {
  const table = (await during((waiting) => tables.exists(name, waiting)))
    ? await during((waiting) => tables.open(name, waiting))
    : await during((waiting) => tables.create({ name, columns }, waiting))
  const request = { table: { tableId: table.id }, internTsInfosInResponse: true }
  const { tabletLocations, tsInfos } = await during((waiting) => masters.call(getTableLocations, request, waiting))
  const { host, port } = tsInfos[0]?.rpcAddresses[0] ?? { host: '', port: 0 }
  const newScanRequest = { tabletId: tabletLocations[0]?.tabletId ?? '', projectedColumns: [], columnPredicates: [], rowFormatFlags: 2n }
  const opened: ScanRequestPB = { newScanRequest, callSeqId: 0, batchSizeBytes: 1_000_000 }
  for (;;) {
    const { message } = await during((waiting) => connections.call(`${host}:${port}`, scan, opened, waiting))
    // A tablet that was just made takes a moment.
    if (message.error?.code === 'TABLET_NOT_RUNNING') continue
    expect(message.error).toBeUndefined()
    return message.columnarData?.numRows ?? 0n
  }
}

const versions: readonly (readonly [string, ConnectionOptions])[] = [
  ['TLS 1.2', { maxVersion: 'TLSv1.2' }],
  ['TLS 1.3', { minVersion: 'TLSv1.3' }],
]

withKudu('servers as they are by default', () => {
  const { parts } = clusterOf()

  test('on this machine in clear text', async () => {
    expect(await countIn(parts(), 'plain')).toBe(0n)
    expect(await countIn(parts({ tls: false }), 'plain')).toBe(0n)
  })

  test.each(versions)('%s where it is asked for, many calls at a time', async (_, tls) => {
    const secure = parts({ tls })
    expect(await countIn(secure, 'secure')).toBe(0n)
    const lists = await secure.during((waiting) =>
      Promise.all(Array.from({ length: 200 }, () => secure.masters.call(listTables, {}, waiting))),
    )
    expect(lists.every(({ tables }) => tables.length > 0)).toBe(true)
  })

  test('a certificate that was not signed by the given authority is refused', async () => {
    const other = parts({ tls: { ca: Buffer.from('') } })
    const error = await failureOf(countIn(other, 'distrusted'))
    expect(error).toMatchObject({ code: 'UNREACHABLE', isSent: false })
    expect(error.message).toMatch(/Its certificate is not trusted/)
  })
})

withKudu('servers that demand TLS', () => {
  const demanding = ['--rpc_encryption=required', '--rpc_encrypt_loopback_connections']
  const { parts } = clusterOf({ masterFlags: demanding, tabletServerFlags: demanding })

  test('get it, without being told', async () => {
    expect(await countIn(parts(), 'demanded')).toBe(0n)
  })

  test.each(versions)('get %s', async (_, tls) => {
    expect(await countIn(parts({ tls }), 'demanded')).toBe(0n)
  })

  test('refuse those who have none', async () => {
    const error = await failureOf(countIn(parts({ tls: false }), 'none'))
    expect(error).toMatchObject({ code: 'NOT_AUTHORIZED', status: 'FATAL_UNAUTHORIZED', isSent: false })
    expect(error.message).toContain('TLS')
  })
})

/** What a master gives to those who show who they are. */
async function tokenOf({ connections, during }: Parts, master: string) {
  const { message } = await during((waiting) => connections.call(master, connectToMaster, {}, waiting))
  return message
}

withKudu('tokens', () => {
  const { server, parts } = clusterOf({ masterFlags: ['--authn_token_validity_seconds=2'] })

  test('a blank user is refused', async () => {
    const [master = ''] = server().connection.masters
    const { during } = parts()
    for (const use of ['never', 'always'] as const) {
      const connections = new Connections({ ...settingsOf({ masters: [master] }), user: '', tls: { use, options: {} } })
      const error = await failureOf(during((waiting) => connections.call(master, connectToMaster, {}, waiting)))
      expect(error).toMatchObject({ code: 'NOT_AUTHORIZED', status: 'FATAL_UNAUTHORIZED', isSent: false })
      connections.close()
    }
  })

  test.each(versions)('%s: with the token of a master, a tablet server lets in who has no name', async (_, options) => {
    const [master = ''] = server().connection.masters
    const given = parts({ tls: options })
    await countIn(given, 'tokens')
    const { authnToken, caCertDer } = await tokenOf(given, master)
    // Only the token can be what it is let in for.
    const connections = new Connections({ ...settingsOf({ masters: [master] }), user: '', tls: { use: 'always', options } })
    connections.security.learn(authnToken, caCertDer)
    const { during } = given
    const address = server().tabletServers[0]?.address ?? ''
    const unknown = { scannerId: Buffer.from('0'.repeat(32)), callSeqId: 1 }
    const { message } = await during((waiting) => connections.call(address, scan, unknown, waiting))
    expect(message.error?.code).toBe('SCANNER_EXPIRED')
    connections.close()
    // That of another authority is not trusted.
    const others = new Connections({ ...settingsOf({ masters: [master] }), tls: { use: 'always', options } })
    others.security.learn(authnToken, [Buffer.from('x')])
    const distrusted = await failureOf(during((waiting) => others.call(address, scan, unknown, waiting)))
    expect(distrusted).toMatchObject({ code: 'UNREACHABLE', isSent: false })
    others.close()
  })

  test('a token that has expired is asked for again', async () => {
    const refused = vi.spyOn(Security.prototype, 'refused')
    const given = parts({ tls: true, idleTimeout: 200 })
    expect(await countIn(given, 'expired')).toBe(0n)
    expect(refused).not.toHaveBeenCalled()
    // Its connection has been closed by then.
    await new Promise((resolve) => setTimeout(resolve, 3_500))
    expect(await countIn(given, 'expired')).toBe(0n)
    expect(refused.mock.calls.length).toBeGreaterThan(0)
    refused.mockRestore()
  })
})

withKudu('tablet servers that refuse all tokens', () => {
  const { parts } = clusterOf({ tabletServerFlags: ['--rpc_inject_invalid_authn_token_ratio=1'] })

  test('are told the user', async () => {
    expect(await countIn(parts({ tls: true }), 'user')).toBe(0n)
  })
})

withKudu('web tokens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-jwks-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { n, e } = publicKey.export({ format: 'jwk' })
  const keys = join(folder, 'jwks.json')
  writeFileSync(keys, JSON.stringify({ keys: [{ use: 'sig', kty: 'RSA', kid: 'k', alg: 'RS256', n, e }] }))
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tokenFor = (subject: string, seconds = 60): string => {
    const now = Math.floor(Date.now() / 1_000)
    const text = `${part({ alg: 'RS256', typ: 'JWT', kid: 'k' })}.${part({ iss: 'test', sub: subject, iat: now - 120, exp: now + seconds })}`
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
  }
  const flags = ['--enable_jwt_token_auth', `--jwks_file_path=${keys}`]
  const { server, parts } = clusterOf({ masterFlags: flags, tabletServerFlags: flags })

  test.each(versions)('%s: say who the client is', async (_, options) => {
    const [master = ''] = server().connection.masters
    const { caCertDer } = await tokenOf(parts(), master)
    const ca = caCertDer.map((der) => `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`)
    expect(await countIn(parts({ token: tokenFor('alice'), tls: { ...options, ca } }), 'web')).toBe(0n)
    const error = await failureOf(countIn(parts({ token: tokenFor('alice', -60), tls: { ...options, ca } }), 'web'))
    expect(error).toMatchObject({ code: 'NOT_AUTHORIZED', status: 'FATAL_INVALID_JWT', isSent: false })
  })
})
