import { desc, nullable, text, type ColumnType } from 'rowkey/codec'
import { Column, defineTable, KeyColumn, PartitionKey, RowKey, Table } from 'rowkey'

// Column types that are inferred from a field: only with legacy decorators, and only where one type is certain.

type Status = 'new' | 'paid'
type Anything = ReturnType<typeof JSON.parse>

@Table('inferred')
export class Inferred {
  declare [RowKey]?: { partition: ['buyer']; key: ['at', 'no']; value: 'status' | 'paid' | 'receipt' | 'text' }
  @PartitionKey(1) buyer!: string
  @KeyColumn(2, desc()) at!: Date
  @KeyColumn(3) readonly no!: bigint
  @Column() status!: Status
  @Column() paid!: boolean
  @Column() receipt!: Uint8Array
  @Column() text!: `${Status}!`
}

export class Refused {
  declare [RowKey]?: {
    key: ['first', 'id', 'count']
    value:
      | 'maybe'
      | 'maybeToo'
      | 'never'
      | 'optional'
      | 'list'
      | 'data'
      | 'union'
      | 'yes'
      | 'anything'
      | 'unknown'
      | 'buffer'
      | 'method'
      | 'forgotten'
  }
  // @ts-expect-error not the second
  @KeyColumn(2) first!: string
  // @ts-expect-error not the first
  @KeyColumn(1, desc()) id!: string
  // @ts-expect-error numbers have several types
  @KeyColumn(3) count!: number
  // @ts-expect-error not in the key there
  @KeyColumn(4) notNamed!: string
  // @ts-expect-error null is not inferred
  @Column() maybe!: string | null
  // @ts-expect-error nor with nullable(): the compiler emits Object
  @Column(nullable()) maybeToo!: string | null
  // @ts-expect-error the field has no null
  @Column(nullable()) never!: string
  // @ts-expect-error a required column cannot be an optional field
  @Column() optional?: string
  // @ts-expect-error the compiler emits Array
  @Column() list!: string[]
  // @ts-expect-error the compiler emits Object
  @Column() data!: { readonly city: string }
  // @ts-expect-error the compiler emits Object
  @Column() union!: string | bigint
  // @ts-expect-error the column has both
  @Column() yes!: true
  // @ts-expect-error may be anything
  @Column() anything!: Anything
  // @ts-expect-error may be anything
  @Column() unknown!: unknown
  // @ts-expect-error values come back as Uint8Array
  @Column() buffer!: Buffer
  // @ts-expect-error a method is no column
  @Column() method(): string {
    return ''
  }
  // @ts-expect-error without parentheses it is not a wrapper
  @Column(desc) forgotten!: string
  // @ts-expect-error private
  @Column() private secret!: string
}
interface Buffer extends Uint8Array {
  readonly parent: ArrayBuffer
}

// @ts-expect-error a wrapper without a type is no column type
defineTable('abc', { columns: { id: text(), note: nullable() }, key: ['id'] })
// @ts-expect-error nor is it one here
export const type: ColumnType = desc()
