import {
  createMapper,
  decimal,
  defineTable,
  desc,
  Index,
  memory,
  nullable,
  schemaFromJSON,
  text,
  timestamp,
  uint32,
  type Mapper,
} from 'rowkey'
import { Column, KeyColumn, Table, Version } from 'rowkey'
import { expect, test } from 'vitest'

const Orders = defineTable('orders', {
  columns: { no: uint32(), buyer: text(), at: desc(timestamp('ms')), seller: nullable(text()), status: text(), total: decimal(9, 2) },
  key: ['no'],
  version: 'rev',
  indexes: {
    byBuyer: { partition: ['buyer'], key: ['at'] },
    bySeller: { key: ['seller', 'status'] },
  },
})

const order = (no: number, more: Partial<{ buyer: string; seller: string | null; status: string; at: Date }> = {}) => ({
  no,
  buyer: `b${no % 3}`,
  at: new Date(1000 * no),
  seller: no % 4 === 0 ? null : `s${no % 4}`,
  status: 'new',
  total: '1.00',
  ...more,
})

async function filled(count = 30): Promise<{ readonly db: Mapper }> {
  const db = createMapper(memory())
  await db.ensureTables([Orders])
  const orders = db.repository(Orders)
  await orders.putMany(Array.from({ length: count }, (_, i) => order(i)))
  return { db }
}

test('rows come in the order of the index, each once, with pages in both directions', async () => {
  const { db } = await filled()
  const orders = db.repository(Orders)
  const scan = orders.scan({ buyer: 'b1' }, { index: 'byBuyer' })
  const all = await scan.toArray()
  expect(all.map(({ no }) => no)).toEqual([28, 25, 22, 19, 16, 13, 10, 7, 4, 1])
  expect(all[0]).toMatchObject({ ...order(28), total: '1.00' })
  const first = await scan.page({ size: 4 })
  const second = await scan.page({ size: 4, cursor: first.cursor })
  const third = await scan.page({ size: 4, cursor: second.cursor })
  expect([first, second, third].map(({ rows }) => rows.map(({ no }) => no))).toEqual([
    [28, 25, 22, 19],
    [16, 13, 10, 7],
    [4, 1],
  ])
  const back = await scan.page({ size: 4, cursor: third.previous })
  expect(back.rows.map(({ no }) => no)).toEqual([16, 13, 10, 7])
  expect(await scan.count()).toBe(10)
  expect(first.stats.index).toEqual({ entries: 4, fetched: 4, stale: 0 })
})

test('a whole row bounds a scan at its entry', async () => {
  const { db } = await filled()
  const orders = db.repository(Orders)
  const row = await orders.getOrThrow({ no: 19 })
  const numbers = async (options: object): Promise<number[]> =>
    (await orders.scan({ buyer: 'b1' }, { index: 'byBuyer', ...options }).toArray()).map(({ no }) => no)
  expect(await numbers({ after: row, limit: 2 })).toEqual([16, 13])
  expect(await numbers({ to: row })).toEqual([28, 25, 22, 19])
  await expect(numbers({ after: { ...row, sort: 1 } })).rejects.toMatchObject({ code: 'INVALID_PREDICATE' })
  await expect(numbers({ after: { at: row.at, total: '1.00' } })).rejects.toThrow("has 'total', which is not a column")
})

test('rows with a null in the index have no entry: asking for them says so, and isNull: false holds for all entries', async () => {
  const { db } = await filled()
  const orders = db.repository(Orders)
  expect(() => orders.scan({ seller: null }, { index: 'bySeller' }).explain()).toThrow(
    "index 'bySeller' has no entries of rows whose 'seller' is null. Scan the table, or another index.",
  )
  expect(await orders.scan({ seller: { isNull: false } }, { index: 'bySeller', unbounded: true }).count()).toBe(22)
})

