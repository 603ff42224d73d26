import { Column, createMapper, int64, KeyColumn, memory, nullable, RowKey, Table, text } from 'rowkey'
import { expect, test } from 'vitest'

/** [userid][orderid] */
@Table('orders')
class Order {
  declare [RowKey]?: 'userid' | 'orderid'
  @KeyColumn(1, text()) userid!: string
  @KeyColumn(2, int64()) orderid!: bigint
  @Column(nullable(text())) state!: string | null
}

test('G-15: the store is told the condition with every range', async () => {
  const store = memory()
  const told: unknown[] = []
  const open: typeof store.table = (schema, catalog) => {
    const table = original(schema, catalog)
    return Object.assign(Object.create(table) as typeof table, {
      scan: (...[slice, options]: Parameters<typeof table.scan>) => {
        told.push(slice.filter)
        return table.scan(slice, options)
      },
    })
  }
  const original = store.table.bind(store)
  const db = createMapper(Object.assign(store, { table: open }))
  await db.ensureTables([Order])
  await db.repository(Order).scan({ userid: 'abc', state: 'open' }).toArray()
  const state = 2
  expect(told).toEqual([[{ column: state, in: ['open'] }]])
})
