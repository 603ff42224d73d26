import { date, int64, json, nullable, reversed, text, timestamp, type ColumnType } from 'rowkey/codec'
import { Column, KeyColumn, Table } from 'rowkey'

/** Untyped, as from JavaScript or through `any`: the compiler would refuse these fields. */
const Untyped = (type: ColumnType): ((...args: unknown[]) => void) => Column(type)

/** Fields that are declared as another type than their column's. */
@Table('contradictions')
export class Contradictions {
  @KeyColumn(1, text()) id!: string
  @Untyped(text()) aNumber!: number
  @Untyped(int64()) aText!: string
  @Untyped(int64({ as: 'number' })) aBigint!: bigint
  @Untyped(timestamp('ms')) aFlag!: boolean
  @Untyped(date({ as: 'number' })) aDate!: Date
  @Untyped(reversed(int64())) aReversed!: number
  // The compiler emits nothing useful for these.
  @Untyped(text()) aUnion!: string | number
  @Column(nullable(text())) aNullable!: string | null
  @Column(json<string[]>()) aList!: string[]
  @Column(text<'a' | 'b'>()) aLiteral!: 'a' | 'b'
}
