import { Bucket, Column, desc, KeyColumn, nullable, RowKey, Table, text, timestamp, uint32 } from 'rowkey'

@Table('log_events')
@Bucket({ of: ['host', 'event'], count: 16 })
export class LogEvent {
  declare [RowKey]?: 'host' | 'event' | 'at' | 'seq'
  @KeyColumn(1, text()) host!: string
  @KeyColumn(2, text()) event!: string
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
  @KeyColumn(4, uint32()) seq!: number
  @Column(nullable(text())) message!: string | null
}
