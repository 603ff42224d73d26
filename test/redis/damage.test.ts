import { bucket, defineTable, text, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { withServer } from '../setup/with-server.js'
import { places } from './places.js'

const Rows = defineTable('rows', {
  columns: { id: uint32(), a: text() },
  key: ['id'],
  salt: bucket({ of: 'id', count: 2 }),
  version: 'rev',
})

withServer('redis', ({ url }) => {
  const { open } = places()
  const setUp = async () => {
    const db = open(url)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    await rows.putMany(Array.from({ length: 20 }, (_, id) => ({ id, a: 'x' })))
    const place = await rows.locate({ id: 7 })
    return { db, rows, ...place, field: Buffer.from(place.rowkey), all: () => rows.scan({}, { allowFullScan: true }).toArray() }
  }
  const corrupt = expect.objectContaining({ code: 'CORRUPT_ROW' }) as Error

  test('a member without a value is CORRUPT_ROW in scans of any kind, and a put mends it', async () => {
    const { db, rows, values, field, all } = await setUp()
    await db.client.hdel(values, field)
    await expect(all()).rejects.toEqual(corrupt)
    await expect((async () => { for await (const _ of rows.fullScan()); })()).rejects.toEqual(corrupt) // prettier-ignore
    expect(await rows.get({ id: 7 })).toBeUndefined()
    await rows.put({ id: 7, a: 'again' })
    expect(await all()).toHaveLength(20)
  })

  test('two that hide each other: a member without a value and a value without a member', async () => {
    const { db, values, index, field, rows, all } = await setUp()
    const other = await sameShard(rows, values)
    await db.client.hdel(values, field)
    await db.client.zrem(index, Buffer.from(other))
    await expect(all()).rejects.toMatchObject({ code: 'CORRUPT_ROW', message: expect.stringContaining(field.toString('hex')) })
  })

  test('a value without a member is CORRUPT_ROW in scans, and a put or a delete mends it', async () => {
    const { db, rows, index, field, all } = await setUp()
    await db.client.zrem(index, field)
    await expect(all()).rejects.toEqual(corrupt)
    await rows.delete({ id: 7 })
    expect(await all()).toHaveLength(19)
  })

  test('keys that the server has evicted are noticed by every call', async () => {
    for (const kind of ['index', 'values'] as const) {
      const { db, rows, all, ...place } = await setUp()
      await db.client.del(place[kind])
      const code = kind === 'index' ? 'CORRUPT_ROW' : 'TABLE_MISSING'
      await expect(all()).rejects.toMatchObject({ code })
      for (const write of [() => rows.put({ id: 7, a: '' }), () => rows.insert({ id: 7, a: '' }), () => rows.delete({ id: 7 })]) {
        await expect(write()).rejects.toMatchObject({ code })
      }
      if (kind === 'values') await expect(rows.get({ id: 7 })).rejects.toMatchObject({ code })
    }
  })

  const garbage: readonly (readonly [string, Buffer])[] = [
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['a map', Buffer.from('83a16101', 'hex')],
    ['a list that is cut', Buffer.from('9501', 'hex')],
    ['another format', Buffer.from('9402c0c0a178', 'hex')],
    ['a list that nests deeply', Buffer.alloc(5000, 0x91)],
  ]
  test.each(garbage)('a record that is %s is CORRUPT_ROW, also for conditions', async (_, bytes) => {
    const { db, rows, values, field, all } = await setUp()
    await db.client.hset(values, field, bytes)
    await expect(all()).rejects.toEqual(corrupt)
    await expect(rows.get({ id: 7 })).rejects.toEqual(corrupt)
    await expect(rows.insert({ id: 7, a: '' })).rejects.toEqual(corrupt)
    await expect(rows.put({ id: 7, a: '' }, { ifVersion: 'x' })).rejects.toEqual(corrupt)
    await expect(rows.update({ id: 7 }, { a: '' })).rejects.toEqual(corrupt)
    await rows.put({ id: 7, a: 'mended' })
    expect(await rows.get({ id: 7 })).toMatchObject({ a: 'mended' })
  })

  test('a member that is no rowkey of the table', async () => {
    const { db, index, values, all } = await setUp()
    await db.client.zadd(index, 0, 'nonsense')
    await db.client.hset(values, 'nonsense', Buffer.from('9401c0c0a178', 'hex'))
    const error = await all().catch((thrown: unknown) => thrown)
    if (!Array.isArray(error)) expect(error).toMatchObject({ code: expect.stringMatching(/MALFORMED_KEY|CORRUPT_ROW|ADAPTER_FAULT/) })
    else expect(error).toHaveLength(20) // outside the range of every bucket
  })
})

async function sameShard(
  rows: { locate(key: { id: number }): Promise<{ values: string; rowkey: Uint8Array }> },
  values: string,
): Promise<Uint8Array> {
  for (let id = 0; id < 20; id++) {
    const place = await rows.locate({ id })
    if (id !== 7 && place.values === values) return place.rowkey
  }
  throw new Error('no other row in the shard')
}
