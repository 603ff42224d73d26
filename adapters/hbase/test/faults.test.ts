import { hbase } from '@rowkey/hbase'
import { hbase as launcher } from '@rowkey/servers'
import { bucket, createMapper, defineTable, int32, nullable, text, type Mapper } from 'rowkey'
import { afterEach, expect, test } from 'vitest'
import { refusalOf } from '../../../test/kit/refusal.js'
import { openProxy, type Proxy } from '../../../test/setup/proxy.js'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf } from './connected.js'

const Rows = defineTable('faulty', {
  columns: { id: int32(), a: text(), b: nullable(text()) },
  key: ['id'],
  salt: bucket({ of: 'id', count: 4 }),
})
const Versioned = defineTable('faulty_versions', { columns: { id: int32(), a: text() }, key: ['id'], version: 'rev' })

const many = Array.from({ length: 400 }, (_, id) => ({ id, a: 'x'.repeat(200), b: null }))

withServer('hbase', (connection) => {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })
  const proxied = async (options: object = {}): Promise<{ db: Mapper; proxy: Proxy; direct: Mapper }> => {
    const proxy = await openProxy(connection.gateways.unframed)
    const client = clientOf({ ...connection, gateways: { ...connection.gateways, unframed: proxy.port } }, 'unframed', { connections: 2, timeout: 20_000, ...options })
    const own = clientOf(connection)
    closing.push(() => proxy.close(), () => client.close(), () => own.close())
    const direct = createMapper(hbase(own))
    await direct.ensureTables([Rows, Versioned])
    return { db: createMapper(hbase(client), { retry: { attempts: 2 } }), proxy, direct }
  } // prettier-ignore

  test.each([1, 100, 10_000, 40_000])('a connection cut after %i bytes of a page loses and repeats no row', async (bytes) => {
    const { db, proxy, direct } = await proxied()
    await direct.repository(Rows).putMany(many)
    await db.repository(Rows).get({ id: 1 }) // a connection is open, and the catalog is known
    const found = []
    let cursor: string | undefined
    do {
      proxy.cutAfter(bytes)
      const page = await db.repository(Rows).scan({}, { unbounded: true }).page({ size: 150, cursor })
      found.push(...page.rows)
      cursor = page.cursor
    } while (cursor !== undefined)
    expect(found).toEqual(many)
  }) // prettier-ignore

  test.each([
    ['an insert', (db: Mapper) => db.repository(Rows).insert({ id: 1001, a: 'mine' })],
    ['a put with nulls', (db: Mapper) => db.repository(Rows).put({ id: 1002, a: 'mine', b: null })],
    ['a put without nulls', (db: Mapper) => db.repository(Rows).put({ id: 1003, a: 'mine', b: 'b' })],
    ['an update', (db: Mapper) => db.repository(Rows).update({ id: 1004 }, { a: 'mine' })],
    ['an update with a condition', (db: Mapper) => db.repository(Rows).update({ id: 1005 }, { a: 'mine' }, { if: { a: 'theirs' } })],
  ])('%s whose answer is lost is unknown, and was made once', async (_, write) => {
    const { db, proxy, direct } = await proxied()
    const rows = direct.repository(Rows)
    for (const id of [1001, 1002, 1003, 1004, 1005]) await rows.delete({ id })
    for (const id of [1004, 1005]) await rows.put({ id, a: 'theirs', b: null })
    await db.repository(Rows).get({ id: 1 }) // the connection is open
    proxy.holdAnswers(true)
    const refused = refusalOf(() => write(db))
    // Until the server has done it: the answers to reads before a write come, the one to the write is lost.
    for (let look = 0; look < 400; look++) {
      if ((await rows.getMany([1001, 1002, 1003, 1004, 1005].map((id) => ({ id })))).some((row) => row?.a === 'mine')) break
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (look % 20 === 19) {
        proxy.holdAnswers(false)
        proxy.holdAnswers(true)
      }
    }
    proxy.holdAnswers(false, true)
    expect(await refused).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    const found = await rows.getMany([1001, 1002, 1003, 1004, 1005].map((id) => ({ id })))
    expect(found.filter((row) => row?.a === 'mine')).toHaveLength(1)
  })

  test('of a write with a version, a lost answer is found out by the version', async () => {
    const { db, proxy, direct } = await proxied()
    const rows = db.repository(Versioned)
    await rows.get({ id: 1 })
    proxy.swallow(1)
    await rows.put({ id: 1, a: 'mine' })
    expect(await direct.repository(Versioned).get({ id: 1 })).toMatchObject({ id: 1, a: 'mine' })
  })

  test('a gateway that refuses connections is STORE_UNAVAILABLE, and nothing was written; when it is back, calls go on', async () => {
    const { db, proxy, direct } = await proxied()
    const rows = db.repository(Rows)
    await rows.put({ id: 2001, a: 'before', b: 'b' })
    await proxy.refuse(true)
    await expect(rows.get({ id: 2001 })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { adapter: 'hbase', reason: 'unanswered' },
    })
    await expect(rows.put({ id: 2001, a: 'lost', b: 'b' })).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    await expect(rows.scan({}, { unbounded: true }).toArray()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect((await direct.repository(Rows).get({ id: 2001 }))?.a).toBe('before')
    await proxy.refuse(false)
    expect((await rows.get({ id: 2001 }))?.a).toBe('before')
  })
})

const missing = launcher.missing()

test.skipIf(missing !== undefined && process.env['ROWKEY_REQUIRE_SERVERS'] !== '1')(
  'a gateway that dies settles all calls at once; a new one at its port serves the same client',
  async () => {
    const server = await launcher.start({ transports: ['unframed'] })
    const client = clientOf(server.connection, 'unframed', { timeout: 60_000 })
    const db = createMapper(hbase(client))
    try {
      await db.ensureTables([Rows])
      const rows = db.repository(Rows)
      await rows.putMany(many)
      const calls = Promise.allSettled(many.slice(0, 100).map(({ id }) => rows.get({ id })))
      await server.killGateways()
      const settled = await calls
      expect(settled.every((call) => call.status === 'fulfilled' || (call.reason as { code?: string }).code === 'STORE_UNAVAILABLE')).toBe(
        true,
      )
      await server.restartGateways()
      expect(await rows.getMany(many.map(({ id }) => ({ id })))).toEqual(many)
    } finally {
      await client.close()
      await server.stop()
    }
  },
)
