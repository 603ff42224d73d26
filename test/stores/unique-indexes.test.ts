import { createMapper, defineTable, nullable, text, uint32, type Mapper } from 'rowkey'
import { scaled } from '@rowkey/servers/scale'
import { expect } from 'vitest'
import { Random } from '../../packages/rowkey/src/conformance/oracle/random.js'
import { openStores, long, testOn } from './open.js'

const seed = Number(process.env.ROWKEY_SEED ?? 20_261_128)

const Users = defineTable('unique_users', {
  columns: { id: text(), email: nullable(text()), team: text(), logins: uint32() },
  key: ['id'],
  version: 'rev',
  indexes: { byEmail: { key: ['email'], unique: true }, byTeam: { partition: ['team'], key: ['id'], include: ['logins'] } },
})

const expected = /UNIQUE_VIOLATION|ROW_NOT_FOUND|ROW_EXISTS|WRITE_INCOMPLETE|WRITE_FAILED/

async function changeUsers(db: Mapper, random: Random, count: number): Promise<void> {
  const users = db.repository(Users)
  const userOf = () => ({
    id: `u${random.below(6)}`,
    email: random.chance(0.2) ? null : `m${random.below(4)}`,
    team: `t${random.below(2)}`,
    logins: random.below(3),
  })
  for (let i = 0; i < count; i++) {
    const user = userOf()
    const kinds = [
      () => users.put(user),
      () => users.insert(user),
      () => users.delete({ id: user.id }),
      () => users.update({ id: user.id }, { email: user.email }),
      () => users.upsert(user),
      () => users.increment({ id: user.id }, { logins: 1 }),
      () => users.putMany([user, userOf()]),
      () => db.write([users.ops.put(user), users.ops.delete({ id: 'gone' })], { atomic: true }),
    ]
    await random
      .pick(kinds)()
      .catch((error: unknown) => {
        if (!expected.test(String(error))) throw error
      })
  }
}

for (const store of await openStores(0)) {
  testOn(
    store,
    `INDEX-3: ${store.name} keeps the values of a unique index apart while programs race for them, or refuses it`,
    long,
    async () => {
      const { adapter, close } = await store.open()
      const { atomic, conditions } = adapter.capabilities
      const prefix = `uq${process.pid}_`
      const db = createMapper(adapter, { prefix })
      try {
        if (atomic.scope !== 'store' || conditions !== 'columns') {
          expect(() => db.repository(Users)).toThrow(
            /cannot write rows of two tables all or none, which index 'byEmail' of|does not support versions/,
          )
          return
        }
        await db.ensureTables([Users])
        const programs = Array.from({ length: 4 }, (_, i) =>
          changeUsers(createMapper(adapter, { prefix }), new Random(seed + i), scaled(50)),
        )
        await Promise.all(programs)
        const users = db.repository(Users)
        const all = await users.readAll().toArray()
        const mails = all.flatMap(({ email }) => (email === null ? [] : [email]))
        expect(new Set(mails).size).toBe(mails.length)
        for (const index of ['byEmail', 'byTeam']) expect(await db.verifyIndex(Users, index)).toMatchObject({ stale: 0, missing: 0 })
        for (const row of all) {
          if (row.email !== null) expect(await users.get({ email: row.email }, { index: 'byEmail' })).toEqual(row)
        }
        const page = await users.scan({ team: 't0' }, { index: 'byTeam', select: ['id', 'logins'] }).page()
        const inTeam = all.filter(({ team }) => team === 't0').map(({ id, logins }) => ({ id, logins }))
        expect(page.rows).toEqual(inTeam.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        expect(page.stats.index?.fetched).toBe(0)
      } finally {
        if (atomic.scope === 'store') await db.dropTables([Users])
        await close()
      }
    },
  )
}
