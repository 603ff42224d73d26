import { desc, nullable, text } from 'rowkey/codec'
import { Column, KeyColumn, PartitionKey, Table } from 'rowkey'

// Standard decorators are told nothing about the type of a field.

@Table('inferred')
export class Refused {
  // @ts-expect-error no type
  @PartitionKey(1) buyer!: string
  // @ts-expect-error no type
  @KeyColumn(2, desc()) at!: Date
  // @ts-expect-error no type
  @Column() no!: bigint
  // @ts-expect-error no type
  @Column(nullable()) note!: string | null
  @Column(text()) state!: string
}
