import { bucket, defineTable, desc, text, timestamp, uint32 } from 'rowkey'
import { expect } from 'vitest'
import { once, type AddLine, type GuideStore } from './line.js'

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 10, minute))

const orderColumns = { no: text(), buyer: text(), seller: text(), at: desc(timestamp('ms')), cents: uint32() }
const orderTable = { columns: orderColumns, key: ['no'] } as const
const orderIndexes = { byBuyer: { key: ['buyer', 'at'] }, bySeller: { key: ['seller', 'at'] } } as const
/** Plain, so that every store can have them. */
const Orders = defineTable('orders', { ...orderTable, writes: 'plain', indexes: orderIndexes })
const orders = Array.from({ length: 30 }, (_, i) => ({ no: `N${i}`, buyer: `b${i % 5}`, seller: `s${i % 3}`, at: at(i), cents: 100 + i }))
const newestFirst = orders.toReversed()

const Logs = defineTable('logs', {
  columns: { host: text(), event: text(), at: desc(timestamp('ms')), n: uint32() },
  key: ['host', 'at', 'event'],
  writes: 'plain',
  indexes: { byEvent: { key: ['event', 'at'] }, byTime: { key: ['at'], salt: bucket({ of: ['host', 'event'], count: 4 }) } },
})
const logs = Array.from({ length: 24 }, (_, i) => ({ host: `web-${i % 3}`, event: i % 2 === 0 ? 'cpu' : 'disk', at: at(i), n: i }))

export function indexes(line: AddLine): void {
  const ordersOn = once(async (store: GuideStore) => {
    const table = await store.open(Orders)
    await table.putMany(orders)
    return table
  })

  line('G-14 G-16 G-48: one model with two indexes answers all three queries', async (store) => {
    const table = await ordersOn(store)
    const span = { gte: at(5), lt: at(20) }
    const during = newestFirst.filter(({ at: instant }) => instant >= span.gte && instant < span.lt)
    const ofBuyer = table.scan({ buyer: 'b2', at: span }, { index: 'byBuyer' })
    expect(await ofBuyer.toArray()).toEqual(during.filter(({ buyer }) => buyer === 'b2'))
    expect(ofBuyer.explain()).toMatchObject({ kind: 'SCAN', ranges: 1, residual: [] })
    expect(await table.scan({ seller: 's1', at: span }, { index: 'bySeller' }).toArray()).toEqual(
      during.filter(({ seller }) => seller === 's1'),
    )
    expect(table.scan({ no: 'N17' }).explain().kind).toBe('GET')
    expect(await table.get({ no: 'N17' })).toEqual(orders[17])
  })

  line('G-16: a row that changes or goes is found by its new values only', async (store) => {
    const table = await ordersOn(store)
    const order = { no: 'moved', buyer: 'ann', seller: 'shop', at: at(0), cents: 1 }
    const numbers = async (buyer: string): Promise<unknown> =>
      (await table.scan({ buyer }, { index: 'byBuyer' }).toArray()).map(({ no }) => no)
    await table.put(order)
    expect([await numbers('ann'), await numbers('bob')]).toEqual([['moved'], []])
    await table.put({ ...order, buyer: 'bob' })
    expect([await numbers('ann'), await numbers('bob')]).toEqual([[], ['moved']])
    await table.delete(order)
    expect([await numbers('ann'), await numbers('bob')]).toEqual([[], []])
  })

  line('G-16: an index of a table that has rows is readable when it is built', async (store) => {
    const older = defineTable('grown', { ...orderTable, writes: 'plain' })
    const newer = defineTable('grown', { ...orderTable, writes: 'plain', indexes: orderIndexes })
    const prefix = `gi${process.pid}x${Date.now().toString(36)}_`
    await (await store.create([older], { prefix })).repository(older).putMany(orders)
    const later = await store.create([newer], { prefix })
    const scan = later.repository(newer).scan({ buyer: 'b2' }, { index: 'byBuyer' })
    await expect(scan.toArray()).rejects.toMatchObject({ code: 'INDEX_NOT_READABLE' })
    expect(await later.buildIndex(newer, 'byBuyer')).toBe(orders.length)
    expect(await scan.toArray()).toEqual(newestFirst.filter(({ buyer }) => buyer === 'b2'))
  })

  line(
    'G-16 G-48: a number that is taken is refused, and its order is in no list',
    async (store) => {
      const table = await store.open(defineTable('checked', { ...orderTable, indexes: orderIndexes }))
      const order = { no: 'A1', buyer: 'ann', seller: 'shop', at: at(0), cents: 1 }
      await table.insert(order)
      await expect(table.insert({ ...order, buyer: 'bob' })).rejects.toMatchObject({ code: 'ROW_EXISTS' })
      expect(await table.scan({ buyer: 'bob' }, { index: 'byBuyer' }).count()).toBe(0)
      await table.update(order, { buyer: 'eve' }, { if: { buyer: 'ann' } })
      expect(await table.scan({ buyer: 'ann' }, { index: 'byBuyer' }).count()).toBe(0)
      expect(await table.scan({ buyer: 'eve' }, { index: 'byBuyer' }).toArray()).toEqual([{ ...order, buyer: 'eve' }])
    },
    { kudu: 'NOT_SUPPORTED' },
  )

  line('G-14 G-43 G-44: logs by host, by event and by time from one model', async (store) => {
    const table = await store.open(Logs)
    await table.putMany(logs)
    const seen = async (rows: Promise<readonly { n: number }[]>): Promise<unknown> => (await rows).map(({ n }) => n)
    expect(await seen(table.scan({ host: 'web-1' }, { limit: 3 }).toArray())).toEqual([22, 19, 16])
    expect(await seen(table.scan({ event: 'disk' }, { index: 'byEvent', limit: 3 }).toArray())).toEqual([23, 21, 19])
    expect(await seen(table.scan({ at: { gte: at(4), lt: at(9) } }, { index: 'byTime' }).toArray())).toEqual([8, 7, 6, 5, 4])
  })
}
