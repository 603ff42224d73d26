import { equals, type Mapper, type ScanPage } from 'rowkey'
import { Order, type NewOrder, type State } from './models.js'

const next: Readonly<Record<State, readonly State[]>> = {
  draft: ['placed', 'cancelled'],
  placed: ['paid', 'cancelled'],
  paid: ['shipped'],
  shipped: [],
  cancelled: [],
}

/** A shop's orders. Each write is one row; its entries in the indexes follow by themselves. */
export class Orders {
  private readonly orders

  private constructor(db: Mapper) {
    this.orders = db.repository(Order)
  }

  static async open(db: Mapper): Promise<Orders> {
    await db.ensureTables([Order])
    return new Orders(db)
  }

  /** A draft lives for a day. @throws RowkeyError `ROW_EXISTS` if the number is taken */
  async create(order: NewOrder, isDraft = false): Promise<void> {
    if (isDraft) await this.orders.insert({ ...order, state: 'draft' }, { expires: '24h' })
    else await this.orders.insert(order, { expires: null })
  }

  get(orderNo: string): Promise<Order | undefined> {
    return this.orders.get({ orderNo })
  }

  /** @throws RowkeyError `CONDITION_FAILED` if somebody else has moved it in the meantime */
  async move(orderNo: string, to: State): Promise<void> {
    const { state } = await this.orders.getOrThrow({ orderNo })
    if (!next[state].includes(to)) throw new Error(`${state} -> ${to} is not allowed`)
    await this.orders.update({ orderNo }, { state: to }, { if: { state } })
  }

  /** A draft becomes an order: it no longer expires. */
  async confirm(orderNo: string): Promise<void> {
    await this.orders.update({ orderNo }, { state: 'placed' }, { expires: null, if: { state: 'draft' } })
  }

  async remove(orderNo: string, deletedAt = new Date()): Promise<void> {
    await this.orders.update({ orderNo }, { deletedAt })
  }

  /** Newest first. What comes from a client is only ever a value, never an operator. */
  ofBuyer(buyer: unknown, size: number, cursor?: string): Promise<ScanPage<Order>> {
    return this.orders.scan({ buyer: equals(buyer), deletedAt: null }, { index: 'byBuyer', maxExamined: 10_000 }).page({ size, cursor })
  }

  ofSeller(seller: unknown, size: number, cursor?: string, state?: State): Promise<ScanPage<Order>> {
    const where = { seller: equals(seller), deletedAt: null, ...(state && { state }) }
    return this.orders.scan(where, { index: 'bySeller', maxExamined: 10_000 }).page({ size, cursor })
  }
}