test('bounds, orders, limits, filters, conditions on other columns and selections are as for tables', async () => {
  const { db } = await filled()
  const orders = db.repository(Orders)
  const numbers = async (where: object, options: object): Promise<number[]> =>
    (await orders.scan(where as never, options).toArray()).map(({ no }) => no)
  const index = 'byBuyer'
  expect(await numbers({ buyer: 'b1', at: { gte: new Date(10_000), lt: new Date(20_000) } }, { index })).toEqual([19, 16, 13, 10])
  expect(await numbers({ buyer: 'b1' }, { index, order: { at: 'asc' }, limit: 3 })).toEqual([1, 4, 7])
  expect(await numbers({ buyer: 'b1' }, { index, after: { at: new Date(19_000) }, limit: 2 })).toEqual([16, 13])
  expect(await numbers({ buyer: 'b1', seller: 's1' }, { index })).toEqual([25, 13, 1])
  expect(await numbers({ buyer: { in: ['b0', 'b1'] } }, { index, limit: 3, order: { at: 'desc' } })).toEqual([28, 27, 25])
  expect(await numbers({ buyer: 'b1' }, { index, filter: ({ no }: { no: number }) => no > 20 })).toEqual([28, 25, 22])
  expect(await orders.scan({ buyer: 'b1' }, { index, select: ['total'], limit: 1 } as never).toArray()).toEqual([{ total: '1.00' }])
  expect(await numbers({ seller: 's1', status: 'new' }, { index: 'bySeller' })).toEqual([1, 5, 9, 13, 17, 21, 25, 29])
  expect(await numbers({ seller: 's1', buyer: null }, { index: 'bySeller' }).catch((error: unknown) => String(error))).toMatch(
    /INVALID_PREDICATE/,
  )
  // A cursor belongs to the conditions on other columns too.
  const page = await orders.scan({ buyer: 'b1', status: 'new' }, { index }).page({ size: 1 })
  await expect(orders.scan({ buyer: 'b1', status: 'old' }, { index }).page({ cursor: page.cursor })).rejects.toThrow(/CURSOR_MISMATCH/)
  await expect(orders.scan({ buyer: 'b1' }, { index }).page({ cursor: page.cursor })).rejects.toThrow(/CURSOR_MISMATCH/)
  const cursor = await orders.scan({ buyer: 'b1' }, { index }).cursorOf(order(13) as never)
  expect((await orders.scan({ buyer: 'b1' }, { index }).page({ cursor, size: 2 })).rows.map(({ no }) => no)).toEqual([10, 7])
})

test('a row with other values is not returned at its former place, and once at its new one', async () => {
  const { db } = await filled(3)
  const orders = db.repository(Orders)
  const of = async (buyer: string): Promise<number[]> => (await orders.scan({ buyer }, { index: 'byBuyer' }).toArray()).map(({ no }) => no)
  await orders.put(order(1, { buyer: 'b9' }))
  expect([await of('b1'), await of('b9')]).toEqual([[], [1]])
  await orders.update({ no: 1 }, { buyer: 'b8', at: new Date(5) })
  expect([await of('b9'), await of('b8')]).toEqual([[], [1]])
  // It lacks a part of the entry, so the row is read first.
  await orders.update({ no: 1 }, { buyer: 'b7' })
  expect([await of('b8'), await of('b7')]).toEqual([[], [1]])
  await orders.modify({ no: 1 }, () => ({ at: new Date(9) }))
  expect(await of('b7')).toEqual([1])
  await orders.upsert({ ...order(1), buyer: 'b6' })
  expect([await of('b7'), await of('b6')]).toEqual([[], [1]])
  await orders.upsert(order(77, { buyer: 'b6', at: new Date(77) }))
  expect((await of('b6')).toSorted((a, b) => a - b)).toEqual([1, 77])
  // There and back: one entry, which is live again.
  await orders.put(order(1, { buyer: 'b5', at: new Date(1) }))
  await orders.put(order(1, { buyer: 'b6', at: new Date(1) }))
  await orders.put(order(1, { buyer: 'b5', at: new Date(1) }))
  expect(await of('b5')).toEqual([1])
  const { stats } = await orders.scan({ buyer: 'b6' }, { index: 'byBuyer' }).page()
  expect(stats.index).toMatchObject({ stale: 2 })
  await orders.delete({ no: 1 })
  expect(await of('b5')).toEqual([])
  await db.write([orders.ops.put(order(5, { buyer: 'w' })), orders.ops.update({ no: 2 }, { buyer: 'w', at: new Date(2) })], {
    atomic: true,
  })
  expect((await of('w')).toSorted((a, b) => a - b)).toEqual([2, 5])
  await expect(db.write([orders.ops.update({ no: 2 }, { buyer: 'v' })])).rejects.toThrow(
    /INDEX_NEEDS_ROW: .*index 'byBuyer', which also needs 'at'/,
  )
})

