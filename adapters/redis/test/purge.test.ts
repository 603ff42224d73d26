import { defineTable, text, uint32, createMapper, bucket } from 'rowkey'
import { redis } from '@rowkey/redis'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { places } from './places.js'

const Sessions = defineTable('sessions', {
  columns: { id: uint32(), a: text() },
  key: ['id'],
  salt: bucket({ of: 'id', count: 3 }),
  ttl: '1h',
})

withServer('redis', ({ url }) => {
  const { open } = places()
  const hour = 3_600_000
  const setUp = async () => {
    const db = open(url)
    await db.ensureTables([Sessions])
    let time = Date.now()
    const timed = createMapper(redis(db.client), { prefix: db.prefix, clock: () => time })
    return { db: timed, client: db.client, rows: timed.repository(Sessions), later: (ms: number) => (time += ms) }
  }

  test('more rows than a script looks at are purged, up to the limit, and no other', async () => {
    const { db, rows, later, client: own } = await setUp()
    await rows.putMany(Array.from({ length: 2500 }, (_, id) => ({ id, a: 'old' })))
    later(hour / 2)
    await rows.putMany(Array.from({ length: 100 }, (_, i) => ({ id: 10_000 + i, a: 'young' })))
    expect(await db.purgeExpired(Sessions)).toBe(0)
    later(hour / 2)
    expect(await db.purgeExpired(Sessions, { limit: 700 })).toBe(700)
    expect(await db.purgeExpired(Sessions, { limit: 10_000 })).toBe(1800)
    expect(await rows.scan({}, { unbounded: true }).count()).toBe(100)
    const prefix = (await rows.locate({ id: 1 })).values.replace(/\..*$/, '')
    const cards = await Promise.all(['00', '01', '02'].flatMap((hex) => ['z', 'x'].map((kind) => own.zcard(`${prefix}.${hex}}:${kind}`))))
    expect(cards.reduce((sum, card) => sum + card)).toBe(2 * (100 + 3))
  })

  test('a row that was put anew is kept, also where the index of expiries does not know it', async () => {
    const { db, rows, later, client: own } = await setUp()
    await rows.put({ id: 1, a: 'old' })
    await rows.put({ id: 2, a: 'old' })
    await rows.put({ id: 3, a: 'old' })
    const { expiries, rowkey } = await rows.locate({ id: 2 })
    later(hour)
    await rows.put({ id: 1, a: 'new' })
    await rows.put({ id: 2, a: 'new' }, { expires: null })
    const other = await rows.locate({ id: 1 })
    await own.zadd(other.expiries, 5, Buffer.from(other.rowkey))
    await own.zadd(expiries, 5, Buffer.from(rowkey)) // as a writer leaves it that knows of no expiry
    expect(await db.purgeExpired(Sessions)).toBe(1)
    expect((await rows.scan({}, { unbounded: true }).toArray()).map(({ id }) => id)).toEqual([1, 2])
    expect(await own.zscore(expiries, Buffer.from(rowkey))).not.toBe('5')
    expect(Number(await own.zscore(other.expiries, Buffer.from(other.rowkey)))).toBeGreaterThan(Date.now())
  })

  test('an entry for a row that is gone is removed, and deleting a row removes its entry', async () => {
    const { db, rows, client: own } = await setUp()
    await rows.put({ id: 1, a: '' })
    const { expiries, rowkey } = await rows.locate({ id: 1 })
    expect(await own.zcard(expiries)).toBe(2)
    await rows.delete({ id: 1 })
    expect(await own.zcard(expiries)).toBe(1)
    await own.zadd(expiries, 5, Buffer.from(rowkey))
    expect(await db.purgeExpired(Sessions)).toBe(0)
    expect(await own.zcard(expiries)).toBe(1)
  })

  test('a row that is written anew without expiry has no entry any more, and one with expiry has one', async () => {
    const { db, rows, later, client: own } = await setUp()
    const { expiries, rowkey } = await rows.locate({ id: 1 })
    const entry = (): Promise<string | null> => own.zscore(expiries, Buffer.from(rowkey))
    for (const write of [
      () => rows.put({ id: 1, a: '' }, { expires: null }),
      () => rows.insert({ id: 1, a: '' }, { expires: null }),
      () => db.write([rows.ops.put({ id: 1, a: '' }, { expires: null })], { atomic: true }),
    ]) {
      await rows.put({ id: 1, a: '' })
      expect(await entry()).not.toBeNull()
      later(hour)
      await write()
      expect(await entry()).toBeNull()
    }
    await db.write([rows.ops.put({ id: 1, a: '' })], { atomic: true })
    expect(await entry()).not.toBeNull()
  })

  test('an insert over an expired row succeeds before the purge, and the purge spares it', async () => {
    const { db, rows, later } = await setUp()
    await rows.insert({ id: 1, a: 'old' })
    later(hour)
    await rows.insert({ id: 1, a: 'new' })
    await expect(rows.insert({ id: 1, a: 'newer' })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
    expect(await db.purgeExpired(Sessions)).toBe(0)
    expect(await rows.get({ id: 1 })).toMatchObject({ a: 'new' })
  })
})
