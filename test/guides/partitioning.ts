import { bucket, defineTable, float64, kuduHash, int64, text, type Salt } from 'rowkey'
import { expect } from 'vitest'
import { codeOf, once, type AddLine, type GuideStore } from './line.js'

/** The guide's table of metrics, G-99. */
const metrics = <const S extends readonly Salt<'host' | 'metric'>[]>(salt: S) =>
  defineTable('metrics', {
    columns: { host: text(), metric: text(), time: int64(), value: float64() },
    key: ['host', 'metric', 'time'],
    salt,
  })
const together = metrics([bucket({ of: ['host', 'metric'], count: 4 })])
const levels = metrics([bucket({ of: 'host', count: 4 }), bucket({ of: 'metric', count: 3 })])
const kudu = metrics([kuduHash({ of: 'host', count: 4 }), kuduHash({ of: 'metric', count: 3, seed: 42 })])

const hosts = Array.from({ length: 12 }, (_, i) => `host${String(i).padStart(2, '0')}`)
const names = ['cpu', 'disk', 'load', 'mem']
/** In key order. */
const rows = hosts.flatMap((host) => names.flatMap((metric) => [1n, 2n].map((time) => ({ host, metric, time, value: Number(time) }))))

const filled = (schema: typeof together | typeof levels) =>
  once(async (store) => {
    const table = await store.open(schema)
    await table.putMany(rows.toReversed())
    return table
  })
type Filled = ReturnType<typeof filled>

/** How many buckets a scan reads, after checking that it finds what it should, in order. */
async function read(table: Awaited<ReturnType<Filled>>, where: { host?: string; metric?: string }): Promise<number> {
  const scan = table.scan(where, { unbounded: true })
  const wanted = rows.filter((row) => Object.entries(where).every(([name, value]) => row[name as 'host'] === value))
  expect(wanted.length).toBeGreaterThan(0)
  expect(await scan.toArray()).toEqual(wanted)
  return scan.explain().buckets.read
}

export function partitioning(line: AddLine): void {
  const togetherOn = filled(together)
  hashLevels(line, togetherOn)
  primaryKey(line, togetherOn)
}

function hashLevels(line: AddLine, togetherOn: Filled): void {
  const levelsOn = filled(levels)
  const kuduOn = filled(kudu)

  line('G-50 G-89 G-90 G-99 G-105: hash(host, metric) into 4 buckets takes a part of the key and spreads the rows', async (store) => {
    const table = await togetherOn(store)
    const counts = [0, 0, 0, 0]
    for (const row of rows) {
      const [first = 0] = table.encodeKey(row)
      counts[first] = (counts[first] ?? 0) + 1
    }
    expect(Math.min(...counts)).toBeGreaterThan(rows.length / 8)
    expect(Math.max(...counts)).toBeLessThan((rows.length * 3) / 8)
  })

  line('G-95 G-96 G-106: equality on host and metric reads 1 bucket of 4; one of the two alone prunes nothing', async (store) => {
    const table = await togetherOn(store)
    expect(await read(table, { host: 'host01', metric: 'cpu' })).toBe(1)
    expect(await read(table, { host: 'host01' })).toBe(4)
    expect(await read(table, { metric: 'cpu' })).toBe(4)
  })

  line('G-74: a row is in exactly one bucket: the buckets that are read together have each row once', async (store) => {
    const table = await togetherOn(store)
    expect(await read(table, {})).toBe(4)
    expect(await table.readAll().count()).toBe(rows.length)
  })

  line('G-93 G-111: hash(host) 4 and hash(metric) 3 are 12 buckets', async (store) => {
    const scan = (await levelsOn(store)).scan({ host: { startsWith: 'h' } })
    expect(scan.explain().buckets).toMatchObject({ read: 12, of: 12 })
    expect(await scan.toArray()).toEqual(rows)
  })

  line('G-98 G-111: each level prunes on its own', async (store) => {
    const table = await levelsOn(store)
    expect(await read(table, { host: 'host01', metric: 'cpu' })).toBe(1)
    expect(await read(table, { host: 'host01' })).toBe(3)
    expect(await read(table, { metric: 'cpu' })).toBe(4)
    expect(await read(table, {})).toBe(12)
  })

  line('G-78 G-89 G-92: levels of kuduHash prune on their own too', async (store) => {
    const table = await kuduOn(store)
    expect(await read(table, { host: 'host01', metric: 'cpu' })).toBe(1)
    expect(await read(table, { host: 'host01' })).toBe(3)
    expect(await read(table, { metric: 'cpu' })).toBe(4)
  })
}

