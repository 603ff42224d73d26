import { createMapper, defineTable, memory, text, uint32 } from 'rowkey'
import { expect, it } from 'vitest'

const day = 86_400_000
const Sessions = defineTable('sessions', {
  columns: { id: text(), user: text(), device: text(), hits: uint32() },
  key: ['id'],
  ttl: '1h',
  version: 'rev',
  indexes: { byUser: { partition: ['user'], key: ['device'] } },
})

async function opened(): Promise<{ db: ReturnType<typeof createMapper>; sessions: ReturnType<typeof repository>; clock: { now: number } }> {
  const clock = { now: 1000 * day }
  const db = createMapper(memory(), { clock: () => clock.now })
  await db.ensureTables([Sessions])
  return { db, sessions: repository(db), clock }
}
const repository = (db: ReturnType<typeof createMapper>) => db.repository(Sessions)
const row = { id: 's1', user: 'ann', device: 'phone', hits: 0 }

it('an insert that is refused does not shorten the life of an entry', async () => {
  const { sessions, clock } = await opened()
  await sessions.put(row, { expires: new Date(clock.now + 30 * day) })
  await expect(sessions.insert(row, { expires: new Date(clock.now + 1000) })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
  clock.now += 20 * day
  expect(await sessions.scan({ user: 'ann' }, { index: 'byUser' }).toArray()).toMatchObject([row])
})

it('a row whose expiry changes has one entry that counts, whatever it had before', async () => {
  const { db, sessions, clock } = await opened()
  await sessions.put(row)
  for (const days of [3, 1, 7, 2]) await sessions.put(row, { expires: new Date(clock.now + days * day - 1) })
  const page = await sessions.scan({ user: 'ann' }, { index: 'byUser' }).page()
  expect(page.rows).toMatchObject([row])
  expect(page.stats.index).toEqual({ entries: 4, fetched: 1, stale: 3 })
  clock.now += 2 * day
  expect(await sessions.scan({ user: 'ann' }, { index: 'byUser' }).toArray()).toEqual([])
  expect(await db.verifyIndex(Sessions, 'byUser')).toMatchObject({ rows: 0, missing: 0, entries: 2 })
})

it('an update of an indexed column keeps the expiry of its row', async () => {
  const { sessions, clock } = await opened()
  await sessions.put(row, { expires: new Date(clock.now + 30 * day) })
  await sessions.update({ id: 's1' }, { device: 'tablet', user: 'bob' })
  clock.now += 29 * day
  expect(await sessions.scan({ user: 'bob' }, { index: 'byUser' }).toArray()).toMatchObject([{ ...row, user: 'bob', device: 'tablet' }])
  await sessions.update({ id: 's1' }, { hits: 1 }, { expires: new Date(clock.now + 90 * day) })
  clock.now += 60 * day
  expect(await sessions.scan({ user: 'bob' }, { index: 'byUser' }).toArray()).toMatchObject([{ hits: 1 }])
})

it('a row that never expires is found by its index in any future', async () => {
  const { db, sessions, clock } = await opened()
  await sessions.put(row, { expires: null })
  clock.now += 1e5 * day
  expect(await sessions.scan({ user: 'ann' }, { index: 'byUser' }).toArray()).toMatchObject([row])
  expect(await db.verifyIndex(Sessions, 'byUser')).toEqual({ entries: 1, rows: 1, stale: 0, removed: 0, missing: 0, added: 0 })
})

it('a batch cannot know the expiry of a row whose entry it changes', async () => {
  const { db, sessions } = await opened()
  await sessions.put(row)
  const change = db.write([sessions.ops.update({ id: 's1' }, { user: 'bob', device: 'tv' })])
  await expect(change).rejects.toThrow(/which also needs 'expires' of the row/)
  await db.write([sessions.ops.update({ id: 's1' }, { user: 'bob', device: 'tv' }, { expires: null })])
  expect(await sessions.scan({ user: 'bob' }, { index: 'byUser' }).count()).toBe(1)
})

it('cursors and bounds of rows do not have the day of an entry', async () => {
  const { sessions } = await opened()
  const rows = Array.from({ length: 10 }, (_, n) => ({ id: `s${n}`, user: 'ann', device: `d${n}`, hits: n }))
  for (const each of rows) await sessions.put(each)
  const scan = sessions.scan({ user: 'ann' }, { index: 'byUser' })
  const cursor = await scan.cursorOf({ ...(rows[3] as (typeof rows)[0]), rev: null })
  expect((await scan.page({ cursor, size: 2 })).rows).toMatchObject(rows.slice(4, 6))
  const after = sessions.scan({ user: 'ann' }, { index: 'byUser', after: { user: 'ann', device: 'd7' } })
  expect(await after.toArray()).toMatchObject(rows.slice(8))
  const reverse = sessions.scan({ user: 'ann' }, { index: 'byUser', order: 'reverse' })
  const second = await reverse.page({ cursor: (await reverse.page({ size: 3 })).cursor, size: 3 })
  expect(second.rows.map(({ hits }) => hits)).toEqual([6, 5, 4])
  expect((await reverse.page({ cursor: second.previous, size: 3 })).rows.map(({ hits }) => hits)).toEqual([9, 8, 7])
})
