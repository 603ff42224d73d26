import { bucket, Bucket, defineTable, desc, int64, KeyColumn, nullable, RowKey, Table, text, timestamp, toHex, uint32 } from 'rowkey'
import { expect } from 'vitest'
import { once, type AddLine, type GuideStore } from './line.js'

const start = 1_700_000_000_000
const at = (ms: number): Date => new Date(start + ms)
const hosts = ['web-1', 'web-12', 'web-2']
const events = ['cpu', 'disk']
/** A record per host, event and second. */
const records = Array.from({ length: 10 }, (_, i) =>
  hosts.flatMap((hostname) => events.map((event) => ({ hostname, event, ms: i * 1000 }))),
).flat()
const logged = records.map(({ hostname, event, ms }) => ({ hostname, event, at: at(ms) }))

@Table('by_host')
class ByHost {
  declare [RowKey]?: 'hostname' | 'event' | 'at'
  @KeyColumn(1, text()) hostname!: string
  @KeyColumn(2, text()) event!: string
  @KeyColumn(3, timestamp('ms')) at!: Date
}

@Table('newest_first')
class NewestFirst {
  declare [RowKey]?: 'hostname' | 'event' | 'at'
  @KeyColumn(1, text()) hostname!: string
  @KeyColumn(2, text()) event!: string
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
}

@Table('by_time')
@Bucket({ of: 'at', modulo: 16 })
class ByTime {
  declare [RowKey]?: 'at' | 'hostname' | 'event'
  @KeyColumn(1, timestamp('ms')) at!: Date
  @KeyColumn(2, text()) hostname!: string
  @KeyColumn(3, text()) event!: string
}

const columns = { seller_id: text(), buyer_id: text(), at: timestamp('ms'), order_number: text(), cents: uint32() }
const Sellers = defineTable('by_seller', { columns, key: ['seller_id', 'at', 'order_number'] })
const Buyers = defineTable('by_buyer', { columns, key: ['buyer_id', 'at', 'order_number'] })
const Orders = defineTable('order_index', {
  columns: { order_number: text(), buyer_id: text(), seller_id: text(), at: timestamp('ms') },
  key: ['order_number'],
})
const sales = Array.from({ length: 30 }, (_, i) => ({
  seller_id: `s${i % 3}`,
  buyer_id: `b${i % 5}`,
  at: at(i * 60_000),
  order_number: `N${i}`,
  cents: 100 + i,
}))
type Sale = (typeof sales)[number]
const indexed = ({ order_number, buyer_id, seller_id, at: instant }: Sale) => ({ order_number, buyer_id, seller_id, at: instant })

/** The three tables, with all sales. */
async function filled(store: GuideStore) {
  const db = await store.create([Sellers, Buyers, Orders])
  const [sellers, buyers, index] = [db.repository(Sellers), db.repository(Buyers), db.repository(Orders)]
  await Promise.all([sellers.putMany(sales), buyers.putMany(sales), index.putMany(sales.map(indexed))])
  return { db, sellers, buyers, index }
}

export function designs(line: AddLine): void {
  logs(line)
  const tablesOn = once(filled)
  transactions(line, tablesOn)
  threeTables(line, tablesOn)

  line('G-31: where time has to come first, a bucket of other columns spreads the writes of one moment', async (store) => {
    const Spread = defineTable('spread', {
      columns: { at: timestamp('ms'), id: int64(), note: nullable(text()) },
      key: ['at', 'id'],
      salt: bucket({ of: 'id', count: 16 }),
    })
    const spread = await store.open(Spread)
    const rows = Array.from({ length: 60 }, (_, i) => ({ at: at(0), id: BigInt(i), note: null }))
    expect(new Set(rows.map((row) => spread.encodeKey(row)[0])).size).toBeGreaterThan(12)
    await spread.putMany(rows)
    expect(await spread.scan({ at: at(0), id: { gte: 20n } }).toArray()).toEqual(rows.slice(20))
  })
}

function logs(line: AddLine): void {
  line('G-42: hostname, log-event, timestamp: a metric of a host over a span of time is one range', async (store) => {
    const table = await store.open(ByHost)
    await table.putMany(logged)
    const scan = table.scan({ hostname: 'web-1', event: 'cpu', at: { gte: at(5000), lt: at(8000) } })
    const rows = await scan.toArray()
    expect(rows.map((row) => [row.hostname, row.event, row.at.getTime() - start])).toEqual([
      ['web-1', 'cpu', 5000],
      ['web-1', 'cpu', 6000],
      ['web-1', 'cpu', 7000],
    ])
    expect(scan.explain()).toMatchObject({ kind: 'SCAN', ranges: 1, residual: [] })
    expect((await scan.page()).stats.examined).toBe(3)
  })

  const newestOn = once(async (store) => {
    const table = await store.open(NewestFirst)
    await table.putMany(logged)
    return table
  })

  line('G-43: hostname, log-event, timestamp DESC: the latest few, forwards', async (store) => {
    const table = await newestOn(store)
    const { rows, stats } = await table.scan({ hostname: 'web-1', event: 'cpu' }).page({ size: 3 })
    expect(rows.map((row) => row.at.getTime() - start)).toEqual([9000, 8000, 7000])
    expect(stats.examined).toBeLessThanOrEqual(4)
    expect(toHex(table.encodeKey({ hostname: 'web-1', event: 'cpu', at: at(0) }))).toMatch(/7ffffe74301a97ff$/)
  })

  line('G-43: the latest few of several hosts are one feed', async (store) => {
    const table = await newestOn(store)
    const feed = table.scan({ hostname: { in: ['web-1', 'web-2'] }, event: 'cpu' }, { order: { at: 'desc' } })
    const { rows, cursor } = await feed.page({ size: 3 })
    const seen = (found: typeof rows): unknown => found.map((row) => [row.hostname, row.at.getTime() - start])
    expect(seen(rows)).toEqual([
      ['web-1', 9000],
      ['web-2', 9000],
      ['web-1', 8000],
    ])
    const next = await feed.page({ size: 1, cursor })
    expect(seen(next.rows)).toEqual([['web-2', 8000]])
  })

  line('G-44: timestamp % n, timestamp, hostname, log-event: a window over all hosts in order of time', async (store) => {
    const table = await store.open(ByTime)
    const instantOf = ({ ms }: (typeof records)[number], i: number): number => start + ms + i
    await table.putMany(
      records.map((record, i) => ({ hostname: record.hostname, event: record.event, at: new Date(instantOf(record, i)) })),
    )
    const scan = table.scan({ at: { gte: at(4000), lt: at(9000) } })
    const instants = (await scan.toArray()).map((row) => row.at.getTime())
    expect(instants).toEqual(records.map(instantOf).filter((instant) => instant >= start + 4000 && instant < start + 9000))
    expect(new Set(instants.map((instant) => instant % 16)).size).toBeGreaterThan(10)
    expect(scan.explain().buckets).toMatchObject({ read: 16, of: 16 })
    // A window of few milliseconds cannot hold all remainders.
    expect(table.scan({ at: { gte: at(4000), lt: at(4003) } }).explain().buckets.read).toBe(3)
    expect(table.scan({ at: at(4000) }).explain().buckets.read).toBe(1)
  })
}

