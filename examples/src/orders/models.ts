import { IsIn, IsInt, Matches, Max, Min } from 'class-validator'
import {
  Bucket,
  Check,
  Column,
  desc,
  Index,
  KeyColumn,
  nullable,
  RowKey,
  Table,
  text,
  timestamp,
  Ttl,
  uint32,
  Version,
  type InferInsert,
} from 'rowkey'

const states = ['draft', 'placed', 'paid', 'shipped', 'cancelled'] as const
export type State = (typeof states)[number]

/** An order, found by its number. Its indexes find those of a buyer and those of a seller, newest first. */
@Table('orders')
@Ttl('30d')
@Bucket({ of: 'orderNo', count: 8 })
@Index('byBuyer', { partition: ['buyer'], key: ['at'] })
@Index('bySeller', { partition: ['seller'], key: ['at'] })
export class Order {
  declare [RowKey]?: {
    key: ['orderNo']
    value: 'buyer' | 'seller' | 'at' | 'cents' | 'lines' | 'deletedAt'
    default: 'state'
    version: 'rev'
  }
  @Check(Matches(/^[0-9.e+]{5,20}$/)) @KeyColumn(1, text()) orderNo!: string
  @Column(text()) buyer!: string
  @Column(text()) seller!: string
  @Column(desc(timestamp('ms'))) at!: Date
  @Check(Min(0), Max(10_000_000), IsInt()) @Column(uint32()) cents!: number
  @Check(Min(1), IsInt()) @Column(uint32()) lines!: number
  @Check(IsIn(states)) @Column(text<State>({ default: 'placed' })) state!: State
  @Column(nullable(timestamp('ms'))) deletedAt!: Date | null
  @Version() rev!: string | null
}

export type NewOrder = InferInsert<typeof Order>
