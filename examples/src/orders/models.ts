import { bucket, defineTable, desc, text, timestamp, uint32, type InferRow } from 'rowkey'

const columns = { orderNo: text(), buyer: text(), seller: text(), at: desc(timestamp('ms')), cents: uint32(), state: text() }

// Three questions, three tables; each has the columns that its question names in front.

/** The orders of a buyer, newest first. */
export const OrdersByBuyer = defineTable('orders_by_buyer', { columns, key: ['buyer', 'at', 'orderNo'] })

/** The orders of a seller, newest first; a seller sells much, so the rows of all sellers are spread. */
export const OrdersBySeller = defineTable('orders_by_seller', {
  columns,
  key: ['seller', 'at', 'orderNo'],
  salt: bucket({ of: ['seller', 'orderNo'], count: 8 }),
})

/** An order by its number. */
export const OrdersByNumber = defineTable('orders_by_number', { columns, partition: ['orderNo'], key: [] })

export const models = [OrdersByBuyer, OrdersBySeller, OrdersByNumber] as const

export type Order = InferRow<typeof OrdersByNumber>
