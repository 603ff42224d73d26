import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kudu, type KuduServer } from '../../../test/servers/src/index.js'
import { KuduClient, type KuduTable, type Operation } from '../src/index.js'
import { metrics } from './clients.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  // Servers die, and nothing that was acknowledged is lost or done twice.

  const hostOf = (key: number): string => `h${key % 7}`

  /** Writes as fast as it can, sometimes one row and sometimes many, until it is told to stop. Another client reads what was acknowledged. */
  function writing(client: KuduClient, table: KuduTable, workers: number, reader?: KuduClient) {
    let next = 0
    let isOver = false
    const acknowledged: number[] = []
    const work = async (): Promise<void> => {
      while (!isOver) {
        const keys = Array.from({ length: next % 3 === 0 ? 1 : 20 }, () => next++)
        const operations = keys.map((key): Operation => ({ type: 'insert', row: [hostOf(key), key, key, null] }))
        const { errors } = await client.write(table, operations)
        // A row that is inserted twice is there already.
        for (const error of errors) if (error !== undefined) throw error
        acknowledged.push(...keys)
        const [key] = keys as [number]
        if (reader !== undefined) expect(await reader.get(table, [hostOf(key), key])).toMatchObject({ load: key })
      }
    }
    const all = Array.from({ length: workers }, work)
    const failed = Promise.all(all)
    failed.catch(() => undefined)
    return {
      count: () => acknowledged.length,
      async until(count: number) {
        while (acknowledged.length < count) await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 5))])
      },
      async stop() {
        isOver = true
        await failed
        return acknowledged
      },
    }
  }

  async function expectRows(client: KuduClient, table: KuduTable, keys: readonly number[]): Promise<void> {
    const found = new Set<number>()
    let rows = 0
    for await (const batch of client.scan(table, { columns: ['time'], isOrdered: true })) {
      rows += batch.length
      for (let row = 0; row < batch.length; row++) found.add(Number(batch.value(row, 0)))
    }
    expect(rows).toBe(found.size)
    expect(keys.filter((key) => !found.has(key))).toEqual([])
    expect(found.size).toBe(keys.length)
  }

  async function withServers(options: Parameters<typeof kudu.start>[0], use: (server: KuduServer, client: KuduClient) => Promise<void>) {
    const server = await kudu.start(options)
    const client = new KuduClient({ masters: server.connection.masters })
    try {
      await use(server, client)
    } finally {
      await client.close()
      await server.stop()
    }
  }

  test(
    'a tablet server is killed during writes: none that was acknowledged is lost, none is done twice',
    { timeout: 120_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'kudu-faults-'))
      try {
        await withServers({ folder }, async (server, client) => {
          const table = await metrics(client, 3)
          const writes = writing(client, table, 6)
          for (let kill = 1; kill <= 3; kill++) {
            await writes.until(kill * 1_500)
            await server.tabletServers[0]?.restart()
          }
          await writes.until(6_000)
          const keys = await writes.stop()
          expect(keys.length).toBeGreaterThanOrEqual(5_000)
          await expectRows(client, table, keys)
        })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )

  test('the leader of three replicas is killed: writes and scans go on', { timeout: 120_000 }, async () => {
    await withServers({ tabletServers: 3 }, async (server, client) => {
      const table = await metrics(client, 2, 3)
      const reader = new KuduClient({ masters: server.connection.masters })
      const writes = writing(client, table, 4, reader)
      await writes.until(3_000)
      const scanner = client.scan(table, { columns: ['time'], isOrdered: true, batchBytes: 1_000 })
      let seen = (await scanner.next())?.length ?? 0
      const leader = async () => (await client.tablets(table))[0]?.replicas.find(({ isLeader }) => isLeader)?.address
      for (let kill = 0; kill < 2; kill++) {
        const address = await leader()
        const process = server.tabletServers.find((each) => each.address === address)
        await process?.kill()
        const count = writes.count()
        await writes.until(count + 1_000)
        for (let batch = 0; batch < 3; batch++) seen += (await scanner.next())?.length ?? 0
        await process?.restart()
      }
      const keys = await writes.stop()
      for (let batch = await scanner.next(); batch !== undefined; batch = await scanner.next()) seen += batch.length
      // The scan has what was there when it began, and no row twice.
      expect(seen).toBeGreaterThanOrEqual(3_000)
      expect(seen).toBeLessThan(keys.length)
      await expectRows(client, table, keys)
      const some = keys.filter((_, index) => index % 37 === 0)
      const rows = await client.getMany(
        table,
        some.map((key) => [hostOf(key), key]),
      )
      expect(rows.map((row) => row?.['load'])).toEqual(some)
      await reader.close()
    })
  })

  test('the leader of three replicas hangs: after ten seconds others are asked', { timeout: 60_000 }, async () => {
    await withServers({ tabletServers: 3 }, async (server, client) => {
      const table = await metrics(client, 1, 3)
      await client.write(
        table,
        Array.from({ length: 2_000 }, (_, key): Operation => ({ type: 'insert', row: ['a', key, key] })),
      )
      const scanner = client.scan(table, { isOrdered: true, batchBytes: 1 })
      let seen = (await scanner.next())?.length ?? 0
      const leader = (await client.tablets(table))[0]?.replicas.find(({ isLeader }) => isLeader)?.address
      const process = server.tabletServers.find(({ address }) => address === leader)
      process?.pause()
      const [, row] = await Promise.all([
        client.insert(table, ['a', -1]),
        client.get(table, ['a', 7], { columns: ['load'] }),
        (async () => {
          for (let batch = await scanner.next(); batch !== undefined; batch = await scanner.next()) seen += batch.length
        })(),
      ])
      process?.resume()
      expect(row).toEqual({ load: 7 })
      expect(seen).toBe(2_000)
      expect(await client.get(table, ['a', -1], { columns: ['time'] })).toEqual({ time: -1n })
    })
  })

  test('a master restarts: what is known goes on meanwhile, and what is not waits', { timeout: 60_000 }, async () => {
    await withServers({}, async (server, client) => {
      const table = await metrics(client)
      await client.insert(table, ['a', 1])
      await server.masters[0]?.kill()
      await client.insert(table, ['a', 2])
      expect(await client.get(table, ['a', 1], { columns: ['time'] })).toEqual({ time: 1n })
      const opened = client.openTable(table.name)
      await server.masters[0]?.restart()
      expect((await opened).id).toBe(table.id)
      const other = new KuduClient({ masters: server.connection.masters })
      await other.insert(await other.openTable(table.name), ['b', 1])
      await other.close()
    })
  })

  test('a tablet server that hangs: the call ends in time, with an outcome that is unknown', { timeout: 60_000 }, async () => {
    await withServers({}, async (server, client) => {
      const table = await metrics(client)
      await client.insert(table, ['a', 1])
      server.tabletServers[0]?.pause()
      const calls = [
        client.insert(table, ['a', 2], { timeout: 300 }),
        client.get(table, ['a', 1], { timeout: 300 }),
        client.scan(table, {}, { timeout: 300 }).next(),
      ]
      const abort = new AbortController()
      const aborted = client.insert(table, ['a', 3], { signal: abort.signal })
      const codes = await Promise.allSettled(calls)
      abort.abort()
      expect(codes.map((each) => each.status === 'rejected' && (each.reason as { code: string }).code)).toEqual([
        'TIMEOUT',
        'TIMEOUT',
        'TIMEOUT',
      ])
      await expect(aborted).rejects.toMatchObject({ code: 'ABORTED', isSent: true })
      await expect(calls[0]).rejects.toMatchObject({ isSent: true })
      server.tabletServers[0]?.resume()
      await client.upsert(table, ['a', 2, 5])
      expect(await client.get(table, ['a', 2])).toMatchObject({ load: 5 })
    })
  })
})
