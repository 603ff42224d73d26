import { cassandra } from '@rowkey/cassandra'
import { createMapper, defineTable, int32, nullable, text } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, interrupted, type Connected } from './connected.js'

const Keys = defineTable('keys', { columns: { id: text() }, key: ['id'] })
const Nulls = defineTable('nulls', { columns: { id: text(), note: nullable(text()), hits: nullable(int32()) }, key: ['id'] })
withServer('cassandra', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  test('WRITE-21 WRITE-22: a row of a table without value columns is upserted again, alone and in a batch', async () => {
    const db = createMapper(server.adapter)
    await db.ensureTables([Keys])
    const keys = db.repository(Keys)
    for (let n = 0; n < 3; n++) {
      expect((await keys.upsert({ id: 'a' }, { returning: true })).row).toEqual({ id: 'a' })
      await db.write([keys.ops.upsert({ id: 'b' })], { atomic: true })
      await db.write([keys.ops.upsert({ id: 'a' }), keys.ops.upsert({ id: 'c' })])
    }
    expect(await keys.scan({}, { unbounded: true }).toArray()).toEqual(['a', 'b', 'c'].map((id) => ({ id })))
    await Promise.all(Array.from({ length: 10 }, () => keys.upsert({ id: 'd' })))
    expect(await keys.get({ id: 'd' })).toEqual({ id: 'd' })
  })

  test('WRITE-19 WRITE-21 WRITE-22: a row whose columns are all null is changed like others, and stays a row', async () => {
    const db = createMapper(server.adapter)
    await db.ensureTables([Nulls])
    const nulls = db.repository(Nulls)
    const row = (given: object): object => ({ id: 'a', note: null, hits: null, ...given })
    await nulls.put({ id: 'a' })
    await nulls.upsert({ id: 'a' })
    expect((await nulls.upsert({ id: 'a' }, { returning: true })).row).toEqual(row({}))
    expect((await nulls.update({ id: 'a' }, {}, { returning: true })).row).toEqual(row({}))
    await nulls.upsert({ id: 'a', note: 'x' })
    expect(await nulls.get({ id: 'a' })).toEqual(row({ note: 'x' }))
    await nulls.upsert({ id: 'a', note: null })
    expect(await nulls.get({ id: 'a' })).toEqual(row({}))
    expect((await nulls.upsert({ id: 'a', note: 'y' }, { returning: true })).row).toEqual(row({ note: 'y' }))
    await nulls.put({ id: 'a' })
    expect((await nulls.increment({ id: 'a' }, { hits: 2 }, { create: true, returning: true })).row).toEqual(row({ hits: 2 }))
    await nulls.put({ id: 'a' })
    await Promise.all(Array.from({ length: 8 }, () => nulls.increment({ id: 'a' }, { hits: 1 }, { create: true })))
    expect(await nulls.get({ id: 'a' })).toEqual(row({ hits: 8 }))
    await nulls.put({ id: 'a' })
    await db.write([nulls.ops.upsert({ id: 'a' })], { atomic: true })
    await nulls.upsert({ id: 'b' })
    expect(await nulls.getMany([{ id: 'a' }, { id: 'b' }])).toEqual([row({}), row({ id: 'b' })])
  })

  test('WRITE-3 WRITE-21: a row of nulls that goes between the look at it and the write is created as a row that stays', async () => {
    const db = createMapper(server.adapter)
    await db.ensureTables([Nulls])
    const nulls = db.repository(Nulls)
    const changes = [
      (table: typeof nulls) => table.upsert({ id: 'gone', note: 'x' }),
      (table: typeof nulls) => table.upsert({ id: 'gone', note: 'x' }, { returning: true }),
      (table: typeof nulls) => table.increment({ id: 'gone' }, { hits: 1 }, { create: true }),
    ]
    for (const [i, change] of changes.entries()) {
      await nulls.put({ id: 'gone' })
      let isDone = false
      const client = interrupted(server.client, async (query) => {
        if (isDone || !/^SELECT .*"nulls"/.test(query)) return
        isDone = true
        await nulls.delete({ id: 'gone' })
      })
      const late = createMapper(cassandra(client, { keyspace: server.keyspace })).repository(Nulls)
      await change(late)
      expect(isDone).toBe(true)
      expect(await nulls.get({ id: 'gone' })).toEqual({ id: 'gone', ...(i === 2 ? { note: null, hits: 1 } : { note: 'x', hits: null }) })
      await nulls.update({ id: 'gone' }, { note: null, hits: null })
      expect(await nulls.get({ id: 'gone' })).toEqual({ id: 'gone', note: null, hits: null })
      await nulls.delete({ id: 'gone' })
    }
  })

  test('WRITE-20: what cannot be told from no row is refused and says so, and nothing is written', async () => {
    const db = createMapper(server.adapter)
    await db.ensureTables([Nulls])
    const nulls = db.repository(Nulls)
    await nulls.put({ id: 'n' })
    const refusal = { code: 'NOT_SUPPORTED', message: expect.stringContaining('whose columns are all null from no row') as string }
    await expect(nulls.increment({ id: 'n' }, { hits: 1 })).rejects.toMatchObject(refusal)
    await expect(nulls.update({ id: 'n' }, { note: 'x' }, { if: { hits: { isNull: true } } })).rejects.toMatchObject(refusal)
    // A row that it creates would have a note.
    await expect(nulls.increment({ id: 'n' }, { hits: 1 }, { create: { note: 'new' } })).rejects.toMatchObject(refusal)
    expect(await nulls.get({ id: 'n' })).toEqual({ id: 'n', note: null, hits: null })
  })
})
