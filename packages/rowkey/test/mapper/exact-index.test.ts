import { createMapper, defineTable, isRowkeyError, memory, nullable, text, uint32, type Mapper } from 'rowkey'
import { expect, test } from 'vitest'

const Users = defineTable('users', {
  columns: { id: text(), email: nullable(text()), team: text(), name: text(), logins: uint32({ default: 0 }) },
  key: ['id'],
  ttl: '30d',
  version: 'rev',
  indexes: {
    byEmail: { key: ['email'], unique: true },
    byTeam: { partition: ['team'], key: ['name'], include: ['logins'] },
  },
})

const user = (id: string, more: Partial<{ email: string | null; team: string; name: string; logins: number }> = {}) => ({
  ...{ id, email: `${id}@x`, team: 'red', name: id, logins: 0 },
  ...more,
})

async function opened(clock: { now: number } = { now: 1e12 }): Promise<{ db: Mapper; users: ReturnType<typeof repository> }> {
  const db = createMapper(memory(), { clock: () => clock.now })
  await db.ensureTables([Users])
  return { db, users: repository(db) }
}
const repository = (db: Mapper) => db.repository(Users)

async function mustBeClean(db: Mapper): Promise<void> {
  for (const index of ['byEmail', 'byTeam']) expect(await db.verifyIndex(Users, index)).toMatchObject({ stale: 0, missing: 0 })
}

test('a value of a unique index belongs to one row, which is found by it', async () => {
  const { db, users } = await opened()
  await users.insert(user('a'))
  const taken = users.insert(user('b', { email: 'a@x' }))
  await expect(taken).rejects.toMatchObject({
    code: 'UNIQUE_VIOLATION',
    details: { table: 'users', indexName: 'byEmail', values: { email: 'a@x' }, key: { id: 'b' } },
  })
  expect(await users.get({ id: 'b' })).toBeUndefined()
  await users.put(user('a', { name: 'same mail' }))
  expect(users.scan({ email: 'a@x' }, { index: 'byEmail' }).explain().kind).toBe('GET')
  expect(await users.scan({ email: 'a@x' }, { index: 'byEmail' }).toArray()).toMatchObject([{ id: 'a', name: 'same mail' }])
  await mustBeClean(db)
})

test.each([
  ['put', (users: ReturnType<typeof repository>) => users.put(user('a', { email: 'new@x' }))],
  ['update', (users: ReturnType<typeof repository>) => users.update({ id: 'a' }, { email: 'new@x' })],
  ['upsert', (users: ReturnType<typeof repository>) => users.upsert({ id: 'a', email: 'new@x', team: 'red', name: 'a' })],
  ['modify', (users: ReturnType<typeof repository>) => users.modify({ id: 'a' }, () => ({ email: null }))],
  ['delete', (users: ReturnType<typeof repository>) => users.delete({ id: 'a' })],
  ['deleteMany', (users: ReturnType<typeof repository>) => users.deleteMany([{ id: 'a' }])],
  ['deleteAll', (users: ReturnType<typeof repository>) => users.scan({ team: 'red' }, { index: 'byTeam' }).deleteAll()],
] as const)('%s frees the value that a row had', async (_, change) => {
  const { db, users } = await opened()
  await users.insert(user('a'))
  await change(users)
  await users.insert(user('b', { email: 'a@x' }))
  const holder = await users.scan({ email: 'new@x' }, { index: 'byEmail' }).count()
  const second = await users.update({ id: 'b' }, { email: 'new@x' }).catch((error: unknown) => error)
  expect(isRowkeyError(second, 'UNIQUE_VIOLATION')).toBe(holder === 1)
  await mustBeClean(db)
})

test('a value is free when its row has expired, also before it is purged', async () => {
  const clock = { now: 1e12 }
  const { db, users } = await opened(clock)
  await users.insert(user('a'), { expires: new Date(clock.now + 1000) })
  clock.now += 999
  await expect(users.insert(user('b', { email: 'a@x' }))).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
  clock.now += 1
  await users.insert(user('b', { email: 'a@x' }))
  expect(await users.scan({ email: 'a@x' }, { index: 'byEmail' }).toArray()).toMatchObject([{ id: 'b' }])
  await mustBeClean(db)
})

test('of writers that race for a value one has it', async () => {
  const { db, users } = await opened()
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => users.put(user(`u${n}`, { email: 'one@x' }))))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const each of results) if (each.status === 'rejected') expect(isRowkeyError(each.reason, 'UNIQUE_VIOLATION')).toBe(true)
  await mustBeClean(db)
})

test('many rows: those that are refused do not stop the others, and are told by their places', async () => {
  const { users } = await opened()
  await users.insert(user('a'))
  const rows = [user('b'), user('c', { email: 'a@x' }), user('d'), user('e', { email: 'd@x' })]
  const error: unknown = await users.putMany(rows).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'WRITE_INCOMPLETE', details: { outcomes: [{ index: 1 }, { index: 3 }] } })
  expect(await users.scan({ team: 'red' }, { index: 'byTeam' }).count()).toBe(3)
})

test('all or none: two rows exchange their values, and one violation refuses both', async () => {
  const { db, users } = await opened()
  await users.putMany([user('a'), user('b')])
  await db.write([users.ops.update({ id: 'a' }, { email: 'b@x' }), users.ops.update({ id: 'b' }, { email: 'a@x' })], { atomic: true })
  expect(await users.get({ id: 'a' })).toMatchObject({ email: 'b@x' })
  const both = db.write([users.ops.put(user('c')), users.ops.put(user('d', { email: 'a@x' }))], { atomic: true })
  await expect(both).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION', details: { index: 1 } })
  const alike = db.write([users.ops.put(user('c', { email: 'z' })), users.ops.put(user('d', { email: 'z' }))], { atomic: true })
  await expect(alike).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION', details: { index: 1 } })
  expect(await users.get({ id: 'c' })).toBeUndefined()
  await mustBeClean(db)
})

