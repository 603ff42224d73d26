import { isRowkeyError, type Mapper } from 'rowkey'
import { models, OrdersByBuyer, OrdersByNumber, OrdersBySeller, type Order } from './models.js'

/** How the three tables were kept together, and what the store said if it could not do so at once. */
export interface Placed {
  readonly keeping: 'all or none' | 'one after the other'
  readonly because?: string
}

/** A shop's orders, in three tables that say the same. */
export class Orders {
  private readonly db: Mapper
  private readonly byBuyer
  private readonly bySeller
  private readonly byNumber

  private constructor(db: Mapper) {
    this.db = db
    this.byBuyer = db.repository(OrdersByBuyer)
    this.bySeller = db.repository(OrdersBySeller)
    this.byNumber = db.repository(OrdersByNumber)
  }

  static async open(db: Mapper): Promise<Orders> {
    await db.dropTables(models)
    await db.ensureTables(models)
    return new Orders(db)
  }

  /**
   * Writes an order into all three tables. Where the store can, all or none, and a number that is taken is refused. Elsewhere the order by
   * number comes first: it decides who has the number, and from it the other two can be written again.
   */
  async place(order: Order): Promise<Placed> {
    const { db, byBuyer, bySeller, byNumber } = this
    const copies = [byBuyer.ops.put(order), bySeller.ops.put(order)]
    try {
      await db.write([byNumber.ops.insert(order), ...copies], { atomic: true })
      return { keeping: 'all or none' }
    } catch (error) {
      if (!isRowkeyError(error, 'ATOMIC_SCOPE')) throw error
      await byNumber.insert(order)
      await db.write(copies)
      return { keeping: 'one after the other', because: error.message }
    }
  }

  ofBuyer(buyer: string, limit: number): Promise<Order[]> {
    return this.byBuyer.scan({ buyer }, { limit }).toArray()
  }

  ofSeller(seller: string, from: Date, to: Date): Promise<Order[]> {
    return this.bySeller.scan({ seller, at: { gte: from, lt: to } }).toArray()
  }

  byOrderNo(orderNo: string): Promise<Order | undefined> {
    return this.byNumber.get({ orderNo })
  }

  /** Orders that are not in all three tables. */
  async torn(): Promise<number> {
    const tables = await Promise.all(
      [this.byBuyer, this.bySeller, this.byNumber].map(async (table) => table.readAll({ select: ['orderNo'] }).count()),
    )
    return Math.max(...tables) - Math.min(...tables)
  }
}