function transactions(line: AddLine, tablesOn: typeof filled): void {
  const span = { gte: at(5 * 60_000), lt: at(20 * 60_000) }
  line('G-45: seller_id, timestamp, order_number: the records of a seller over a span of time', async (store) => {
    const { sellers } = await tablesOn(store)
    const scan = sellers.scan({ seller_id: 's1', at: span })
    expect(await scan.toArray()).toEqual(sales.slice(5, 20).filter(({ seller_id }) => seller_id === 's1'))
    expect(scan.explain()).toMatchObject({ kind: 'SCAN', ranges: 1, residual: [] })
  })

  line('G-46: buyer_id, timestamp, order_number: the records of a buyer over a span of time', async (store) => {
    const { buyers } = await tablesOn(store)
    const scan = buyers.scan({ buyer_id: 'b2', at: span })
    expect(await scan.toArray()).toEqual(sales.slice(5, 20).filter(({ buyer_id }) => buyer_id === 'b2'))
    expect(scan.explain()).toMatchObject({ kind: 'SCAN', ranges: 1, residual: [] })
  })

  line('G-14 G-47: order_number as an index table: one GET finds the key, one more the record', async (store) => {
    const { buyers, index } = await tablesOn(store)
    expect(index.scan({ order_number: 'N17' }).explain().kind).toBe('GET')
    const { order_number, buyer_id, at: instant } = await index.getOrThrow({ order_number: 'N17' })
    expect(await buyers.get({ buyer_id, at: instant, order_number })).toEqual(sales[17])
  })
}

function threeTables(line: AddLine, tablesOn: typeof filled): void {
  /** A sale that no table has, and another one under its number. */
  const fresh = (name: string): readonly [Sale, Sale] => {
    const sale = { seller_id: `s ${name}`, buyer_id: `b ${name}`, at: at(0), order_number: `N ${name}`, cents: 1 }
    return [sale, { ...sale, seller_id: `s 2 ${name}`, buyer_id: `b 2 ${name}` }]
  }

  line('G-48: three tables answer all three queries; the index is written first and refuses a number that is taken', async (store) => {
    const { sellers, buyers, index } = await tablesOn(store)
    const [sale, taken] = fresh('one by one')
    const sell = async (each: Sale): Promise<void> => {
      await index.insert(indexed(each))
      await Promise.all([sellers.put(each), buyers.put(each)])
    }
    await sell(sale)
    await expect(sell(taken)).rejects.toMatchObject({ code: 'ROW_EXISTS' })
    expect(await sellers.scan({ seller_id: sale.seller_id }).toArray()).toEqual([sale])
    expect(await buyers.scan({ buyer_id: sale.buyer_id }).toArray()).toEqual([sale])
    expect(await index.get({ order_number: sale.order_number })).toEqual(indexed(sale))
    expect(await buyers.exists(taken)).toBe(false)
  })

  line(
    'G-48: one write to all three tables, or to none',
    async (store) => {
      const { db, sellers, buyers, index } = await tablesOn(store)
      const [sale, taken] = fresh('together')
      const sell = (each: Sale): Promise<unknown> =>
        db.write([sellers.ops.put(each), buyers.ops.put(each), index.ops.insert(indexed(each))], { atomic: true })
      const written = async ({ order_number, ...each }: Sale): Promise<unknown> =>
        Promise.all([sellers.exists({ ...each, order_number }), buyers.exists({ ...each, order_number }), index.exists({ order_number })])
      try {
        await sell(sale)
      } catch (error) {
        expect(await written(sale)).toEqual([false, false, false]) // also where it is refused
        throw error
      }
      expect(await written(sale)).toEqual([true, true, true])
      await expect(sell(taken)).rejects.toMatchObject({ code: 'ROW_EXISTS' })
      expect(await written(taken)).toEqual([false, false, true])
      expect(await index.get({ order_number: sale.order_number })).toEqual(indexed(sale))
    },
    {
      redis: 'ATOMIC_SCOPE',
      'redis-cluster': 'ATOMIC_SCOPE',
      dynalite: 'ATOMIC_SCOPE',
      cassandra: 'ATOMIC_SCOPE',
      hbase: 'ATOMIC_SCOPE',
      kudu: 'ATOMIC_SCOPE',
    },
  )
}
