import { bucket, Bucket, defineTable, desc, int64, KeyColumn, nullable, RowKey, Table, text, timestamp, toHex, uint32 } from 'rowkey'
import { describe, expect, test } from 'vitest'
import { onEachStore } from './stores.js'

const start = 1_700_000_000_000
const at = (ms: number): Date => new Date(start + ms)
const hosts = ['web-1', 'web-12', 'web-2']
const events = ['cpu', 'disk']

onEachStore(({ open, mapper }) => {
  describe('log data', () => {
    /** A record per host, event and second. */
    const records = Array.from({ length: 20 }, (_, i) =>
      hosts.flatMap((hostname) => events.map((event) => ({ hostname, event, ms: i * 1000 }))),
    ).flat()

    @Table('by_host')
    class ByHost {
      declare [RowKey]?: 'hostname' | 'event' | 'at'
      @KeyColumn(1, text()) hostname!: string
      @KeyColumn(2, text()) event!: string
      @KeyColumn(3, timestamp('ms')) at!: Date
    }

    test('G-42: [hostname][log-event][timestamp] reads a metric of a host over a span of time as one range', async () => {
      const logs = await open(ByHost)
      await logs.putMany(records.map(({ hostname, event, ms }) => ({ hostname, event, at: at(ms) })))
      const scan = logs.scan({ hostname: 'web-1', event: 'cpu', at: { gte: at(5000), lt: at(8000) } })
      const rows = await scan.toArray()
      expect(rows.map((row) => [row.hostname, row.event, row.at.getTime() - start])).toEqual([
        ['web-1', 'cpu', 5000],
        ['web-1', 'cpu', 6000],
        ['web-1', 'cpu', 7000],
      ])
      expect(scan.explain()).toMatchObject({ kind: 'SCAN', ranges: 1, residual: [] })
      expect((await scan.page()).stats.examined).toBe(3)
    })

    @Table('newest_first')
    class NewestFirst {
      declare [RowKey]?: 'hostname' | 'event' | 'at'
      @KeyColumn(1, text()) hostname!: string
      @KeyColumn(2, text()) event!: string
      @KeyColumn(3, desc(timestamp('ms'))) at!: Date
    }

    test('G-43: [hostname][log-event][timestamp DESC] gives the latest few, forwards', async () => {
      const logs = await open(NewestFirst)
      await logs.putMany(records.map(({ hostname, event, ms }) => ({ hostname, event, at: at(ms) })))
      const { rows, stats } = await logs.scan({ hostname: 'web-1', event: 'cpu' }, { limit: 3 }).page()
      expect(rows.map((row) => row.at.getTime() - start)).toEqual([19_000, 18_000, 17_000])
      expect(stats.examined).toBeLessThanOrEqual(4)
      expect(toHex(logs.encodeKey({ hostname: 'web-1', event: 'cpu', at: at(0) }))).toMatch(/7ffffe74301a97ff$/)
    })

    @Table('by_time')
    @Bucket({ of: 'at', modulo: 16 })
    class ByTime {
      declare [RowKey]?: 'at' | 'hostname' | 'event'
      @KeyColumn(1, timestamp('ms')) at!: Date
      @KeyColumn(2, text()) hostname!: string
      @KeyColumn(3, text()) event!: string
    }

    test('G-44: [timestamp % n][timestamp][hostname][log-event] reads a window over all hosts in order of time', async () => {
      const logs = await open(ByTime)
      await logs.putMany(records.map(({ hostname, event, ms }, i) => ({ hostname, event, at: at(ms + i) })))
      const scan = logs.scan({ at: { gte: at(4000), lt: at(9000) } })
      const instants = (await scan.toArray()).map((row) => row.at.getTime())
      expect(instants).toEqual(instants.toSorted((a, b) => a - b))
      expect(instants).toHaveLength(records.filter(({ ms }, i) => ms + i >= 4000 && ms + i < 9000).length)
      expect(new Set(instants.map((instant) => instant % 16)).size).toBeGreaterThan(10)
      expect(scan.explain().buckets).toMatchObject({ read: 16, of: 16 })
      // A window of few milliseconds cannot hold all remainders.
      expect(logs.scan({ at: { gte: at(4000), lt: at(4003) } }).explain().buckets.read).toBe(3)
      expect(logs.scan({ at: at(4000) }).explain().buckets.read).toBe(1)
    })
  })

  describe('transactions', () => {
    const columns = { seller_id: text(), buyer_id: text(), at: timestamp('ms'), order_number: text(), cents: uint32() }
    const Sellers = defineTable('by_seller', { columns, key: ['seller_id', 'at', 'order_number'] })
    const Buyers = defineTable('by_buyer', { columns, key: ['buyer_id', 'at', 'order_number'] })
    const Orders = defineTable('order_index', {
      columns: { order_number: text(), buyer_id: text(), seller_id: text(), at: timestamp('ms') },
      key: ['order_number'],
    })
    const sales = Array.from({ length: 60 }, (_, i) => ({
      seller_id: `s${i % 3}`,
      buyer_id: `b${i % 5}`,
      at: at(i * 60_000),
      order_number: `N${i}`,
      cents: 100 + i,
    }))
    const span = { gte: at(10 * 60_000), lt: at(40 * 60_000) }

    test('G-45: [seller_id][timestamp][order_number] reads the records of a seller over a span of time', async () => {
      const rows = await open(Sellers)
      await rows.putMany(sales)
      const scan = rows.scan({ seller_id: 's1', at: span })
      expect(await scan.toArray()).toEqual(sales.slice(10, 40).filter(({ seller_id }) => seller_id === 's1'))
      expect(scan.explain()).toMatchObject({ kind: 'SCAN', ranges: 1, residual: [] })
    })

    test('G-46: [buyer_id][timestamp][order_number] reads the records of a buyer over a span of time', async () => {
      const rows = await open(Buyers)
      await rows.putMany(sales)
      const scan = rows.scan({ buyer_id: 'b2', at: span })
      expect(await scan.toArray()).toEqual(sales.slice(10, 40).filter(({ buyer_id }) => buyer_id === 'b2'))
      expect(scan.explain()).toMatchObject({ kind: 'SCAN', ranges: 1, residual: [] })
    })

    test('G-46: the newest of several buyers are one feed, which is read page by page and back', async () => {
      const rows = await open(Buyers)
      await rows.putMany(sales)
      const feed = { buyer_id: { in: ['b0', 'b2', 'b4'] } }
      const options = { order: { at: 'desc' }, limit: 7 } as const
      const expected = sales.filter(({ buyer_id }) => feed.buyer_id.in.includes(buyer_id)).toReversed()
      const first = await rows.scan(feed, options).page()
      const second = await rows.scan(feed, { ...options, cursor: first.cursor as string }).page()
      expect([...first.rows, ...second.rows]).toEqual(expected.slice(0, 14))
      expect((await rows.scan(feed, { ...options, cursor: second.previous as string }).page()).rows).toEqual(first.rows)
      expect(first.stats.examined).toBeLessThanOrEqual(7 + 3 * 7)
    })

    test('G-14 G-47 G-48: [order_number] is an index table: one GET finds the key, one more the record', async () => {
      const [buyers, index] = [await open(Buyers), await open(Orders)]
      await buyers.putMany(sales)
      await index.putMany(
        sales.map(({ order_number, buyer_id, seller_id, at: instant }) => ({ order_number, buyer_id, seller_id, at: instant })),
      )
      const { order_number, buyer_id, at: instant } = await index.getOrThrow({ order_number: 'N17' })
      expect(await buyers.get({ buyer_id, at: instant, order_number })).toEqual(sales[17])
    })

    test('G-48: one write to all three tables, or to none', async () => {
      const db = mapper()
      await db.ensureTables([Sellers, Buyers, Orders])
      const [sellers, buyers, index] = [db.repository(Sellers), db.repository(Buyers), db.repository(Orders)]
      const sell = (sale: (typeof sales)[number]): Promise<unknown> => {
        const { order_number, buyer_id, seller_id, at: instant } = sale
        const entry = { order_number, buyer_id, seller_id, at: instant }
        return db.write([sellers.op.put(sale), buyers.op.put(sale), index.op.insert(entry)], { atomic: true })
      }
      const [first, second] = sales as [(typeof sales)[number], (typeof sales)[number]]
      const { scope, max } = db.adapter.capabilities.atomic
      if (scope !== 'store' || max < 3) {
        await expect(sell(first)).rejects.toThrow('ATOMIC_SCOPE')
        expect(await sellers.scan({ seller_id: first.seller_id }).count()).toBe(0)
        return
      }
      await sell(first)
      await expect(sell({ ...second, order_number: first.order_number })).rejects.toThrow('ROW_EXISTS') // the number is taken
      expect(await sellers.scan({ seller_id: second.seller_id }).count()).toBe(0)
      expect(await buyers.scan({ buyer_id: second.buyer_id }).count()).toBe(0)
      expect(await buyers.scan({ buyer_id: first.buyer_id }).toArray()).toEqual([first])
    })
  })

  test('G-31: where time has to come first, a bucket of other columns spreads the writes of one moment', async () => {
    const Spread = defineTable('spread', {
      columns: { at: timestamp('ms'), id: int64(), note: nullable(text()) },
      key: ['at', 'id'],
      salt: bucket({ of: 'id', count: 16 }),
    })
    const rows = await open(Spread)
    const first = (id: bigint): number => rows.encodeKey({ at: at(0), id })[0] ?? -1
    expect(new Set(Array.from({ length: 200 }, (_, i) => first(BigInt(i)))).size).toBe(16)
  })
})
