import { bucket, defineTable, text, uint32 } from 'rowkey'
import { expect, test } from 'vitest'
import { follow, refusalOf } from '../../../test/errors/follow.js'
import { gives } from '../../../test/errors/remedies.js'
import { withServer } from '../../../test/setup/with-server.js'
import { places } from './places.js'

const Rows = defineTable('rows', {
  columns: { id: uint32(), a: text() },
  key: ['id'],
  salt: bucket({ of: 'id', count: 2 }),
  version: 'rev',
})
const ids = Array.from({ length: 20 }, (_, id) => id)

withServer('redis', ({ url }) => {
  const { open } = places()

  /** A table with rows that `damage` has damaged, and what was in the damaged key before. */
  async function damaged(
    which: 'index' | 'values' | 'catalog',
    damage: (client: ReturnType<typeof open>['client'], key: string, field: Buffer) => unknown,
  ) {
    const db = open(url)
    await db.ensureTables([Rows])
    const rows = db.repository(Rows)
    await rows.putMany(ids.map((id) => ({ id, a: 'x' })))
    const place = await rows.locate({ id: 7 })
    const key = which === 'catalog' ? `rk:${rows.schema.name}` : place[which]
    const backup = await db.client.dumpBuffer(key)
    await damage(db.client, key, Buffer.from(place.rowkey))
    const all = async () => (await rows.readAll().pages().next(), (await rows.scan({}, { unbounded: true }).toArray()).map(({ id }) => id)) // prettier-ignore
    const restore = async (): Promise<unknown> => {
      await db.client.del(key)
      return db.client.restore(key, 0, backup)
    }
    return { db, rows, all, restore }
  }

  test('keys of a shard that are gone', async () => {
    const { db, all, restore } = await damaged('values', (client, key) => client.del(key))
    await follow(await refusalOf('a scan', all), {
      'Create it with ensureTables([…]), or restore its keys from a backup': gives(async () => {
        await restore()
        await db.ensureTables([Rows])
        return all()
      }, ids),
      'drop it first with dropTables(), which deletes the rows that are left': gives(async () => {
        const lost = await damaged('values', (client, key) => client.del(key))
        await refusalOf('a scan', lost.all)
        await lost.db.dropTables([Rows])
        await lost.db.ensureTables([Rows])
        return lost.all()
      }, []),
    })
  })

  test.each([
    ['put', 20],
    ['delete', 19],
  ] as const)('a shard whose index and values differ: %s', async (method, left) => {
    for (const which of ['index', 'values'] as const) {
      const { rows, all } = await damaged(which, (client, key, field) =>
        which === 'index' ? client.zrem(key, field) : client.hdel(key, field),
      )
      const error = await refusalOf('a scan', all)
      expect(error.message).toMatch(/put or delete the affected row again|Put the row again, or delete it/)
      await (method === 'put' ? rows.put({ id: 7, a: 'x' }) : rows.delete({ id: 7 }))
      expect(await all()).toHaveLength(left)
    }
  })

  test('a shard whose index and values differ: a backup', async () => {
    const { all, restore } = await damaged('index', (client, key, field) => client.zrem(key, field))
    expect((await refusalOf('a scan', all)).message).toContain('Restore the shard from a backup')
    await restore()
    expect(await all()).toHaveLength(ids.length)
  })
})
