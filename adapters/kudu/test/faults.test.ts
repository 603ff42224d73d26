import { kudu } from '@rowkey/kudu'
import { KuduClient, type KuduClientOptions } from '@rowkey/kudu-client'
import { kudu as launcher, temporaryFolder } from '@rowkey/servers'
import { scaled } from '@rowkey/servers/scale'
import { createMapper, defineTable, int32, isRowkeyError, kuduHash, nullable, text, type Mapper } from 'rowkey'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openProxy, type Proxy } from '../../../test/setup/proxy.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { rerouted, tabletServerPort } from './rerouted.js'

const columns = { id: int32(), a: text(), b: nullable(text()) }
const Rows = defineTable('faulty', { columns, key: ['id'], salt: kuduHash({ of: 'id', count: 3 }) })
const many = Array.from({ length: 400 }, (_, id) => ({ id, a: 'x'.repeat(200), b: null }))

withServer('kudu', (connection) => {
  let direct: Connected
  let rows: ReturnType<typeof repositoryOf>
  const closing: (() => Promise<unknown>)[] = []
  const repositoryOf = (db: Mapper) => db.repository(Rows)
  beforeAll(async () => {
    direct = await connect(connection)
    const db = createMapper(direct.adapter)
    await db.ensureTables([Rows])
    rows = repositoryOf(db)
  })
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })
  afterAll(() => direct.dispose())

  /** The same table for a client whose tablet server is at the other end of a wire. */
  async function proxied(options: Partial<KuduClientOptions> = {}): Promise<{ readonly over: typeof rows; readonly proxy: Proxy }> {
    const port = await tabletServerPort(connection)
    const proxy = await openProxy(port)
    const master = await rerouted(connection.masters[0] as string, port, proxy.port)
    const client = new KuduClient({ masters: [master.address], timeout: 20_000, ...options })
    closing.push(
      () => proxy.close(),
      () => master.close(),
      () => client.close(),
    )
    return { over: repositoryOf(createMapper(kudu(client, { database: direct.database }), { retry: { attempts: 2 } })), proxy }
  }

  test.each([1, 100, 10_000, 40_000])('a connection cut after %i bytes of a page loses and repeats no row', async (bytes) => {
    const { over, proxy } = await proxied()
    await rows.putMany(many)
    await over.get({ id: 1 }) // a connection is open, and the table is known
    const found: object[] = []
    let cursor: string | undefined
    do {
      proxy.cutAfter(bytes)
      const page = await over.scan({}, { unbounded: true }).page({ size: 150, cursor })
      found.push(...page.rows)
      ;({ cursor } = page)
    } while (cursor !== undefined)
    expect(found).toEqual(many)
  })

  test.each([
    ['an insert', (over: typeof rows) => over.insert({ id: 1001, a: 'mine' })],
    ['a put', (over: typeof rows) => over.put({ id: 1002, a: 'mine', b: null })],
    ['an update', (over: typeof rows) => over.update({ id: 1003 }, { a: 'mine' })],
    ['a delete', (over: typeof rows) => over.delete({ id: 1004 })],
  ])('%s whose answer is lost is repeated, and was made once', async (_, write) => {
    const { over, proxy } = await proxied()
    await rows.deleteMany([{ id: 1001 }, { id: 1002 }])
    await rows.putMany([1003, 1004].map((id) => ({ id, a: 'theirs', b: null })))
    await over.get({ id: 1 })
    proxy.swallow(1)
    await write(over)
    const found = await rows.getMany([1001, 1002, 1003, 1004].map((id) => ({ id })))
    expect(found.filter((row) => row?.a === 'mine').length + (found[3] === undefined ? 1 : 0)).toBe(1)
  })

  test.each([
    ['a put', 'OUTCOME_UNKNOWN', (over: typeof rows) => over.put({ id: 2001, a: 'mine', b: null })],
    ['a batch', 'WRITE_INCOMPLETE', (over: typeof rows) => over.putMany([2001, 2002, 2003].map((id) => ({ id, a: 'mine', b: null })))],
  ] as const)('%s whose answers are held until its time is over is %s', async (_, code, write) => {
    const { over, proxy } = await proxied({ timeout: 400 })
    await rows.delete({ id: 2001 })
    await over.getMany(many.slice(0, 20).map(({ id }) => ({ id }))) // a connection is open, and all tablets are known
    proxy.holdAnswers(true)
    await expect(write(over)).rejects.toMatchObject({ code })
    await expect(over.get({ id: 1 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'unanswered' } })
    proxy.holdAnswers(false)
    expect((await rows.get({ id: 2001 }))?.a).toBe('mine')
  })

  test('a tablet server that refuses connections is STORE_UNAVAILABLE, and nothing was written; when it is back, calls go on', async () => {
    const { over, proxy } = await proxied({ timeout: 500 })
    await over.put({ id: 3001, a: 'before', b: 'b' })
    await proxy.refuse(true)
    await expect(over.get({ id: 3001 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', details: { adapter: 'kudu' } })
    await expect(over.put({ id: 3001, a: 'lost', b: 'b' })).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    await expect(over.scan({}, { unbounded: true }).toArray()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect((await rows.get({ id: 3001 }))?.a).toBe('before')
    await proxy.refuse(false)
    expect((await over.get({ id: 3001 }))?.a).toBe('before')
  })
})

const missing = launcher.missing()
const own = test.skipIf(missing !== undefined && process.env['ROWKEY_REQUIRE_SERVERS'] !== '1')

own(
  'of what was acknowledged while the tablet server was killed again and again nothing is lost, and nothing was made twice',
  { timeout: 120_000 },
  async () => {
    const folder = temporaryFolder('kudu-faults')
    const server = await launcher.start({ folder: folder.path })
    const client = new KuduClient({ masters: server.connection.masters, timeout: 30_000 })
    const db = createMapper(kudu(client), { retry: { attempts: 1 } })
    try {
      await db.ensureTables([Rows])
      const rows = db.repository(Rows)
      const acknowledged: number[] = []
      const ends: Record<string, number> = {}
      const total = scaled(6000)
      const each = Math.ceil(total / 8)
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let at = 0; at < each; at += 25) {
          const batch = Array.from({ length: 25 }, (_, i) => ({ id: writer * 10_000 + at + i, a: `w${writer}`, b: null }))
          // An insert that was made twice would be told as ROW_EXISTS.
          const end = await Promise.allSettled(batch.map((row) => rows.insert(row)))
          end.forEach((one, i) => {
            const code = one.status === 'fulfilled' ? 'done' : isRowkeyError(one.reason) ? one.reason.code : 'other'
            ends[code] = (ends[code] ?? 0) + 1
            if (code === 'done') acknowledged.push((batch[i] as (typeof batch)[number]).id)
          })
        }
      })
      const killing = (async () => {
        const [tablets] = server.tabletServers
        for (let kills = 0; kills < 3; kills++) {
          await new Promise((resolve) => setTimeout(resolve, 400))
          await tablets?.kill()
          await tablets?.restart()
        }
      })()
      await Promise.all([...writers, killing])
      console.log(`kudu: ${acknowledged.length} inserts acknowledged over 3 kills: ${JSON.stringify(ends)}`)
      expect(ends['ROW_EXISTS']).toBeUndefined()
      expect(ends['other']).toBeUndefined()
      const found = new Set((await rows.scan({}, { unbounded: true }).toArray()).map(({ id }) => id))
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
      expect(acknowledged.length).toBeGreaterThan(total / 2)
    } finally {
      await client.close()
      await server.stop()
      folder.remove()
    }
  },
)

own('while no master answers, tables that are open are read and written, and the others are STORE_UNAVAILABLE', async () => {
  const server = await launcher.start()
  const client = new KuduClient({ masters: server.connection.masters, timeout: 2000 })
  const db = createMapper(kudu(client, { hash: 2 }), { retry: { attempts: 1 } })
  try {
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    await rows.putMany(many)
    expect(await rows.scan({}, { unbounded: true }).toArray()).toEqual(many)
    const [master] = server.masters
    await master?.kill()
    expect(await rows.get({ id: 3 })).toEqual(many[3])
    expect(await rows.scan({}, { unbounded: true }).toArray()).toEqual(many)
    await expect(db.ensureTables([defineTable('others', { columns, key: ['id'] })])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await master?.restart()
    await rows.put({ id: 5000, a: 'after', b: null })
    expect((await rows.get({ id: 5000 }))?.a).toBe('after')
  } finally {
    await client.close()
    await server.stop()
  }
})
