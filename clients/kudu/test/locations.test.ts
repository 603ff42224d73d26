import { beforeAll, expect, test } from 'vitest'
import type { KuduTable } from '../src/index.js'
import { partitionKey } from '../src/rows/partition-key.js'
import { Locations } from '../src/tablets/locations.js'
import { clusterOf, type Parts } from './cluster.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  const { parts } = clusterOf()
  let { tables, masters, during }: Parts = {} as Parts
  let table: KuduTable

  /** Two buckets with ten ranges each, with a gap after every other one. */
  beforeAll(async () => {
    ;({ tables, masters, during } = parts())
    table = await during((waiting) =>
      tables.create(
        {
          name: 't',
          columns: [{ name: 'id', type: 'INT32', isKey: true }],
          hash: [{ columns: ['id'], buckets: 2 }],
          range: ['id'],
          ranges: Array.from({ length: 10 }, (_, index) => {
            const from = 10 * index + 10 * Math.floor(index / 2)
            return { from: { id: from }, to: { id: from + 10 } }
          }),
        },
        waiting,
      ),
    )
  })

  const isCovered = (id: number): boolean => id >= 0 && id < 150 && id % 30 < 20
  const all = [{ from: new Uint8Array(), to: new Uint8Array() }]

  test.each([2, 3, 7, 20, 1_000])('pages of %d tablets', async (pageSize) => {
    const located = await during((waiting) => new Locations(masters, pageSize).within(table, all, waiting))
    expect(located).toHaveLength(20)
    expect(located.map(({ buckets }) => buckets[0])).toEqual(Array.from({ length: 20 }, (_, index) => Math.floor(index / 10)))
    const locations = new Locations(masters, pageSize)
    // From the end, so that what is known grows to the front.
    for (let id = 160; id >= -10; id--) {
      const key = partitionKey(table, [id]).bytes
      const { tablet, start, end } = await during((waiting) => locations.find(table, key, 0, waiting))
      expect(tablet !== undefined, `${id}`).toBe(isCovered(id))
      expect(Buffer.compare(start, key) <= 0 && (end.length === 0 || Buffer.compare(key, end) < 0)).toBe(true)
      expect(locations.remembered(table, key, 0)?.tablet?.id).toBe(tablet?.id)
    }
  })

  test('a tablet by its id', async () => {
    const locations = new Locations(masters, 3)
    const located = await during((waiting) => locations.within(table, all, waiting))
    for (const { id } of located) expect((await during((waiting) => locations.byId(table, id, waiting)))?.id).toBe(id)
    expect(await during((waiting) => locations.byId(table, 'no', waiting))).toBeUndefined()
  })

  test('tablets that are remembered are told without asking; gaps are asked for', async () => {
    const asked: unknown[] = []
    const watched = new Proxy(masters, {
      get(target, name) {
        asked.push(name)
        return (target[name as 'call'] as (...args: unknown[]) => unknown).bind(target)
      },
    })
    const locations = new Locations(watched)
    const inside = [5, 12].map((id) => ({ from: partitionKey(table, [id]).bytes, to: partitionKey(table, [id + 1]).bytes }))
    const within = (of: typeof inside, isRemembered: boolean) => during((waiting) => locations.within(table, of, waiting, isRemembered))
    const [first] = inside as [(typeof inside)[number]]
    const found = await within([first], false)
    expect(await within([first], true)).toEqual(found)
    expect(asked).toHaveLength(1)
    await within([first], false)
    expect(asked).toHaveLength(2)
    const gap = { from: partitionKey(table, [25]).bytes, to: partitionKey(table, [26]).bytes }
    for (let call = 3; call < 6; call++) {
      expect(await within([gap], true)).toEqual([])
      expect(asked).toHaveLength(call)
    }
  })

  test('calls at the same time ask once, and each waits for itself', async () => {
    let asked = 0
    const locations = new Locations(
      new Proxy(masters, {
        get(target, name) {
          asked++
          return (target[name as 'call'] as (...args: unknown[]) => unknown).bind(target)
        },
      }),
    )
    const key = partitionKey(table, [5]).bytes
    const found = await Promise.all(Array.from({ length: 50 }, () => during((waiting) => locations.find(table, key, 0, waiting))))
    expect(new Set(found.map(({ tablet }) => tablet?.id)).size).toBe(1)
    expect(asked).toBe(1)
    // A gap counts for calls that began before it was seen.
    const gap = partitionKey(table, [25]).bytes
    const since = performance.now()
    await during((waiting) => locations.find(table, gap, 0, waiting))
    expect(asked).toBe(1)
    for (let call = 0; call < 3; call++) await during((waiting) => locations.find(table, gap, since, waiting))
    expect(asked).toBe(2)
    locations.forget(table, key)
    expect(locations.remembered(table, key, 0)).toBeUndefined()
  })
})
