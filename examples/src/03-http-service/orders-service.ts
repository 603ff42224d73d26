import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@rowkey/nestjs'
import type { Repository } from 'rowkey'
import { Order } from './order.js'

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
  constructor(@InjectRepository(Order) private readonly orders: Repository<Order>) {}

  /** @throws RowkeyError `ROW_EXISTS` if the number is taken */
  async place(order: Order): Promise<Order> {
    order.placedAt = new Date()
    order.note ??= null
    await this.orders.insert(order)
    return order
  }

  /** @throws RowkeyError `ROW_NOT_FOUND` */
  async byNumber(no: string): Promise<Order> {
    return this.orders.getOrThrow({ no })
  }

  /** @throws RowkeyError `CURSOR_INVALID`, `CURSOR_MISMATCH` */
  async newest(buyer: string, limit: number, cursor?: string): Promise<OrderPage> {
    const { rows, cursor: next, previous } = await this.orders.scan({ buyer }, { index: 'byBuyer' }).page({ size: limit, cursor })
    return { orders: rows, ...(next === undefined ? {} : { next }), ...(previous === undefined ? {} : { previous }) }
  }
}
