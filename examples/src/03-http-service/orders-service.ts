import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@rowkey/nestjs'
import type { Repository } from 'rowkey'
import { Order, OrderOfBuyer } from './order.js'

/** Orders of a buyer, and where the next ones are. */
export interface OrderPage {
  readonly orders: readonly Order[]
  /** For the next page; none: this was the last one. */
  readonly next?: string
  /** For the page before; none: this was the first one. */
  readonly previous?: string
}

@Injectable()
export class OrdersService {
  constructor(
    @InjectRepository(Order) private readonly orders: Repository<typeof Order>,
    @InjectRepository(OrderOfBuyer) private readonly ofBuyers: Repository<typeof OrderOfBuyer>,
  ) {}

  /** @throws RowkeyError `ROW_EXISTS` if the number is taken */
  async place(order: Order): Promise<Order> {
    order.placedAt = new Date()
    order.note ??= null
    const { buyer, placedAt, no } = order
    // The entry comes first. If the order cannot be written after it, or its number is taken, the entry leads to no order of this buyer, and
    // reading passes over it. The other way round an order could exist that nobody finds.
    await this.ofBuyers.put({ buyer, placedAt, no })
    await this.orders.insert(order)
    return order
  }

  /** @throws RowkeyError `ROW_NOT_FOUND` */
  async byNumber(no: string): Promise<Order> {
    return this.orders.getOrThrow({ no })
  }

  /** @throws RowkeyError `CURSOR_INVALID`, `CURSOR_MISMATCH` */
  async newest(buyer: string, limit: number, cursor?: string): Promise<OrderPage> {
    const page = await this.ofBuyers.scan({ buyer }, { limit, ...(cursor === undefined ? {} : { cursor }) }).page()
    const found = await this.orders.getMany(page.rows.map(({ no }) => ({ no })))
    const orders = page.rows.flatMap(({ placedAt }, i) => {
      const order = found[i]
      return order?.buyer === buyer && order.placedAt.getTime() === placedAt.getTime() ? [order] : []
    })
    return {
      orders,
      ...(page.cursor === undefined ? {} : { next: page.cursor }),
      ...(page.previous === undefined ? {} : { previous: page.previous }),
    }
  }
}
