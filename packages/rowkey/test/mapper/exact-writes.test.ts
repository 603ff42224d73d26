import { createMapper, defineTable, isRowkeyError, memory, text, uint32, type Mapper } from 'rowkey'
import { expect, test } from 'vitest'
import { wrapped, type Overrides } from '../../../../test/kit/wrapped.js'

const columns = { id: text(), email: text(), n: uint32({ default: 0 }) }
const Before = defineTable('people', { columns, key: ['id'] })
const People = defineTable('people', { columns, key: ['id'], indexes: { byEmail: { key: ['email'], unique: true, include: ['n'] } } })
const repository = (db: Mapper) => db.repository(People)
type Repository = ReturnType<typeof repository>

const after = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const slow: Overrides = { write: async (_, inner) => after(2).then(inner) }

/** Rows of which two have the same value, before the table has the index; then the first one gets its entry. */
async function withTwins(others = 0): Promise<{ db: Mapper; people: Repository }> {
  const db = createMapper(memory())
  await db.ensureTables([Before])
  const rows = Array.from({ length: others }, (_, n) => ({ id: `m${n}`, email: `m${n}` }))
  await db.repository(Before).putMany([{ id: 'a', email: 'e' }, ...rows, { id: 'b', email: 'e' }, { id: 'z', email: 'e' }])
  await db.ensureTables([People])
  const people = repository(db)
  await people.put({ id: 'a', email: 'e', n: 1 })
  return { db, people }
}

test.each([
  ['deleted', (people: Repository) => people.delete({ id: 'b' })],
  ['given another value', (people: Repository) => people.update({ id: 'b' }, { email: 'f' })],
  ['changed beside it', (people: Repository) => people.increment({ id: 'b' }, { n: 1 })],
  [
    'deleted with its twin',
    (people: Repository, db: Mapper) => db.write([people.ops.delete({ id: 'b' }), people.ops.delete({ id: 'z' })], { atomic: true }),
  ],
] as const)('an older row with the value of another one leaves the entry of that when it is %s', async (_, change) => {
  const { db, people } = await withTwins()
  await change(people, db)
  await expect(people.insert({ id: 'c', email: 'e' })).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
  for (const id of ['b', 'z']) await people.delete({ id })
  await db.buildIndex(People, 'byEmail')
  expect(await people.get({ email: 'e' }, { index: 'byEmail' })).toEqual({ id: 'a', email: 'e', n: 1 })
  await people.delete({ id: 'a' })
  await people.insert({ id: 'c', email: 'e' })
})

test('the entry of a row stays while a row with the same value, which a build has not reached, is changed', async () => {
  const { db, people } = await withTwins(3000)
  let changing: Promise<unknown> | undefined
  const onProgress = () => (changing ??= Promise.all([people.update({ id: 'b' }, { email: 'f' }), people.delete({ id: 'z' })]))
  await db.buildIndex(People, 'byEmail', { onProgress }).catch((error: unknown) => {
    if (!isRowkeyError(error, 'UNIQUE_VIOLATION')) throw error
  })
  await changing
  expect(await people.get({ id: 'a' })).toBeDefined()
  await expect(people.insert({ id: 'c', email: 'e' })).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
})

test('verifyIndex() counts a row whose value is the entry of another row as missing', async () => {
  const { db, people } = await withTwins()
  await people.delete({ id: 'z' })
  expect(await db.verifyIndex(People, 'byEmail')).toMatchObject({ rows: 2, entries: 1, stale: 0, missing: 1 })
  await expect(db.verifyIndex(People, 'byEmail', { repair: true })).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
})

test('a program whose catalog is older goes on when an index was dropped', async () => {
  const adapter = memory()
  const [db, other] = [createMapper(adapter), createMapper(adapter)]
  await db.ensureTables([People])
  const people = repository(db)
  await people.get({ id: 'a' })
  await other.dropIndex(People, 'byEmail')
  await people.put({ id: 'a', email: 'a' })
  await people.putMany([{ id: 'd', email: 'a' }])
  await other.dropTables([People])
  await other.ensureTables([People])
  await expect(people.put({ id: 'b', email: 'b' })).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
  await people.put({ id: 'b', email: 'b' })
  await expect(people.insert({ id: 'c', email: 'b' })).rejects.toMatchObject({ code: 'UNIQUE_VIOLATION' })
})

