import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@rowkey/nestjs'
import { isRowkeyError, type Repository } from 'rowkey'
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
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    @InjectRepository(OrderOfBuyer) private readonly ofBuyers: Repository<OrderOfBuyer>,
  ) {}

  /** @throws RowkeyError `ROW_EXISTS` if the number is taken */
  async place(order: Order): Promise<Order> {
    order.placedAt = new Date()
    order.note ??= null
    // The order comes first: only its insert knows whether the number is free, and who is refused must leave nothing behind.
    try {
      await this.orders.insert(order)
    } catch (error) {
      if (isRowkeyError(error, 'ROW_EXISTS')) await this.listAgain(order)
      throw error
    }
    await this.list(order)
    return order
  }

  private async list({ buyer, placedAt, no }: Order): Promise<void> {
    await this.ofBuyers.put({ buyer, placedAt, no })
  }

  /** An order whose entry could not be written is in no list. Its buyer, who was told to repeat the request, puts it there by doing so. */
  private async listAgain({ no, buyer }: Order): Promise<void> {
    const existing = await this.orders.get({ no })
    if (existing?.buyer === buyer) await this.list(existing)
  }

  /** @throws RowkeyError `ROW_NOT_FOUND` */
  async byNumber(no: string): Promise<Order> {
    return this.orders.getOrThrow({ no })
  }

  /** @throws RowkeyError `CURSOR_INVALID`, `CURSOR_MISMATCH` */
  async newest(buyer: string, limit: number, cursor?: string): Promise<OrderPage> {
    const page = await this.ofBuyers.scan({ buyer }).page({ size: limit, cursor })
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
