import {
  bool,
  bucket,
  bytes,
  date,
  decimal,
  desc,
  dictionary,
  fixedBytes,
  kuduHash,
  hashPrefix,
  int64,
  json,
  nullable,
  random,
  reversed,
  text,
  timestamp,
  uint32,
  ulid,
  uuid,
} from 'rowkey/codec'
import { Bucket, Column, KuduHash, HashPrefix, KeyColumn, PartitionKey, RowKey, Table, Ttl, Version, defineTable, type Model } from 'rowkey'

// Every table twice, by decorators and by defineTable, with the properties in another order.

@Table('log_events', { writes: 'plain' })
@Bucket({ of: ['host', 'event'], count: 16 })
export class LogEvent {
  declare [RowKey]?: 'host' | 'event' | 'at' | 'seq'
  @KeyColumn(1, text()) host!: string
  @KeyColumn(2, text()) event!: string
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
  @KeyColumn(4, uint32()) seq!: number
  @Column(nullable(text())) message!: string | null
}
const LogEvents = defineTable('log_events', {
  columns: { message: nullable(text()), seq: uint32(), at: desc(timestamp('ms')), event: text(), host: text() },
  key: ['host', 'event', 'at', 'seq'],
  salt: bucket({ of: ['event', 'host'], count: 16 }),
  writes: 'plain',
})

@Table('orders', { stores: { cassandra: { compression: 'lz4' }, dynamodb: { billing: 'onDemand' } } })
@HashPrefix({ of: 'buyer', digits: 4 })
@Bucket({ of: 'no', count: 300, seed: 7 })
export class Order {
  // Written back to front: the numbers are the order.
  @Column(json<string[]>()) tags!: string[]
  @Column(nullable(bytes({ name: 'a_raw' }))) raw?: Uint8Array | null
  @Column(bool({ name: 'b_paid', default: false })) paid!: boolean
  @KeyColumn(4, uuid()) no!: string
  @KeyColumn(3, desc(date({ name: 'placed_on' }))) placedOn!: Date
  @PartitionKey(2, reversed(int64({ name: 'shop_id' }))) shopId!: bigint
  @PartitionKey(1, text()) buyer!: string
}
const Orders = defineTable('orders', {
  columns: {
    buyer: text(),
    shopId: reversed(int64({ name: 'shop_id' })),
    placedOn: desc(date({ name: 'placed_on' })),
    no: uuid(),
    paid: bool({ name: 'b_paid', default: false }),
    raw: nullable(bytes({ name: 'a_raw' })),
    tags: json<string[]>(),
  },
  partition: ['buyer', 'shopId'],
  key: ['placedOn', 'no'],
  salt: [hashPrefix({ of: 'buyer', digits: 4 }), bucket({ of: 'no', count: 300, seed: 7 })],
  stores: { dynamodb: { billing: 'onDemand' }, cassandra: { compression: 'lz4' } },
})

/** A base without a table. */
abstract class Stamped {
  @KeyColumn(1, dictionary({ taobao: 'tb', tmall: 'tm' })) shop!: 'taobao' | 'tmall'
  @Column(timestamp('ms', { default: 'now' })) created!: Date
}
/** A class of the chain without any decorator. */
abstract class Named extends Stamped {
  get label(): string {
    return this.shop
  }
}
@Table('carts')
export class Cart extends Named {
  @KeyColumn(2, nullable(int64({ default: random(100) }), { nulls: 'last' })) seq?: bigint | null
  @Column(fixedBytes(2, { default: new Uint8Array([1, 2]) })) mark!: Uint8Array
}
const Carts = defineTable('carts', {
  columns: {
    shop: dictionary({ taobao: 'tb', tmall: 'tm' }),
    seq: nullable(int64({ default: random(100) }), { nulls: 'last' }),
    mark: fixedBytes(2, { default: new Uint8Array([1, 2]) }),
    created: timestamp('ms', { default: 'now' }),
  },
  key: ['shop', 'seq'],
})

@Table('wishes')
@Bucket({ of: 'user', count: 4 })
export class Wish extends Stamped {
  @KeyColumn(2, text()) user!: string
}
const Wishes = defineTable('wishes', {
  columns: { user: text(), shop: dictionary({ taobao: 'tb', tmall: 'tm' }), created: timestamp('ms', { default: 'now' }) },
  key: ['shop', 'user'],
  salt: bucket({ of: 'user', count: 4 }),
})

/** A table of its own over the columns and the salt of another. */
@Table('old_wishes')
export class OldWish extends Wish {
  @Column(text()) reason!: string
}
const OldWishes = defineTable('old_wishes', {
  columns: {
    user: text(),
    shop: dictionary({ taobao: 'tb', tmall: 'tm' }),
    created: timestamp('ms', { default: 'now' }),
    reason: text(),
  },
  key: ['shop', 'user'],
  salt: bucket({ of: 'user', count: 4 }),
})

@Table('payments')
@KuduHash({ of: 'account', count: 4 })
@KuduHash({ of: ['amount'], count: 8, seed: 42 })
class Payment {
  @KeyColumn(1, text()) account!: string
  @KeyColumn(2, decimal(9, 2)) amount!: string
  @KeyColumn(3, desc(ulid({ default: 'ulid' }))) id!: string
  @Column(uuid({ order: 'time', name: 'trace_id' })) trace!: string
}
const Payments = defineTable('payments', {
  columns: {
    trace: uuid({ order: 'time', name: 'trace_id' }),
    id: desc(ulid({ default: 'ulid' })),
    amount: decimal(9, 2),
    account: text(),
  },
  key: ['account', 'amount', 'id'],
  salt: [kuduHash({ of: 'account', count: 4 }), kuduHash({ of: 'amount', count: 8, seed: 42 })],
})

abstract class Expiring {
  @Version() readonly rev!: string
}
@Table('sessions')
@Ttl('30d')
class Session extends Expiring {
  @KeyColumn(1, text()) id!: string
  @Column(nullable(text({ name: 'zz' }))) note!: string | null
}
const Sessions = defineTable('sessions', {
  columns: { note: nullable(text({ name: 'zz' })), id: text() },
  key: ['id'],
  version: 'rev',
  ttl: '30d',
})

export const twins: readonly (readonly [decorated: Model, defined: Model])[] = [
  [LogEvent, LogEvents],
  [Order, Orders],
  [Cart, Carts],
  [Wish, Wishes],
  [OldWish, OldWishes],
  [Payment, Payments],
  [Session, Sessions],
]
