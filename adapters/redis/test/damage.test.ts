import { bucket, defineTable, text, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
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
    return { db, rows, ...place, field: Buffer.from(place.rowkey), all: () => rows.scan({}, { unbounded: true }).toArray() }
  }
  const corrupt = expect.objectContaining({ code: 'CORRUPT_ROW' }) as Error

  test('a member without a value is CORRUPT_ROW in scans of any kind, and a put mends it', async () => {
    const { db, rows, values, field, all } = await setUp()
    await db.client.hdel(values, field)
    await expect(all()).rejects.toEqual(corrupt)
    await expect((async () => { for await (const _ of rows.readAll()); })()).rejects.toEqual(corrupt) // prettier-ignore
    expect(await rows.get({ id: 7 })).toBeUndefined()
    await rows.put({ id: 7, a: 'again' })
    expect(await all()).toHaveLength(20)
  })

  test('two that hide each other: a member without a value and a value without a member', async () => {
    const { db, values, index, field, rows, all } = await setUp()
    const { rowkey } = await rows.locate({ id: await sameShard(rows, values) })
    await db.client.hdel(values, field)
    await db.client.zrem(index, Buffer.from(rowkey))
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
      const code = kind === 'index' ? 'CORRUPT_ROW' : 'TABLE_NOT_FOUND'
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
    await expect(rows.put({ id: 7, a: '' }, { if: { rev: 'x' } })).rejects.toEqual(corrupt)
    await expect(rows.update({ id: 7 }, { a: '' })).rejects.toEqual(corrupt)
    await rows.put({ id: 7, a: 'mended' })
    expect(await rows.get({ id: 7 })).toMatchObject({ a: 'mended' })
  })

  test('a record whose columns are unreadable is a conflict for an insert, and nothing for other writes', async () => {
    const { adapter, prefix, client: own } = open(url)
    const schema = defineTable(`${prefix}torn`, { columns: { id: uint32(), a: text() }, key: ['id'], salt: bucket({ of: 'id', count: 4 }) })
    const catalog = await adapter.ensureTable(schema)
    adapter.table(schema, catalog)
    const { values, index, rowkey } = adapter.locate(schema, catalog, [1])
    await own.multi().hset(values, Buffer.from(rowkey), Buffer.from('9401c0c0c1', 'hex')).zadd(index, 0, Buffer.from(rowkey)).exec()
    const mutations = [1, 2, 3, 4, 5, 6, 7].map((id) => ({ kind: 'insert' as const, schema, row: [id, 'x'] }))
    const [first, ...others] = await adapter.write(mutations, { now: 0 })
    expect(first).toEqual({ kind: 'conflict' })
    expect(new Set(others.map(({ kind }) => kind))).toEqual(new Set(['applied']))
    expect(await adapter.write(mutations.slice(0, 1), { now: 0, atomic: 'x' })).toEqual([{ kind: 'conflict' }])
    await adapter.dropTable(schema.name)
  })

  test.each(garbage)('an atomic batch that updates a record that is %s applies nothing', async (_, bytes) => {
    const { db, values, field, rows } = await setUp()
    await db.client.hset(values, field, bytes)
    const other = await sameShard(rows, values)
    const batch = [rows.ops.update({ id: 7 }, { a: 'new' }), rows.ops.put({ id: other, a: 'new' })]
    await expect(db.write(batch, { atomic: true })).rejects.toEqual(corrupt)
    expect(await db.client.hgetBuffer(values, field)).toEqual(bytes)
    expect(await rows.get({ id: other })).toMatchObject({ a: 'x' })
  })

  test('a key that holds something else is refused by every call', async () => {
    for (const kind of ['index', 'values'] as const) {
      const { db, rows, all, ...place } = await setUp()
      await db.client.set(place[kind], 'x')
      const refused = { cause: expect.objectContaining({ message: expect.stringMatching(/^WRONGTYPE/) as string }) as Error }
      for (const write of [() => rows.put({ id: 7, a: '' }), () => rows.insert({ id: 7, a: '' }), () => rows.delete({ id: 7 })]) {
        await expect(write()).rejects.toMatchObject({ code: 'WRITE_FAILED', ...refused })
      }
      await expect(all()).rejects.toMatchObject({ code: 'STORE_REFUSED', details: { reason: 'other' }, ...refused })
    }
  })

  test('a member that is no rowkey of the table', async () => {
    const { db, index, values, all } = await setUp()
    await db.client.zadd(index, 0, 'nonsense')
    await db.client.hset(values, 'nonsense', Buffer.from('9401c0c0a178', 'hex'))
    const error = await all().catch((thrown: unknown) => thrown)
    if (!Array.isArray(error)) expect(error).toMatchObject({ code: expect.stringMatching(/UNREADABLE_ROW|CORRUPT_ROW|ADAPTER_FAULT/) })
    else expect(error).toHaveLength(20) // outside the range of every bucket
  })
})

async function sameShard(rows: { locate(key: { id: number }): Promise<{ values: string }> }, values: string): Promise<number> {
  for (let id = 0; id < 20; id++) {
    const place = await rows.locate({ id })
    if (id !== 7 && place.values === values) return id
  }
  throw new Error('no other row in the shard')
}
