import { desc, int64, json, nullable, text } from 'rowkey/codec'
import { Column, type InferKey, type InferWhere, KeyColumn, PartitionKey, RowKey, Table } from 'rowkey'

// Without `strict`, null is in every type: what compiles is less, but not nothing.

@Table('inferred')
export class Inferred {
  declare [RowKey]?: {
    partition: ['buyer']
    key: ['at']
    value: 'note' | 'optional' | 'data' | 'count' | 'list' | 'wrong' | 'more'
    default: 'state'
  }
  @PartitionKey(1) buyer!: string
  @KeyColumn(2, desc()) at!: Date
  @Column(nullable()) note!: string | null
  @Column(nullable()) optional?: string
  @Column(text<'new' | 'paid'>({ default: 'new' })) state!: 'new' | 'paid'
  @Column(nullable(json<{ city: string }>())) data!: { city: string } | null
  // @ts-expect-error numbers have several types
  @Column() count!: number
  // @ts-expect-error the compiler emits Array
  @Column() list!: string[]
  // @ts-expect-error bigint column, text field
  @Column(int64()) wrong!: string
  // @ts-expect-error a default that is not named
  @Column(text({ default: '' })) more!: string
}
// @ts-expect-error part of the key
export const key: InferKey<typeof Inferred> = { buyer: 'x' }
// @ts-expect-error the partition column is missing
export const where: InferWhere<typeof Inferred> = { at: new Date() }