test('writes of one row are in the order of their calls, also those of many rows and of all or none', async () => {
  const db = createMapper(wrapped(memory(), slow))
  await db.ensureTables([People])
  const people = repository(db)
  const rows = Array.from({ length: 40 }, (_, n) => ({ id: `r${n}`, email: `e${n}`, n: 1 }))
  const last = rows.at(-1) as (typeof rows)[number]
  const calls = [
    people.putMany(rows),
    people.put({ ...last, n: 2 }),
    db.write([people.ops.put({ ...last, n: 3 }), people.ops.delete({ id: 'x' })], { atomic: true }),
    people.increment(last, { n: 1 }),
    people.putMany([...rows.slice(0, 30), { ...last, n: 5 }, { ...last, n: 6 }]),
  ]
  await Promise.all(calls)
  expect(await people.get({ id: last.id })).toMatchObject({ n: 6 })
  const [put, all] = [people.put({ ...last, n: 7 }), db.write([people.ops.put({ ...last, n: 8 })], { atomic: true })]
  await Promise.all([all, put])
  expect(await people.get({ id: last.id })).toMatchObject({ n: 8 })
})

test('all or none: a row that is named twice is refused for that', async () => {
  const db = createMapper(memory())
  await db.ensureTables([People])
  const { ops } = repository(db)
  const put = ops.put({ id: 'a', email: 'a' })
  for (const both of [
    [put, put],
    [ops.delete({ id: 'a' }), put],
  ]) {
    await expect(db.write(both, { atomic: true })).rejects.toMatchObject({ code: 'ATOMIC_SCOPE' })
  }
})

test('many rows: a read that fails is told of its row, and the call ends when nothing is under way', async () => {
  let writes = 0
  const get: Overrides['get'] = (keys, inner, options) => {
    if (keys[0]?.[0] === 'r3') throw new Error('connection lost')
    return inner(keys, options)
  }
  const db = createMapper(wrapped(memory(), { get, write: async (_, inner) => after(1).then(() => (writes++, inner())) }))
  await db.ensureTables([People])
  const people = repository(db)
  const writing = people.putMany(Array.from({ length: 60 }, (_, n) => ({ id: `r${n}`, email: `e${n}` })))
  await expect(writing).rejects.toMatchObject({ code: 'WRITE_INCOMPLETE', details: { outcomes: [{ index: 3, kind: 'failed' }] } })
  expect(writes).toBe(59)
})

test('a deadline that passes while rows are read says of each write that it was not sent', async () => {
  let writes = 0
  const get: Overrides['get'] = async (keys, inner, options) => after(50).then(() => inner(keys, options))
  const db = createMapper(wrapped(memory(), { get, write: (_, inner) => (writes++, inner()) }))
  await db.ensureTables([People])
  const people = repository(db)
  const rows = Array.from({ length: 20 }, (_, n) => ({ id: `r${n}`, email: `e${n}` }))
  const [row] = rows as [(typeof rows)[number]]
  const calls = [
    [20, () => people.putMany(rows, { timeout: '10ms' })],
    [1, () => people.put(row, { timeout: '10ms' })],
    [1, () => people.update({ id: 'r0' }, { email: 'x' }, { timeout: '10ms' })],
    [1, () => db.write([people.ops.put(row)], { timeout: '10ms', atomic: true })],
  ] as const
  for (const [count, call] of calls) {
    const error: unknown = await call().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'DEADLINE' })
    const { outcomes } = (error as { details: { outcomes: readonly { kind: string }[] } }).details
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: count }, () => 'unprocessed'))
  }
  await after(100)
  expect(writes).toBe(0)
})

test('an entry that somebody else has put for the same row in the meantime is no violation', async () => {
  const adapter = memory()
  let race: (() => Promise<unknown>) | undefined
  // As a store that says of one of several refused writes why.
  const write: Overrides['write'] = async (_, inner) => {
    const before = race
    race = undefined
    await before?.()
    const outcomes = await inner()
    const at = outcomes.findLastIndex(({ kind }) => kind === 'conflict')
    return at < 0 ? outcomes : outcomes.map((outcome, i) => (i === at ? outcome : { kind: 'unprocessed' }))
  }
  const db = createMapper(wrapped(adapter, { write }))
  await db.ensureTables([People])
  const people = repository(db)
  await people.put({ id: 'a', email: 'a' })
  race = () => repository(createMapper(adapter)).put({ id: 'b', email: 'b' })
  await people.put({ id: 'b', email: 'b', n: 2 })
  expect(await people.get({ email: 'b' }, { index: 'byEmail' })).toMatchObject({ id: 'b', n: 2 })
})
