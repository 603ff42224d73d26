import { bucket, copyTable, defineTable, int64, nullable, text, uint16, uint32, type TableSchema } from 'rowkey'
import { expect } from 'vitest'
import { codeOf, once, type AddLine, type GuideStore } from './line.js'

const [id, n, note] = [text(), int64(), nullable(text())]
const salt = bucket({ of: 'id', count: 4 })
const Base = defineTable('things', { columns: { id, n, note }, key: ['id', 'n'], salt })

export function changes(line: AddLine): void {
  fixed(line)
  possible(line)
}

function fixed(line: AddLine): void {
  const things = once((store: GuideStore) => store.create([Base]))
  const changed = async (store: GuideStore, other: TableSchema): Promise<unknown> => {
    const db = await things(store)
    return codeOf(() => db.ensureTables([other]))
  }

  line('G-65 G-123: the key columns are fixed', async (store) => {
    expect(await changed(store, defineTable('things', { columns: { id, n, note }, key: ['id'], salt }))).toBe('SCHEMA_MISMATCH')
    expect(await changed(store, defineTable('things', { columns: { id, n, note }, key: ['n', 'id'], salt }))).toBe('SCHEMA_MISMATCH')
  })

  line('G-124 G-126: the buckets are fixed', async (store) => {
    const More = defineTable('things', { columns: { id, n, note }, key: ['id', 'n'], salt: bucket({ of: 'id', count: 8 }) })
    expect(await changed(store, More)).toBe('SCHEMA_MISMATCH')
    expect(await changed(store, defineTable('things', { columns: { id, n, note }, key: ['id', 'n'] }))).toBe('SCHEMA_MISMATCH')
  })

  line('G-125: the type of a column is fixed', async (store) => {
    const Other = defineTable('things', { columns: { id, n, note: nullable(int64()) }, key: ['id', 'n'], salt })
    expect(await changed(store, Other)).toBe('SCHEMA_MISMATCH')
    expect(await changed(store, defineTable('things', { columns: { id, n: uint32(), note }, key: ['id', 'n'], salt }))).toBe(
      'SCHEMA_MISMATCH',
    )
  })
}

function possible(line: AddLine): void {
  line('G-113: a nullable value column can be added, and one with a default', async (store) => {
    const db = await store.create([Base])
    await db.repository(Base).put({ id: 'a', n: 1n, note: 'old' })
    const Wider = defineTable('things', {
      columns: { id, n, note, more: nullable(text()), state: text({ default: 'open' }) },
      key: ['id', 'n'],
      salt,
    })
    await db.ensureTables([Wider])
    const wider = db.repository(Wider)
    expect(await wider.get({ id: 'a', n: 1n })).toEqual({ id: 'a', n: 1n, note: 'old', more: null, state: 'open' })
    await wider.put({ id: 'b', n: 1n, more: 'new' })
    expect(await wider.scan({ id: 'b' }).toArray()).toEqual([{ id: 'b', n: 1n, note: null, more: 'new', state: 'open' }])
  })

  line(
    'G-113: a value column can become wider',
    async (store) => {
      const Narrow = defineTable('counted', { columns: { id, count: uint16() }, key: ['id'] })
      const Wide = defineTable('counted', { columns: { id, count: nullable(uint32()) }, key: ['id'] })
      const db = await store.create([Narrow])
      await db.repository(Narrow).put({ id: 'a', count: 65_535 })
      await db.ensureTables([Wide])
      const wide = db.repository(Wide)
      await wide.put({ id: 'b', count: 65_536 })
      await wide.put({ id: 'c' })
      expect((await wide.scan({ id: { in: ['a', 'b', 'c'] } }).toArray()).map(({ count }) => count)).toEqual([65_535, 65_536, null])
    },
    { cassandra: 'SCHEMA_MISMATCH', hbase: 'SCHEMA_MISMATCH', kudu: 'SCHEMA_MISMATCH' }, // they store them as other types
  )

  line('G-65 G-123 G-124 G-125 G-126: copyTable() changes key, buckets and types, by way of a new table', async (store) => {
    const Other = defineTable('others', {
      columns: { id, n: uint32(), note: text() },
      key: ['n', 'id'],
      salt: bucket({ of: 'n', count: 2 }),
    })
    const db = await store.create([Base, Other])
    const [from, to] = [db.repository(Base), db.repository(Other)]
    const rows = Array.from({ length: 12 }, (_, i) => ({ id: `id${i % 3}`, n: BigInt(i), note: i % 2 === 0 ? null : 'note' }))
    await from.putMany(rows)
    const map = (row: (typeof rows)[number]) => ({ ...row, n: Number(row.n), note: row.note ?? '' })
    expect(await copyTable(from, to, { map })).toMatchObject({ rows: 12, verified: { rows: 12 } })
    expect(await to.scan({ n: { gte: 3, lt: 9 } }).toArray()).toEqual(rows.slice(3, 9).map(map))
  })
}
