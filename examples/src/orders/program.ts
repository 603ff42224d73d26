import { setImmediate } from 'node:timers/promises'
import { isRowkeyError, type Mapper, type ScanPage } from 'rowkey'
import { Order, type NewOrder } from './models.js'
import { Orders } from './orders.js'
import { orders } from './rows.js'

/** What became of the orders on a store. */
export type Facts = Readonly<Record<'placed' | 'newest of eve' | 'refused' | 'lists' | 'shipped by two' | 'entries', string>>

/**
 * A day of the shop, which two services serve on one store.
 *
 * @throws RowkeyError `NOT_SUPPORTED` before anything is written, if the store cannot hold the table
 */
export async function program(db: Mapper, other: Mapper): Promise<Facts> {
  await db.dropTables([Order])
  const [shop, second] = [await Orders.open(db), await Orders.open(other)]
  await Promise.all(orders.map((order) => shop.create(order)))
  const [one, two] = orders as [NewOrder, NewOrder]

  const refused = [
    await refusal(second.create({ ...one, buyer: 'mallory' })),
    await refusal(shop.create({ ...one, orderNo: '10000', cents: 20_000_000 })),
    await refusal(shop.move(one.orderNo, 'shipped')),
  ]
  await shop.create({ ...two, orderNo: '20000' }, true)
  await shop.confirm('20000')
  await shop.remove('20000')

  const raced = orders.slice(0, 40)
  const shipped = await shipByTwo(shop, second, raced)
  const wrong = await wrongLists(shop)
  const { rows: newest } = await shop.ofBuyer('eve', 3)
  // Stale are the entry of mallory's order, put before the row was refused, and both of the draft, which no longer expires on the day that they say.
  const reports = await Promise.all(['byBuyer', 'bySeller'].map((index) => db.verifyIndex(Order, index)))
  const sum = (of: 'missing' | 'stale'): number => reports.reduce((all, report) => all + report[of], 0)
  return {
    placed: String(orders.length),
    'newest of eve': newest.map(({ orderNo }) => orderNo).join(' '),
    refused: refused.join(', '),
    lists: `${wrong} wrong of ${distinct('buyer').length + distinct('seller').length}`,
    'shipped by two': `${shipped} of ${raced.length}`,
    entries: `${sum('missing')} lost, ${sum('stale')} stale`,
  }
}

/** Each order is paid by one service, and shipped by the other as soon as that reads it as paid. Returns how many every list has as shipped. */
async function shipByTwo(shop: Orders, second: Orders, some: readonly NewOrder[]): Promise<number> {
  await Promise.all(
    some.map(async ({ orderNo }) => {
      const paid = shop.move(orderNo, 'paid')
      while ((await second.get(orderNo))?.state !== 'paid') await setImmediate()
      await Promise.all([paid, second.move(orderNo, 'shipped')])
    }),
  )
  const listed = await Promise.all([
    ...distinct('buyer').map((buyer) => pages((cursor) => shop.ofBuyer(buyer, 50, cursor))),
    ...distinct('seller').map((seller) => pages((cursor) => shop.ofSeller(seller, 50, cursor, 'shipped'))),
  ])
  const counts = new Map<string, number>()
  for (const { orderNo, state } of listed.flat()) if (state === 'shipped') counts.set(orderNo, (counts.get(orderNo) ?? 0) + 1)
  return some.filter(({ orderNo }) => counts.get(orderNo) === 2).length
}

/** Lists that are not the orders of their buyer or seller, newest first, on pages of seven. */
async function wrongLists(shop: Orders): Promise<number> {
  const lists = await Promise.all([
    ...distinct('buyer').map((buyer) => isWrong('buyer', buyer, (cursor) => shop.ofBuyer(buyer, 7, cursor))),
    ...distinct('seller').map((seller) => isWrong('seller', seller, (cursor) => shop.ofSeller(seller, 7, cursor))),
  ])
  return lists.filter((wrong) => wrong).length
}

async function isWrong(column: 'buyer' | 'seller', value: string, page: Page): Promise<boolean> {
  const wanted = orders.filter((order) => order[column] === value).toReversed()
  const found = await pages(page)
  return found.map(({ orderNo }) => orderNo).join() !== wanted.map(({ orderNo }) => orderNo).join()
}

type Page = (cursor: string | undefined) => Promise<ScanPage<Order>>

async function pages(page: Page): Promise<readonly Order[]> {
  const found: Order[] = []
  for (let cursor: string | undefined; ;) {
    const { rows, cursor: next } = await page(cursor)
    found.push(...rows)
    if (next === undefined) return found
    cursor = next
  }
}

const distinct = (column: 'buyer' | 'seller'): readonly string[] => [...new Set(orders.map((order) => order[column]))]

const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'written',
    (error: unknown) => (isRowkeyError(error) ? error.code : error instanceof Error ? error.message : String(error)),
  )
