import { hbase } from '@rowkey/hbase'
import { createMapper, defineTable, int32, nullable, text, toHex } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { startJava } from './java.js'

const Sessions = defineTable('sessions', { columns: { id: int32(), a: nullable(text()) }, key: ['id'], ttl: '1h' })
const hour = 3_600_000

withServer('hbase', (connection) => {
  let server: Connected
  let time = Date.now()
  beforeAll(async () => {
    server = await connect(connection, 'unframed', { namespace: 'expiry' })
  })
  afterAll(() => server.dispose())
  const open = async (prefix: string) => {
    const db = createMapper(server.adapter, { prefix, clock: () => time })
    await db.ensureTables([Sessions])
    return { db, rows: db.repository(Sessions) }
  }

  test('more rows than a page are purged, up to the limit, and no other; a walk goes on where the last one stopped', async () => {
    const { db, rows } = await open('purged_')
    await rows.putMany(Array.from({ length: 2500 }, (_, id) => ({ id, a: 'old' })))
    time += hour / 2
    await rows.putMany(Array.from({ length: 100 }, (_, i) => ({ id: 100 * i + 10_000, a: 'young' })))
    await rows.put({ id: -1, a: 'before 1970' }, { expires: new Date(-5) })
    expect(await db.purgeExpired(Sessions)).toBe(1)
    time += hour / 2
    expect(await db.purgeExpired(Sessions, { limit: 700 })).toBe(700)
    expect(await db.purgeExpired(Sessions, { limit: 10_000 })).toBe(1800)
    expect(await rows.scan({}, { unbounded: true }).count()).toBe(100)
  })

  test('an expired row does not exist for any write, and what replaces it has none of its columns', async () => {
    const { rows } = await open('writes_')
    await rows.put({ id: 1, a: 'old' })
    time += 2 * hour
    expect(await rows.get({ id: 1 })).toBeUndefined()
    await expect(rows.update({ id: 1 }, { a: 'x' })).rejects.toMatchObject({ code: 'ROW_NOT_FOUND' })
    await rows.insert({ id: 1 })
    expect(await rows.get({ id: 1 })).toEqual({ id: 1, a: null })
    await expect(rows.insert({ id: 1 })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
  })

  test('a row that is put anew while it is purged stays', async () => {
    const { db, rows } = await open('raced_')
    await rows.putMany(Array.from({ length: 300 }, (_, id) => ({ id, a: 'old' })))
    time += 2 * hour
    const [purged] = await Promise.all([
      db.purgeExpired(Sessions),
      Promise.all(Array.from({ length: 300 }, (_, id) => rows.put({ id, a: 'new' }))),
    ])
    expect(purged).toBeLessThanOrEqual(300)
    expect((await rows.scan({}, { unbounded: true }).toArray()).filter(({ a }) => a === 'new')).toHaveLength(300)
  })

  test('what the time to live of the server removes is missing, and never an older value', async () => {
    const Short = defineTable('short', {
      columns: { id: int32(), a: text(), b: nullable(text()) },
      key: ['id'],
      stores: { hbase: { timeToLive: 2 } },
    })
    const db = createMapper(hbase(server.client, { namespace: 'expiry' }))
    await db.ensureTables([Short])
    const rows = db.repository(Short)
    const java = startJava(connection)
    await java.run('flush', 'expiry:short') // it has started
    const at = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, began + ms - Date.now())))
    const began = Date.now()
    await rows.put({ id: 1, a: 'first', b: 'first' })
    await rows.put({ id: 2, a: 'first', b: 'first' })
    await at(1400)
    await rows.put({ id: 1, a: 'second', b: 'second' })
    await rows.update({ id: 2 }, { b: 'second' })
    await java.run('flush', 'expiry:short')
    await at(2600)
    // The first values are gone: of row 2 a required column is missing, and says so.
    const seen = await rows.get({ id: 1 })
    expect([undefined, 'second']).toContain(seen?.b)
    const other: unknown = await rows.get({ id: 2 }).catch((error: unknown) => error)
    expect(other === undefined || (other as { code?: string }).code === 'UNREADABLE_ROW').toBe(true)
    await at(5000)
    await java.run('compact', 'expiry:short')
    expect(await rows.get({ id: 1 })).toBeUndefined()
    expect(await rows.get({ id: 2 })).toBeUndefined()
    await rows.insert({ id: 1, a: 'third' })
    expect(await rows.get({ id: 1 })).toEqual({ id: 1, a: 'third', b: null })
    expect(await java.run('get', 'expiry:short', toHex(rows.encodeKey({ id: 1 })), 'b', 'toString')).toBe('null')
    await java.end()
  })
})
