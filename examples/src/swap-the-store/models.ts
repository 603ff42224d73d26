import {
  Bucket,
  bool,
  bytes,
  Column,
  date,
  decimal,
  desc,
  float64,
  int32,
  int64,
  json,
  type Json,
  KeyColumn,
  nullable,
  PartitionKey,
  Table,
  text,
  timestamp,
  Ttl,
  uint32,
  uuid,
  Version,
} from 'rowkey'

/** A value of every sort that stores like to change. */
@Table('readings')
@Bucket({ of: ['site', 'sensor'], count: 4 })
@Ttl('3650d')
export class Reading {
  @KeyColumn(1, text()) site!: string
  @KeyColumn(2, int32()) sensor!: number
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
  @KeyColumn(4, uint32()) seq!: number
  @Column(float64()) value!: number
  @Column(nullable(decimal(18, 4))) price!: string | null
  @Column(nullable(int64())) total!: bigint | null
  @Column(nullable(bytes())) raw!: Uint8Array | null
  @Column(nullable(json())) tags!: Json | null
  @Column(nullable(text())) note!: string | null
}

/** Rows of one customer lie together, in stores that have partitions. */
@Table('accounts')
export class Account {
  @PartitionKey(1, text()) customer!: string
  @KeyColumn(2, nullable(date(), { nulls: 'last' })) closed!: Date | null
  @KeyColumn(3, uuid()) id!: string
  @Column(bool()) active!: boolean
  @Column(nullable(int64())) balance!: bigint | null
  @Version() readonly rev?: string
}
