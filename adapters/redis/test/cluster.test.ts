import { redis } from '@rowkey/redis'
import { redisCluster, type RedisCluster } from '@rowkey/servers'
import { Cluster, Redis } from 'ioredis'
import { bucket, createMapper, defineTable, text, uint32 } from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProxy } from '../../../test/setup/proxy.js'

const Rows = defineTable('rows', { columns: { id: uint32(), a: text() }, key: ['id'], salt: bucket({ of: 'id', count: 16 }) })
const missing = redisCluster.missing()

describe.skipIf(missing !== undefined)('a cluster of its own', () => {
  let cluster: RedisCluster
  let client: Cluster
  const nodes: Redis[] = []
  beforeAll(async () => {
    cluster = await redisCluster.start()
    client = new Cluster([...cluster.connection.nodes])
    client.on('node error', () => undefined).on('error', () => undefined)
    nodes.push(...cluster.connection.nodes.map((node) => new Redis({ ...node, retryStrategy: () => 100 })))
    for (const node of nodes) node.on('error', () => undefined)
  })
  afterAll(async () => {
    client.disconnect()
    for (const node of nodes) node.disconnect()
    await cluster.stop()
  })

  const slotOf = (key: string): Promise<number> => (nodes[0] as Redis).cluster('KEYSLOT', key)

  /** The node that has a slot, and another one. */
  async function ownerOf(slot: number): Promise<{ from: Redis; to: Redis }> {
    const ids = await Promise.all(nodes.map((node) => node.cluster('MYID')))
    const ranges = (await (nodes[0] as Redis).cluster('SLOTS')) as unknown as [number, number, [string, number, string]][]
    const owner = ids.indexOf(ranges.find(([first, last]) => first <= slot && slot <= last)?.[2][2] as string)
    return { from: nodes[owner] as Redis, to: nodes[(owner + 1) % nodes.length] as Redis }
  }

  /** As redis-cli reshards: key by key, so that a shard is on two nodes for a while. */
  async function moveSlot(slot: number, pauseMs: number): Promise<void> {
    const { from, to } = await ownerOf(slot)
    const [fromId, toId] = (await Promise.all([from.call('CLUSTER', 'MYID'), to.call('CLUSTER', 'MYID')])) as [string, string]
    await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId)
    await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId)
    for (;;) {
      const keys = await from.cluster('GETKEYSINSLOT', slot, 1)
      if (keys.length === 0) break
      const { host, port } = to.options as { host: string; port: number }
      await from.call('MIGRATE', host, port, '', 0, 5000, 'KEYS', ...keys)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    for (const node of [to, from, ...nodes]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId)
  }

  test('slots that move during scans and writes lose and repeat nothing', async () => {
    const db = createMapper(redis(client), { prefix: 'moving_' })
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    const all = Array.from({ length: 2000 }, (_, id) => ({ id, a: 'x' }))
    await rows.putMany(all)
    const slots = await Promise.all(all.slice(0, 100).map(async ({ id }) => slotOf((await rows.locate({ id })).values)))
    const own = [...new Set(slots)]
    expect(own).toHaveLength(16)
    expect(new Set(await Promise.all(own.map(async (slot) => nodes.indexOf((await ownerOf(slot)).from)))).size).toBeGreaterThan(1)

    let isMoving = true
    const moving = (async () => {
      for (const slot of own) await moveSlot(slot, 30)
      isMoving = false
    })()
    let scans = 0
    const written: number[] = []
    const reader = async (reverse: boolean): Promise<void> => {
      while (isMoving) {
        const found = []
        let cursor: string | undefined
        do {
          const page = await rows.scan({ id: { lt: 2000 } }, { order: reverse ? 'reverse' : undefined }).page({ size: 300, cursor })
          found.push(...page.rows)
          cursor = page.cursor
        } while (cursor !== undefined)
        expect(reverse ? found.reverse() : found).toEqual(all)
        scans++
      }
    }
    const writer = async (): Promise<void> => {
      for (let id = 10_000; isMoving; id++) {
        await rows.insert({ id, a: 'y' })
        await rows.update({ id }, { a: 'z' })
        written.push(id)
      }
    }
    await Promise.all([moving, reader(false), reader(true), writer()])
    expect(scans).toBeGreaterThan(2)
    expect(written.length).toBeGreaterThan(10)
    expect((await rows.getMany(written.map((id) => ({ id })))).every((row) => row?.a === 'z')).toBe(true)
    let count = 0
    for await (const _ of rows.readAll()) count++
    expect(count).toBe(2000 + written.length)
  })

  // ioredis asks any node after a lost connection, and is sent back to the one that has the slot.
  test('an insert whose answer is lost, and which is then redirected, is unknown, and never a conflict with itself', async () => {
    const proxies = await Promise.all(nodes.map(({ options: { port } }) => openProxy(Number(port))))
    const natMap = Object.fromEntries(
      nodes.map(({ options: { host, port } }, i) => [`${host}:${port}`, { host: '127.0.0.1', port: proxies[i]?.port as number }]),
    )
    const proxied = new Cluster(Object.values(natMap), { natMap })
    proxied.on('node error', () => undefined).on('error', () => undefined)
    try {
      const db = createMapper(redis(proxied), { prefix: 'cut_' })
      await db.ensureTables([Rows])
      const rows = db.repository(Rows)
      const all = Array.from({ length: 40 }, (_, id) => ({ id, a: 'x' }))
      await Promise.all(all.map((row) => rows.insert(row)))
      for (const row of all.slice(0, 6)) {
        const { from } = await ownerOf(await slotOf((await rows.locate({ id: row.id })).values))
        await rows.delete({ id: row.id })
        proxies[nodes.indexOf(from)]?.swallow(1)
        await expect(rows.insert(row)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
        expect(await rows.get({ id: row.id })).toEqual(row)
      }
    } finally {
      proxied.disconnect()
      for (const proxy of proxies) await proxy.close()
    }
  })

  test('a node that is lost is a typed error for its shards, and nothing for the others; all is well when it is back', async () => {
    const db = createMapper(redis(client), { prefix: 'losing_' })
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    const all = Array.from({ length: 200 }, (_, id) => ({ id, a: 'x' }))
    await rows.putMany(all)
    const owners = await Promise.all(
      all.map(async ({ id }) => nodes.indexOf((await ownerOf(await slotOf((await rows.locate({ id })).values))).from)),
    )
    const lost = owners[0] as number
    const [here, gone] = [all.filter((_, i) => owners[i] !== lost), all.filter((_, i) => owners[i] === lost)]
    await cluster.killNode(lost)
    const results = await Promise.all(all.map(({ id }) => rows.get({ id }).catch((error: unknown) => error)))
    all.forEach((row, i) => {
      if (owners[i] === lost) expect(results[i]).toMatchObject({ code: 'STORE_UNAVAILABLE' })
      else expect(results[i]).toEqual(row)
    })
    await expect(rows.scan({}, { unbounded: true }).toArray()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    const failure = await rows
      .insert({ id: gone[0]?.id as number, a: 'new' }, { deadline: Date.now() + 3000 })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: expect.stringMatching(/^(OUTCOME_UNKNOWN|WRITE_FAILED|DEADLINE)$/) })
    await rows.update({ id: here[0]?.id as number }, { a: 'changed' })
    expect(await rows.get({ id: here[0]?.id as number })).toMatchObject({ a: 'changed' })
    await cluster.startNode(lost)
  })
})
