import { hbase, type Profile } from '@rowkey/hbase'
import { createMapper, defineTable, int32, nullable, text } from 'rowkey'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { wrapped } from './wrapped.js'

const columns = { id: int32(), n: nullable(int32()), a: nullable(text()) }

/*
 * When a region server has applied a request and its answer is lost, because it crashed or its region moved, the gateway sends the request once
 * more by itself. A change that requires the row to be as it was then refuses itself.
 */
withServer('hbase', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection, 'unframed', { namespace: 'repeated' })
  })
  afterAll(() => server.dispose())

  describe.each(['hbase', 'lindorm'] as const)('profile %s', (profile: Profile) => {
    const Rows = defineTable(`repeated_${profile}`, { columns, key: ['id'] })
    const Versioned = defineTable(`versioned_${profile}`, { columns, key: ['id'], version: 'rev' })
    const Expiring = defineTable(`expiring_${profile}`, { columns, key: ['id'], ttl: '1h' })
    const open = async () => {
      let repeated = 0
      const repeating = wrapped(server.client, async (name, run, given) => {
        if (!name.startsWith('checkAnd')) return run(...given)
        if ((await run(...given)) === true) repeated++
        return run(...given)
      })
      const options = { namespace: 'repeated', profile }
      await createMapper(hbase(server.client, options)).ensureTables([Rows, Versioned, Expiring])
      return { db: createMapper(hbase(repeating, options)), repeated: () => repeated }
    }

    test('a change that the gateway repeated is made once, and is no conflict with itself', async () => {
      const { db, repeated } = await open()
      for (const rows of [db.repository(Rows), db.repository(Expiring)]) {
        await rows.delete({ id: 1 })
        await rows.insert({ id: 1, n: 1 })
        await rows.increment({ id: 1 }, { n: 1 })
        expect((await rows.increment({ id: 1 }, { n: 1 }, { returning: true })).row).toEqual({ id: 1, n: 3, a: null })
        await rows.update({ id: 1 }, { a: 'b' }, { if: { n: 3 } })
        expect((await rows.update({ id: 1 }, { a: null }, { returning: true })).row).toEqual({ id: 1, n: 3, a: null })
        expect((await rows.upsert({ id: 2, n: 5 }, { returning: true })).row).toMatchObject({ id: 2, n: 5 })
        await rows.put({ id: 1, n: 7, a: 'c' }, { if: { n: 3 } })
        expect(await rows.get({ id: 1 })).toEqual({ id: 1, n: 7, a: 'c' })
        await expect(rows.insert({ id: 1, n: 1 })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
        await rows.delete({ id: 2 })
      }
      expect(repeated()).toBeGreaterThan(10)
    })

    test('the same of a change that requires a version', async () => {
      const { db } = await open()
      const rows = db.repository(Versioned)
      await rows.delete({ id: 1 })
      const { version: rev = '' } = await rows.insert({ id: 1, n: 1 })
      const { version: next = '' } = await rows.update({ id: 1 }, { n: 2 }, { if: { rev } })
      await rows.put({ id: 1, n: 3 }, { if: { rev: next } })
      expect(await rows.get({ id: 1 })).toMatchObject({ n: 3, a: null })
      await expect(rows.update({ id: 1 }, { n: 4 }, { if: { rev } })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
    })
  })
})