test('a scan that selects what entries have reads no rows', async () => {
  const { db, users } = await opened()
  await users.putMany([user('a'), user('b'), user('c', { team: 'blue' })])
  await users.increment({ id: 'b' }, { logins: 3 })
  const scan = users.scan({ team: 'red', logins: { gt: 0 } }, { index: 'byTeam', select: ['id', 'name', 'logins'] })
  const page = await scan.page()
  expect(page.rows).toEqual([{ id: 'b', name: 'b', logins: 3 }])
  expect(page.stats.index).toEqual({ entries: 2, fetched: 0, stale: 0 })
  expect((await users.scan({ team: 'red' }, { index: 'byTeam', select: ['id', 'email'] }).page()).stats.index?.fetched).toBe(2)
  await mustBeClean(db)
})

test('conditions and versions of the caller are those of the row', async () => {
  const { db, users } = await opened()
  const { version } = await users.put(user('a'))
  await expect(users.put(user('a'), { if: { name: 'zoe' } })).rejects.toMatchObject({ code: 'CONDITION_FAILED' })
  await expect(users.delete({ id: 'a' }, { if: { rev: 'x' } })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' })
  await expect(users.update({ id: 'nobody' }, { email: 'e' })).rejects.toMatchObject({ code: 'ROW_NOT_FOUND' })
  await expect(users.insert(user('a', { email: 'other' }))).rejects.toMatchObject({ code: 'ROW_EXISTS' })
  await users.update({ id: 'a' }, { team: 'blue' }, { if: { rev: version as string } })
  expect(await users.update({ id: 'a' }, { name: 'Ann' }, { returning: true })).toMatchObject({ row: { team: 'blue', name: 'Ann' } })
  await users.delete({ id: 'nobody' })
  await mustBeClean(db)
})

test('many writers of the same rows: each value has one row, each row its entries', async () => {
  const { db, users } = await opened()
  let seed = 7
  const draw = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 60; round++) {
    const writes = Array.from({ length: 6 }, () => {
      const given = user(`u${draw(4)}`, { email: draw(5) === 0 ? null : `m${draw(3)}`, team: `t${draw(2)}`, name: `n${draw(2)}` })
      const kinds = [
        () => users.put(given),
        () => users.delete({ id: given.id }),
        () => users.update({ id: given.id }, { email: given.email }),
        () => users.upsert(given),
        () => users.putMany([given, user(`u${draw(4)}`)]),
        () => users.increment({ id: given.id }, { logins: 1 }),
        () => db.write([users.ops.put(given), users.ops.delete({ id: 'u9' })], { atomic: true }),
      ]
      return (kinds[draw(kinds.length)] as () => Promise<unknown>)()
    })
    for (const result of await Promise.allSettled(writes)) {
      if (result.status === 'fulfilled') continue
      expect(['UNIQUE_VIOLATION', 'ROW_NOT_FOUND', 'WRITE_INCOMPLETE']).toContain((result.reason as { code: string }).code)
    }
    const rows = await users.readAll().toArray()
    const mails = rows.flatMap(({ email }) => (email === null ? [] : [email]))
    expect(new Set(mails).size).toBe(mails.length)
  }
  await mustBeClean(db)
})

test('it is built from rows that exist, and a value that two of them have is told', async () => {
  const db = createMapper(memory())
  const Before = defineTable('people', { columns: { id: text(), email: text() }, key: ['id'] })
  const After = defineTable('people', {
    columns: { id: text(), email: text() },
    key: ['id'],
    indexes: { byEmail: { key: ['email'], unique: true } },
  })
  await db.ensureTables([Before])
  const people = db.repository(Before)
  await people.putMany([
    { id: 'a', email: 'a' },
    { id: 'b', email: 'b' },
    { id: 'c', email: 'b' },
  ])
  await db.ensureTables([After])
  await expect(db.buildIndex(After, 'byEmail')).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION', details: { values: { email: 'b' } } })
  await db.repository(After).delete({ id: 'c' })
  await db.repository(After).put({ id: 'd', email: 'd' })
  expect(await db.buildIndex(After, 'byEmail')).toBe(3)
  expect(await db.verifyIndex(After, 'byEmail')).toMatchObject({ rows: 3, entries: 3, stale: 0, missing: 0 })
})

test('get by a unique index takes its values, and by no other', async () => {
  const { users } = await opened()
  await users.put(user('a'))
  expect(await users.get({ email: 'a@x' }, { index: 'byEmail' })).toMatchObject({ id: 'a' })
  expect(await users.get({ email: 'b@x' }, { index: 'byEmail' })).toBeUndefined()
  await expect(users.get({ id: 'a' }, { index: 'byEmail' })).rejects.toMatchObject({ code: 'INVALID_VALUE' })
  await expect(users.get({ team: 'red', name: 'a' }, { index: 'byTeam' })).rejects.toThrow(/'byTeam' is not/)
  await expect(users.get({ email: 'a@x' }, { index: 'byMail' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  await expect(users.get({ email: 'a@x' }, { index: 'byEmail', limit: 1 } as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  await expect(users.get({ email: 'a@x' }, { index: 5 } as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
})
