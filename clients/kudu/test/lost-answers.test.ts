import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePorts } from '../../../test/servers/src/loopback.js'
import { kudu, type KuduServer } from '../../../test/servers/src/index.js'
import { openProxy, type Proxy } from '../../../test/setup/proxy.js'
import { KuduClient, type KuduTable, type Operation } from '../src/index.js'
import { metrics, rowsOf } from './clients.js'
import { failureOf } from './cluster.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  // The tablet server is known by a proxy that loses answers of requests that were executed.

  let server: KuduServer
  let proxy: Proxy
  let client: KuduClient
  let table: KuduTable

  beforeAll(async () => {
    const [port] = await freePorts(1)
    proxy = await openProxy(port as number)
    server = await kudu.start({
      tabletServerFlags: [`--rpc_bind_addresses=127.0.0.1:${port as number}`, `--rpc_advertised_addresses=127.0.0.1:${proxy.port}`],
    })
    client = new KuduClient({ masters: server.connection.masters })
    table = await metrics(client, 2)
  }, 60_000)

  afterAll(async () => {
    await client.close()
    await server.stop()
    await proxy.close()
  })

  test('an insert without an answer is repeated, and is no row that is there already', { timeout: 60_000 }, async () => {
    for (let key = 0; key < 30; key++) {
      proxy.swallow(1 + (key % 4))
      await Promise.all(Array.from({ length: 5 }, (_, index) => client.insert(table, [`h${index}`, key, key])))
    }
    proxy.swallow(Infinity)
    expect(await rowsOf(client.scan(table, { columns: ['time'] }))).toHaveLength(150)
  })

  test('of a batch without an answer each operation has the error that it had', async () => {
    const operations: Operation[] = Array.from({ length: 100 }, (_, key) => ({ type: 'insert', row: ['h0', key, 0] }))
    proxy.swallow(1)
    const { errors } = await client.write(table, operations)
    expect(errors.map((error) => error?.code)).toEqual(Array.from({ length: 100 }, (_, key) => (key < 30 ? 'ALREADY_PRESENT' : undefined)))
  })

  test('an ordered scan goes on after answers that were lost, with each row once', async () => {
    const rows = Array.from({ length: 3_000 }, (_, key): Operation => ({ type: 'upsert', row: ['scanned', key, key] }))
    await client.write(table, rows)
    const where = [{ column: 'host', equals: 'scanned' }]
    const scanner = client.scan(table, { where, columns: ['time'], isOrdered: true, batchBytes: 1 })
    const found: unknown[] = []
    for (let batch = 0; ; batch++) {
      if (batch % 5 === 4) proxy.swallow(1)
      const next = await scanner.next()
      if (next === undefined) break
      for (const { time } of next) found.push(time)
    }
    proxy.swallow(Infinity)
    expect(found).toEqual(rows.map((_, key) => BigInt(key)))
  })

  test('an unordered scan ends where it may have lost rows, and starts again where it had none', async () => {
    const where = [{ column: 'host', equals: 'scanned' }]
    const scanner = client.scan(table, { where, columns: ['time'], batchBytes: 1 })
    proxy.swallow(1)
    expect((await scanner.next())?.length).toBeGreaterThan(0)
    proxy.cutAfter(1)
    await expect(async () => {
      while ((await scanner.next()) !== undefined);
    }).rejects.toMatchObject({ code: 'CONNECTION_LOST', message: expect.stringContaining('Use isOrdered') as string })
    expect(await scanner.next()).toBeUndefined()
  })

  test('connections that are cut, and refused for a while', { timeout: 60_000 }, async () => {
    const writes = Promise.all(
      Array.from({ length: 200 }, async (_, key) => {
        await new Promise((resolve) => setTimeout(resolve, 5 * key))
        await client.insert(table, ['cut', key, key])
      }),
    )
    for (let cut = 0; cut < 10; cut++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      proxy.cut()
    }
    await proxy.refuse(true)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await proxy.refuse(false)
    await writes
    expect(await rowsOf(client.scan(table, { where: [{ column: 'host', equals: 'cut' }] }))).toHaveLength(200)
  })

  test('a server that is not reached in time: what was not sent says so, with the last failure', async () => {
    await proxy.refuse(true)
    await client.get(table, ['late', 1], { timeout: 500 }).catch(() => undefined) // the client has noticed
    const error = await client.insert(table, ['late', 1, 1], { timeout: 500 }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ code: 'TIMEOUT', isSent: false, message: expect.stringContaining('The last attempt failed') as string })
    await proxy.refuse(false)
    await client.insert(table, ['late', 1, 1])
  })

  test('a call for which the masters were only asked was not sent', async () => {
    const other = new KuduClient({ masters: server.connection.masters })
    try {
      await other.tableExists(table.name) // it is connected
      server.masters[0]?.pause()
      const timeout = 300
      const signal = AbortSignal.timeout(timeout)
      const calls = [
        other.insert(table, ['unsent', 1, 1], { timeout }),
        other.insert(table, ['unsent', 1, 1], { signal }),
        other.alterTable(table, [{ addColumn: { name: 'more', type: 'INT32', isKey: false, isNullable: true } }], { timeout }),
      ]
      for (const error of await Promise.all(calls.map(failureOf))) {
        expect(error).toMatchObject({ isSent: false, message: expect.stringContaining('It was not sent') as string })
      }
    } finally {
      server.masters[0]?.resume()
      await other.close()
    }
  })
})
