import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator'
import { Column, desc, Index, KeyColumn, nullable, RowKey, Table, text, timestamp, uint32 } from 'rowkey'

/** An order: the body of a request with its checks, the row of a table, and the answer. The index finds those of a buyer, newest first. */
@Table('orders')
@Index('byBuyer', { partition: ['buyer'], key: ['placedAt'] })
export class Order {
  declare [RowKey]?: 'no'

  @IsString()
  @Length(1, 20)
  @KeyColumn(1, text())
  no!: string

  @IsString()
  @Length(1, 40)
  @Column(text())
  buyer!: string

  @IsInt()
  @Min(1)
  @Max(4_000_000_000)
  @Column(uint32())
  cents!: number

  @IsOptional()
  @IsString()
  @Length(0, 200)
  @Column(nullable(text()))
  note!: string | null

  // Without a check, the ValidationPipe refuses it in requests: the service sets it. For that, new objects must not have it already, which
  // useDefineForClassFields: false of tsconfig.json sees to.
  @Column(desc(timestamp('ms')))
  placedAt!: Date
}