test('deleteAll by an index deletes what still meets it', async () => {
  const { db } = await filled()
  const orders = db.repository(Orders)
  expect(await orders.scan({ buyer: 'b1', at: { gte: new Date(10_000) } }, { index: 'byBuyer' }).deleteAll()).toBe(7)
  expect(await orders.scan({ buyer: 'b1' }, { index: 'byBuyer' }).count()).toBe(3)
  expect(await orders.readAll().count()).toBe(23)
})

test('an index is in the JSON of its table, and that of a class is the same', () => {
  @Table('orders')
  @Index('byBuyer', { partition: ['buyer'], key: ['at'] })
  @Index('bySeller', { key: ['seller', 'status'] })
  class Order {
    @KeyColumn(1, uint32()) no!: number
    @Column(text()) buyer!: string
    @Column(desc(timestamp('ms'))) at!: Date
    @Column(nullable(text())) seller!: string | null
    @Column(text()) status!: string
    @Column(decimal(9, 2)) total!: string
    @Version() rev!: string | null
  }
  const db = createMapper(memory())
  const text1 = JSON.stringify(db.repository(Order).schema)
  expect(text1).toBe(JSON.stringify(Orders))
  const copy = schemaFromJSON(text1)
  expect(copy.indexes.map(({ schema }) => JSON.stringify(schema))).toEqual(Orders.indexes.map(({ schema }) => JSON.stringify(schema)))
  const prefixed = createMapper(memory(), { prefix: 'dev_' }).repository(Orders).schema
  expect(prefixed.indexes.map(({ schema }) => schema.name)).toEqual(['dev_orders_byBuyer', 'dev_orders_bySeller'])
})

test('a refused query names the index that answers it, and explain says what that costs', async () => {
  const { db } = await filled()
  const orders = db.repository(Orders)
  const refused = orders.scan({ buyer: 'b1', at: { gte: new Date(0) } } as never)
  await expect(refused.toArray()).rejects.toThrow(/ Index 'byBuyer' answers it: give \{ index: 'byBuyer' \}\.$/)
  await expect(orders.scan({ status: 'new' } as never).toArray()).rejects.not.toThrow(/Index/)
  const { text, index, residual } = orders.scan({ buyer: 'b1', total: '1.00' }, { index: 'byBuyer', limit: 5 }).explain()
  expect(index).toEqual({ name: 'byBuyer', rows: 'orders', fetches: true })
  expect(residual.map(({ column }) => column)).toEqual(['total'])
  expect(
    text
      .replaceAll('"', "'")
      .split('\n')
      .filter((line) => !line.includes('bucket')),
  ).toEqual([
    'SCAN orders_byBuyer, ordered by (buyer asc, at desc, no asc)',
    "├ where buyer = 'b1' and total = '1.00'",
    "├ 1 of 3 key columns narrow the read; 'at' is the first that does not",
    "├ reads the row of each entry of index 'byBuyer' from orders, in batches, and leaves out those that have changed since",
    "└ filter after reading: total = '1.00'",
    expect.stringMatching(/^!/) as string,
  ])
})
