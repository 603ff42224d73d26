import { bool, bytes, desc, int64, text, timestamp } from 'rowkey/codec'
import { Column, defineTable, KeyColumn, PartitionKey, Table, type Model } from 'rowkey'

// Types that are inferred from what the compiler emits, which only legacy decorators get.

type Status = 'new' | 'paid'

abstract class Stamped {
  @Column() created!: Date
}
@Table('inferred')
class Inferred extends Stamped {
  @PartitionKey(1) buyer!: string
  @KeyColumn(2, desc()) at!: Date
  @KeyColumn(3) readonly no!: bigint
  @Column() status!: Status
  @Column() level!: `level ${Status}`
  @Column() paid!: boolean
  @Column() receipt!: Uint8Array
}
const Given = defineTable('inferred', {
  columns: {
    buyer: text(),
    at: desc(timestamp('ms')),
    no: int64(),
    status: text(),
    level: text(),
    paid: bool(),
    receipt: bytes(),
    created: timestamp('ms'),
  },
  partition: ['buyer'],
  key: ['at', 'no'],
})
export const twins: readonly (readonly [inferred: Model, given: Model])[] = [[Inferred, Given]]

/** Untyped, as through `any`: the compiler would refuse these fields. */
const Untyped = (): ((...args: unknown[]) => void) => Column()

@Table('uncertain')
export class Uncertain {
  @KeyColumn(1, text()) id!: string
  @Untyped() count!: number
  @Untyped() list!: string[]
  @Untyped() maybe!: string | null
  @Untyped() data!: { readonly city: string }
  @Untyped() level!: 1 | 2
  @Untyped() pattern!: RegExp
}
