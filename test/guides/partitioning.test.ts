import { keyLayout } from '@rowkey/codec'
import { bucket, defineTable, float64, int64, nullable, text, type Salt, type TableSchema } from 'rowkey'
import { describe, expect, test } from 'vitest'
import { codeOf } from './code-of.js'
import { onEachStore } from './stores.js'

/** The guide's table of metrics, G-99. */
const metrics = <const S extends readonly Salt<'host' | 'metric'>[]>(salt: S) =>
  defineTable('metrics', {
    columns: { host: text(), metric: text(), time: int64(), value: float64() },
    key: ['host', 'metric', 'time'],
    salt,
  })
const together = metrics([bucket({ of: ['host', 'metric'], count: 4 })])
const levels = metrics([bucket({ of: 'host', count: 4 }), bucket({ of: 'metric', count: 3 })])

const hosts = Array.from({ length: 20 }, (_, i) => `host${i}`)
const names = ['cpu', 'disk', 'net', 'load', 'mem']
const rows = hosts.flatMap((host) => names.flatMap((metric) => [1n, 2n].map((time) => ({ host, metric, time, value: Number(time) }))))

onEachStore(({ open, mapper }) => {
  const read = async (schema: typeof together | typeof levels, where: { host?: string; metric?: string }): Promise<number> => {
    const table = await open(schema as typeof together)
    await table.putMany(rows)
    const scan = table.scan(where, { allowFullScan: true })
    expect(await scan.count()).toBe(
      rows.filter((row) => Object.entries(where).every(([name, value]) => row[name as 'host'] === value)).length,
    )
    return scan.explain().buckets.read
  }

  describe('hash levels', () => {
    test('G-89 G-90 G-99 G-105: hash(host, metric) into 4 buckets takes a part of the key and spreads the rows', async () => {
      const table = await open(together)
      const counts = [0, 0, 0, 0]
      for (const row of rows) {
        const [first = 0] = table.encodeKey({ host: row.host, metric: row.metric, time: row.time })
        counts[first] = (counts[first] ?? 0) + 1
      }
      expect(Math.min(...counts)).toBeGreaterThan(rows.length / 8)
    })

    test('G-95 G-96 G-106: equality on host and metric reads 1 bucket of 4; one of the two alone prunes nothing', async () => {
      expect(await read(together, { host: 'host1', metric: 'cpu' })).toBe(1)
      expect(await read(together, { host: 'host1' })).toBe(4)
      expect(await read(together, { metric: 'cpu' })).toBe(4)
    })

    test('G-93 G-111: hash(host) 4 and hash(metric) 3 are 12 buckets', async () => {
      expect((await open(levels)).scan({ host: { startsWith: 'h' } }).explain().buckets).toMatchObject({ read: 12, of: 12 })
    })

    test('G-98 G-111: each level prunes on its own', async () => {
      expect(await read(levels, { host: 'host1', metric: 'cpu' })).toBe(1)
      expect(await read(levels, { host: 'host1' })).toBe(3)
      expect(await read(levels, { metric: 'cpu' })).toBe(4)
      expect(await read(levels, {})).toBe(12)
    })

    test('G-92: no two levels may be of the same column', () => {
      const shared = [bucket({ of: ['host', 'metric'], count: 4 }), bucket({ of: 'metric', count: 3 })] as const
      expect(() => metrics(shared)).toThrow(/SHARED_SALT_COLUMN/)
    })
  })

  describe('the primary key', () => {
    test('G-66: inserting a key that exists is an error', async () => {
      const table = await open(together)
      await table.insert({ host: 'a', metric: 'b', time: 1n, value: 1 })
      expect(await codeOf(() => table.insert({ host: 'a', metric: 'b', time: 1n, value: 2 }))).toBe('ROW_EXISTS')
    })

    test('G-68: update and delete name the complete key', async () => {
      const table = await open(together)
      // @ts-expect-error: there is no time
      expect(await codeOf(() => table.update({ host: 'a', metric: 'b' }, { value: 1 }))).toBe('INVALID_VALUE')
      // @ts-expect-error: there is no time
      expect(await codeOf(() => table.delete({ host: 'a', metric: 'b' }))).toBe('INVALID_VALUE')
    })

    test('G-70 G-122: a key column cannot be updated', async () => {
      const table = await open(together)
      const key = { host: 'a', metric: 'b', time: 1n }
      await table.insert({ ...key, value: 1 })
      // @ts-expect-error: time is part of the key
      expect(await codeOf(() => table.update(key, { time: 2n }))).toBe('KEY_IMMUTABLE')
    })

    test('G-71 G-72: rows lie in key order, and predicates on key columns skip all others', async () => {
      const table = await open(metrics([]))
      await table.putMany(rows.toReversed())
      const { rows: found, stats } = await table.scan({ host: 'host1', metric: 'cpu', time: { gte: 2n } }).page()
      expect(found).toEqual([{ host: 'host1', metric: 'cpu', time: 2n, value: 2 }])
      expect(stats.examined).toBe(1)
      const layout = keyLayout([
        ['host', text()],
        ['metric', text()],
        ['time', int64()],
      ])
      const keys = (await table.scan({}, { allowFullScan: true }).toArray()).map(({ host, metric, time }) =>
        layout.encode({ host, metric, time }),
      )
      expect(keys).toEqual(keys.toSorted((a, b) => Buffer.compare(a, b)))
    })
  })

  describe('changing a table', () => {
    const Base = defineTable('things', {
      columns: { id: text(), n: int64(), note: nullable(text()) },
      key: ['id', 'n'],
      salt: bucket({ of: 'id', count: 4 }),
    })
    const changed = async (other: TableSchema): Promise<unknown> => {
      const db = mapper()
      await db.ensureTables([Base])
      return codeOf(() => db.ensureTables([other]))
    }
    const grown = async (before: TableSchema, after: TableSchema, row: Record<string, unknown>): Promise<unknown> => {
      const db = mapper()
      await db.ensureTables([before])
      await db.repository(before).put(row)
      await db.ensureTables([after])
      return db.repository(after).get(row)
    }
    const { id, n, note } = { id: text(), n: int64(), note: nullable(text()) }
    const salt = bucket({ of: 'id', count: 4 })

    test('G-65 G-123: the key columns are fixed', async () => {
      expect(await changed(defineTable('things', { columns: { id, n, note }, key: ['id'], salt }))).toBe('SCHEMA_MISMATCH')
      expect(await changed(defineTable('things', { columns: { id, n, note }, key: ['n', 'id'], salt }))).toBe('SCHEMA_MISMATCH')
    })

    test('G-124 G-126: the buckets are fixed', async () => {
      expect(
        await changed(defineTable('things', { columns: { id, n, note }, key: ['id', 'n'], salt: bucket({ of: 'id', count: 8 }) })),
      ).toBe('SCHEMA_MISMATCH')
      expect(await changed(defineTable('things', { columns: { id, n, note }, key: ['id', 'n'] }))).toBe('SCHEMA_MISMATCH')
    })

    test('G-125: column types are fixed', async () => {
      expect(await changed(defineTable('things', { columns: { id, n, note: nullable(int64()) }, key: ['id', 'n'], salt }))).toBe(
        'SCHEMA_MISMATCH',
      )
    })

    test('G-113: a nullable value column can be added', async () => {
      const one = { columns: { id, note }, key: ['id'], salt } as const
      const more = await grown(defineTable('notes', one), defineTable('notes', { ...one, columns: { id, note, more: nullable(text()) } }), {
        id: 'a',
      })
      expect(more).toEqual({ id: 'a', note: null, more: null })
    })

    test('G-113: also to a table with two key columns', async () => {
      const Wider = defineTable('things', { columns: { id, n, note, more: nullable(text()) }, key: ['id', 'n'], salt })
      expect(await grown(Base, Wider, { id: 'a', n: 1n })).toEqual({ id: 'a', n: 1n, note: null, more: null })
    })
  })
})