function primaryKey(line: AddLine, togetherOn: Filled): void {
  const key = { host: 'host01', metric: 'cpu', time: 1n }
  const emptyOn = once((store: GuideStore) => store.open(together))

  line('G-66: inserting a key that exists is an error', async (store) => {
    const table = await emptyOn(store)
    const row = { host: 'a', metric: 'b', time: 1n }
    await table.insert({ ...row, value: 1 })
    expect(await codeOf(() => table.insert({ ...row, value: 2 }))).toBe('ROW_EXISTS')
    expect(await table.get(row)).toEqual({ ...row, value: 1 })
  })

  line(
    'G-66: upsert() is for those who want to create or change, and { if } for those who want to be sure',
    async (store) => {
      const table = await emptyOn(store)
      const row = { host: 'a', metric: 'c', time: 1n }
      await table.upsert({ ...row, value: 1 })
      await table.upsert({ ...row, value: 2 })
      await table.update(row, { value: 3 }, { if: { value: 2 } })
      expect(await codeOf(() => table.update(row, { value: 4 }, { if: { value: 2 } }))).toBe('CONDITION_FAILED')
      expect(await table.get(row)).toEqual({ ...row, value: 3 })
    },
    { kudu: 'NOT_SUPPORTED' }, // it has no conditions on columns
  )

  line('G-68: update and delete name the complete key', async (store) => {
    const table = await togetherOn(store)
    // @ts-expect-error: there is no time
    expect(await codeOf(() => table.update({ host: 'host01', metric: 'cpu' }, { value: 7 }))).toBe('INVALID_VALUE')
    // @ts-expect-error: there is no time
    expect(await codeOf(() => table.delete({ host: 'host01', metric: 'cpu' }))).toBe('INVALID_VALUE')
    expect(await table.get(key)).toEqual({ ...key, value: 1 })
  })

  line('G-70 G-122: a key column cannot be updated; the row is deleted and inserted again', async (store) => {
    const table = await emptyOn(store)
    await table.insert({ ...key, value: 1 })
    // @ts-expect-error: time is part of the key
    expect(await codeOf(() => table.update(key, { time: 2n }))).toBe('KEY_IMMUTABLE')
    const row = await table.getOrThrow(key)
    await table.insert({ ...row, time: 2n })
    await table.delete(key)
    expect(await table.scan({ host: key.host, metric: key.metric }).toArray()).toEqual([{ ...key, time: 2n, value: 1 }])
  })

  line('G-02 G-52 G-71 G-72: rows lie in key order, and predicates on key columns skip all others', async (store) => {
    const table = await store.open(metrics([]))
    await table.putMany(rows.toReversed())
    const { rows: found, stats } = await table.scan({ host: 'host01', metric: 'cpu', time: { gte: 2n } }).page()
    expect(found).toEqual([{ host: 'host01', metric: 'cpu', time: 2n, value: 2 }])
    expect(stats.examined).toBe(1)
    const all = await table.scan({}, { unbounded: true }).toArray()
    const encoded = all.map((row) => table.encodeKey(row))
    expect(all).toEqual(rows)
    expect(encoded).toEqual(encoded.toSorted((a, b) => Buffer.compare(a, b)))
  })
}
